#pragma once
// The word that was probably meant.

#include <string>
#include <string_view>
#include <vector>

namespace etiage {

/// `; did you mean 'scan'?` with the nearest of `known` (at most a third of its letters wrong), or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace etiage
