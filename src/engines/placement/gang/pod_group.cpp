#include "engines/placement/gang/pod_group.h"

#include <fmt/format.h>

namespace etiage::placement {

std::string GroupProgress::message() const {
  return fmt::format("minCount ({}) {}: {} scheduled, {} remaining", min_count,
                     hopeless() ? "cannot be satisfied" : "is not yet satisfied", scheduled, remaining);
}

}  // namespace etiage::placement
