#pragma once
// The named formats of Kubernetes (`format.dns1123Label()`, ...): what is wrong with a text, in its words.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etiage::cel {

struct NamedFormat {
  std::string_view function;  ///< as in `format.dns1123Label()`
  std::string_view name;
  std::uint64_t regex_size;                                   ///< what its cost is counted by
  std::vector<std::string> (*faults)(std::string_view text);  ///< none: valid
};

/// All of them; they live for ever.
const std::vector<NamedFormat>& named_formats();
/// Null: there is none of that name.
const NamedFormat* find_named_format(std::string_view function);

}  // namespace etiage::cel
