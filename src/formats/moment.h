#pragma once
// Moments as logs and bills write them; Kubernetes and Prometheus are stricter (base/instant.h).

#include <optional>
#include <string_view>

#include "base/instant.h"

namespace etiage::formats {

/// What a text says of time: a moment is an empty window, a date a whole day.
///
/// RFC 3339; the same with a space for `T`, without seconds, without an offset (UTC then) or with one like
/// `+0200` or ` UTC`; `2026-10-06`; seconds, milliseconds, microseconds or nanoseconds since 1970, told apart
/// by size (11, 14 and 17 digits begin the next).
std::optional<Window> parse_moment(std::string_view text);

}  // namespace etiage::formats
