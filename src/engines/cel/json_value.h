#pragma once
// Values as protobuf's Value holds them: null, bool, double, string, list, map.

#include <expected>
#include <string>
#include <string_view>

#include "engines/cel/value.h"

namespace etiage::cel {

/// In cel-go's words, why `v` cannot become the Go type `native`, as in `int64`.
std::string conversion_fault(const Value& v, std::string_view native);

/// Whole numbers that a double cannot hold become strings, as do bytes, durations and moments.
std::expected<Value, std::string> json_value(const Value& v);
/// A map; its keys must be strings.
std::expected<Value, std::string> json_map(const MapObject& map);
std::expected<Value, std::string> json_list(const std::vector<Value>& items);

}  // namespace etiage::cel
