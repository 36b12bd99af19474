#pragma once
// Objects of resource.k8s.io (v1, v1beta2, v1beta1, v1alpha3) from trees to the model, with the API server's
// defaults.

#include <string>

#include "base/diagnostic.h"
#include "base/tree.h"
#include "model/dra.h"

namespace etiage::formats {

/// Reads one object into its list. False: not a kind of this group that is known here, nothing is said about
/// it. What cannot be used (a bad quantity, an attribute without a value, a missing name) becomes a
/// diagnostic with its place, and the rest of the object is kept.
bool read_dra_object(const Tree& object, const std::string& file, DraObjects& into, Diagnostics& diagnostics);

}  // namespace etiage::formats
