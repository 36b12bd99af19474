#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/json_writer.h"
#include "render/table.h"
#include "render/width.h"

namespace etiage::render {
namespace {

/// `-1234567.5` as `-1,234,567.5`.
std::string grouped(std::string digits) {
  const std::size_t start = digits.starts_with('-') ? 1 : 0;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t at = point; at > start + 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string fixed(double value, int decimals) {
  std::string digits = fmt::format("{:.{}f}", value, decimals);
  const bool is_zero = digits.find_first_not_of("-0.") == std::string::npos;
  return grouped(is_zero && digits.starts_with('-') ? digits.substr(1) : digits);
}

Cell numeric(std::string shown, std::string exact) {
  return {std::move(shown), std::move(exact), true};
}

}  // namespace

Cell text(std::string_view value, Tone tone) {
  return {printable(value), std::string(value), false, tone};
}

Cell money(Money amount) {
  // Integer arithmetic: a double would round 9007199254.740993 wrongly.
  const std::int64_t cents = (amount.micro + (amount.micro < 0 ? -5'000 : 5'000)) / 10'000;
  const std::string sign = cents < 0 ? "-" : "";
  return numeric(grouped(fmt::format("{}{}.{:02}", sign, std::abs(cents / 100), std::abs(cents % 100))),
                 to_string(amount));
}

Cell price(double value) {
  if (!std::isfinite(value)) return none("n/a");
  const int magnitude = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
  return numeric(fixed(value, std::clamp(2 - magnitude, 2, 8)), json_number(value));
}

Cell price(HourlyPrice value) {
  return numeric(price(value.units()).shown, to_string(value));
}
Cell count(std::int64_t value) {
  return numeric(grouped(std::to_string(value)), std::to_string(value));
}

Cell short_count(double value) {
  if (!std::isfinite(value)) return none("n/a");
  static constexpr std::string_view kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  double scaled = value;
  std::size_t step = 0;
  while (std::abs(scaled) >= 999.5 && step + 1 < std::size(kPrefixes)) scaled /= 1000, ++step;
  const int decimals = step == 0                  ? (value == std::floor(value) ? 0 : 1)
                       : std::abs(scaled) < 9.995 ? 2
                       : std::abs(scaled) < 99.95 ? 1
                                                  : 0;
  return numeric(fixed(scaled, decimals) + std::string(kPrefixes[step]), json_number(value));
}

Cell number(double value, int decimals) {
  return std::isfinite(value) ? numeric(fixed(value, decimals), json_number(value)) : none("n/a");
}

Cell percent(double ratio) {
  return std::isfinite(ratio) ? numeric(fixed(ratio * 100, 1) + "%", json_number(ratio)) : none("n/a");
}

Cell hours(Duration time) {
  return numeric(fixed(time.as_hours(), 1), json_number(time.as_hours()));
}

Cell bar(double ratio, int width) {
  static constexpr std::string_view kEighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double part = std::isfinite(ratio) ? std::clamp(ratio, 0.0, 1.0) : 0;
  const int eighths = static_cast<int>(std::lround(part * width * 8));
  std::string shown;
  for (int i = 0; i < eighths / 8; ++i) shown += "█";
  shown += kEighths[eighths % 8];
  return {shown, json_number(ratio), false};
}

Cell none(std::string_view why) {
  return {printable(why), "", true, Tone::kDim};
}

Cell verbatim(std::string_view value) {
  return {printable(value), std::string(value), true};
}

Cell toned(Cell cell, Tone tone) {
  cell.tone = tone;
  return cell;
}

}  // namespace etiage::render
