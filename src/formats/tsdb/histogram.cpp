#include "formats/tsdb/histogram.h"

#include "base/json_writer.h"
#include "formats/samples.h"
#include "formats/text/go_float.h"

namespace etiage::formats::tsdb {
namespace {

std::string number(double value) {
  return is_stale(value) ? "StaleNaN" : text::go_shortest(value);
}
std::string number(std::int64_t value) {
  return std::to_string(value);
}
std::string number(std::uint64_t value) {
  return std::to_string(value);
}

std::string_view word(ResetHint hint) {
  return hint == ResetHint::kGauge ? "gauge" : hint == ResetHint::kNoReset ? "noReset" : "unknown";
}

template <class T>
void write_numbers(JsonWriter& json, std::string_view name, const std::vector<T>& numbers) {
  if (numbers.empty()) return;
  json.key(name).begin_array();
  for (const T n : numbers) json.value(number(n));
  json.end_array();
}

void write_spans(JsonWriter& json, std::string_view name, const std::vector<NativeHistogram::Span>& spans) {
  if (spans.empty()) return;
  json.key(name).begin_array();
  for (const auto& span : spans) json.begin_array().value(span.offset).value(span.length).end_array();
  json.end_array();
}

void write_counts(JsonWriter& json, std::string_view name, const NativeHistogram::Counts& counts) {
  std::visit([&](const auto& numbers) { write_numbers(json, name, numbers); }, counts);
}

}  // namespace

std::string to_json(const NativeHistogram& h) {
  const auto text = [](const auto& value) { return std::visit([](auto n) { return number(n); }, value); };
  JsonWriter json(0);
  json.begin_object().member("type", h.is_integer() ? "integer" : "float").member("hint", word(h.hint));
  json.member("schema", h.schema).member("zeroThreshold", number(h.zero_threshold));
  json.member("zeroCount", text(h.zero_count)).member("count", text(h.count)).member("sum", number(h.sum));
  write_spans(json, "positiveSpans", h.positive_spans);
  write_counts(json, "positive", h.positive);
  write_spans(json, "negativeSpans", h.negative_spans);
  write_counts(json, "negative", h.negative);
  write_numbers(json, "customValues", h.custom_values);
  return json.end_object().take();
}

}  // namespace etiage::formats::tsdb
