#pragma once
// Sources as tests write them: objects in YAML, samples in exposition text with times.

#include <string_view>

#include "evidence/build.h"

namespace etiage::evidence::testing {

/// `objects`: documents of one cluster; `text`: samples, stamps in seconds.
Sources sources(std::string_view objects, std::string_view text);

/// Evidence of these, from 0 to `seconds`.
Evidence evidence(std::string_view objects, std::string_view text, double seconds);

}  // namespace etiage::evidence::testing
