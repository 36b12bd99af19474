#pragma once
// From a value to a part of it.

#include "engines/cel/value.h"

namespace etiage::cel {

struct Step {
  Value value;  ///< the part, or an error
  bool present = true;
};

/// `presence`: what is not there is no error.
Step step_into(const Value& v, const Value& key, bool presence);

/// `item in in`.
Value contained(const Value& item, const Value& in);

/// Throws EnginePanic where Go's maps would.
void require_hashable(const Value& v);

}  // namespace etiage::cel
