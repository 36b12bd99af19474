#pragma once
// Floats as Go's strconv writes them and, beyond what samples may use, reads them.

#include <optional>
#include <string>
#include <string_view>

namespace etiage::formats::text {

/// strconv.ParseFloat without Prometheus's restrictions: hexadecimal (`0x1p-2`) and underscores between
/// digits too.
std::optional<double> parse_go_literal(std::string_view text);

/// The shortest text that reads back the same, as strconv's `g`: exponent form below 1e-4 and from 1e6 on;
/// `NaN`, `+Inf`, `-Inf`.
std::string go_shortest(double value);

/// The same with `.0` where it would look like an integer: bounds of buckets (`le`) and quantiles in
/// OpenMetrics.
std::string openmetrics_float(double value);

}  // namespace etiage::formats::text
