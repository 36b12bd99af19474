#include "sizing/traffic.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "base/csv.h"
#include "base/instant.h"

namespace etiage::sizing {
namespace {

std::string_view first_of(const CsvRow& row, std::span<const std::string_view> columns) {
  for (const auto column : columns)
    if (const auto cell = row[column]; !cell.empty()) return cell;
  return {};
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Seconds; a plain number above 1e10 is milliseconds.
std::optional<double> seconds(std::string_view text) {
  if (const auto n = number(text)) return *n > 1e10 ? *n / 1e3 : *n;
  std::string stamp(text);
  if (stamp.size() > 10 && stamp[10] == ' ') stamp[10] = 'T';
  if (!stamp.empty() && stamp.find('Z') == std::string::npos && stamp.find('+') == std::string::npos)
    stamp += 'Z';
  if (const auto t = parse_instant(stamp)) return static_cast<double>(t->ns) / 1e9;
  return std::nullopt;
}

constexpr std::array<std::string_view, 5> kTimes{"time", "TIMESTAMP", "timestamp", "arrived_at", "arrival"};
constexpr std::array<std::string_view, 4> kInputs{"input", "ContextTokens", "input_length",
                                                  "num_prefill_tokens"};
constexpr std::array<std::string_view, 4> kOutputs{"output", "GeneratedTokens", "output_length",
                                                   "num_decode_tokens"};

/// Requests a second of every minute from the first to the last, ascending. A trace of more than two years is
/// taken for one with gaps that mean nothing.
std::vector<double> rates_of(const std::map<std::int64_t, int>& minutes) {
  constexpr std::int64_t kTwoYears = 2 * 366 * 24 * 60;
  const auto span = minutes.rbegin()->first - minutes.begin()->first + 1;
  std::vector<double> rates(
      span > kTwoYears ? 0 : static_cast<std::size_t>(span) - minutes.size());  // minutes without a request
  for (const auto& [minute, requests] : minutes) rates.push_back(requests / 60.0);
  std::ranges::sort(rates);
  return rates;
}

}  // namespace

Result<Demand> read_traffic(std::string_view csv, const std::string& file) {
  std::map<std::int64_t, int> minutes;
  double input = 0, output = 0, count = 0;
  auto done = read_csv(csv, file, [&](const CsvRow& row) -> Result<void> {
    const auto at = seconds(first_of(row, kTimes));
    const auto in = number(first_of(row, kInputs)), out = number(first_of(row, kOutputs));
    if (!at || !in || !out || *in < 0 || *out < 0 || std::abs(*at) > 1e13)
      return failure("a request needs a time, input and output tokens", {file, row.line()},
                     "columns time,input,output");
    ++minutes[static_cast<std::int64_t>(std::floor(*at / 60))];
    input += *in;
    output += *out;
    ++count;
    return {};
  });
  if (!done) return std::unexpected(done.error());
  if (count == 0) return failure("no requests", {file});
  auto rates = rates_of(minutes);
  return Demand{.requests_per_second = rates.back(),
                .input = std::max(1.0, input / count),
                .output = std::max(1.0, output / count),
                .rates = std::move(rates)};
}

}  // namespace etiage::sizing
