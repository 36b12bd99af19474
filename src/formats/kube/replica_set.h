#pragma once
// What a ReplicaSet's name says of the Deployment that made it.

#include <string>

namespace etiage::formats {

/// The Deployment's name, where the last word looks like a template's hash (of 5 to 10 lower-case letters and
/// digits, not all of them letters); else the name itself.
std::string deployment_of(const std::string& replica_set);

}  // namespace etiage::formats
