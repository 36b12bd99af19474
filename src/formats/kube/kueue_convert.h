#pragma once
// Objects of kueue.x-k8s.io in older API versions, written as v1beta2, field by field as Kueue's conversion
// webhook does it.

#include <string>
#include <vector>

#include "base/tree.h"

namespace etiage::formats::kueue {

struct Converted {
  Tree object;
  std::vector<std::string> lost;  ///< paths of fields that v1beta2 has no place for
};

/// Whether it is Kueue's, of whatever version.
bool is_kueue(const Tree& object);

/// The object in v1beta2. Fields that have not changed, labels, annotations and fields that we do not know
/// stay as they are; what is v1beta2 already stays as a whole.
Converted to_v1beta2(Tree object);

}  // namespace etiage::formats::kueue
