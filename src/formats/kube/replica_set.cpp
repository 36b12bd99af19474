#include "formats/kube/replica_set.h"

#include <string_view>

namespace etiage::formats {

std::string deployment_of(const std::string& replica_set) {
  const auto dash = replica_set.rfind('-');
  if (dash == std::string::npos || dash == 0) return replica_set;
  const std::string_view hash = std::string_view(replica_set).substr(dash + 1);
  const bool plausible =
      hash.size() >= 5 && hash.size() <= 10 &&
      hash.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string_view::npos &&
      hash.find_first_of("0123456789") != std::string_view::npos;
  return plausible ? replica_set.substr(0, dash) : replica_set;
}

}  // namespace etiage::formats
