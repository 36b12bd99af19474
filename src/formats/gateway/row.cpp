#include "formats/gateway/row.h"

#include <charconv>
#include <cmath>
#include <functional>
#include <optional>

#include "formats/moment.h"

namespace etiage::formats {
namespace {

using F = GatewayField;

// One row may sum a day of a large tenant; a number above this is damage.
constexpr double kMostTokens = 1e14;

bool means_nothing(std::string_view value) {
  for (std::string_view none : {"", "-", "null", "NULL", "None", "none", "nil", "undefined", "NaN", "N/A"})
    if (value == none) return true;
  return false;
}

std::optional<double> number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error == std::errc::result_out_of_range) return text.starts_with('-') ? -HUGE_VAL : HUGE_VAL;
  if (error != std::errc{} || end != text.data() + text.size() || std::isnan(out)) return {};
  return out;
}

bool is_count(F field) {
  return field >= F::kInput && field <= F::kTotal;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

/// The prompt, of it cached (below 0: not told), and the output.
struct Counts {
  double input = 0, cached = -1, output = 0;
};

Result<Counts> counts_of(const GatewayWords& words) {
  const auto told = [&](F f) { return number(words[f]); };
  auto input = told(F::kInput), cached = told(F::kCached), output = told(F::kOutput);
  const auto cache_read = told(F::kCacheRead);
  if (!input) input = told(F::kUsageInput);
  const bool apart = input && cache_read && !cached && words[F::kInput].empty();
  if (!cached) cached = cache_read;
  const auto total = told(F::kTotal);
  if (!input && !output)
    return failure(total ? "only a total of tokens: input and output cannot be told apart"
                         : "no token counts");
  if (total && !input) input = *total - *output;
  if (total && !output) output = *total - *input;
  for (const double n : {input.value_or(0), cached.value_or(0), output.value_or(0)}) {
    if (n < 0) return failure("a negative count of tokens");
    if (n > kMostTokens) return failure("a count of tokens beyond belief");
  }
  // Cached tokens are a part of the prompt, but where they are counted beside it (or cannot be a part).
  if (cached && (apart || *cached > input.value_or(0))) input = input.value_or(0) + *cached;
  return Counts{input.value_or(0), cached.value_or(-1), output.value_or(0)};
}

/// When the request came; where only its end is known, that.
Result<Window> time_of(const GatewayWords& words) {
  bool any = false;
  for (const F field : {F::kStart, F::kEnd}) {
    if (words[field].empty()) continue;
    any = true;
    if (const auto time = parse_moment(words[field])) return *time;
  }
  return failure(any ? "a time that cannot be read" : "no time: it belongs to no window");
}

}  // namespace

void GatewayWords::clear() {
  for (std::string& w : words_) w.clear();
  any_ = false;
}

void GatewayWords::set(GatewayName name, std::string_view value) {
  value = trimmed(value);
  std::string& word = words_[index(name.field)];
  std::uint8_t& rank = ranks_[index(name.field)];
  if (means_nothing(value) || (!word.empty() && rank <= name.rank)) return;
  if (is_count(name.field) && !number(value)) return;
  word = value;
  rank = name.rank;
  any_ = true;
}

Result<GatewayRow> read_row(const GatewayWords& words) {
  GatewayRow out;
  const std::string_view hit = words[F::kCacheHit];
  if (hit == "True" || hit == "true" || hit == "1" || hit == "HIT")
    return failure("answered from the gateway's own cache: no engine saw it");
  out.model = {std::string(words[F::kAskedModel]), std::string(words[F::kServedModel])};
  if (out.model.asked.empty() && out.model.served.empty()) return failure("no model");
  const auto counts = counts_of(words);
  if (!counts) return std::unexpected(counts.error());
  const auto time = time_of(words);
  if (!time) return std::unexpected(time.error());
  out.caller = {std::string(words[F::kTeam]), std::string(words[F::kTeamAlias]),
                std::string(words[F::kKey]),  std::string(words[F::kKeyAlias]),
                std::string(words[F::kUser]), std::string(words[F::kEndUser])};
  out.request = {.time = *time, .input = counts->input, .cached = counts->cached, .output = counts->output};
  if (!words[F::kRequestId].empty())
    out.request.id = std::max<std::uint64_t>(1, std::hash<std::string_view>{}(words[F::kRequestId]));
  return out;
}

}  // namespace etiage::formats
