#include "render/ledger_json.h"

namespace etiage::render {

void write_maybe(JsonWriter& json, std::string_view key, std::optional<double> value) {
  json.key(key);
  if (value) {
    json.value(*value);
  } else {
    json.null();
  }
}

void write_text(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  if (value.empty()) {
    json.null();
  } else {
    json.value(value);
  }
}

void write_window(JsonWriter& json, Window window) {
  json.key("window").begin_object();
  json.member("start", window.start).member("end", window.end).member("hours", window.length().as_hours());
  json.end_object();
}

void write_buckets(JsonWriter& json, const ledger::Buckets& buckets) {
  json.key("buckets").begin_object();
  for (std::size_t b = 0; b < ledger::kBucketCount; ++b)
    json.member(to_string(static_cast<ledger::Bucket>(b)), buckets.of[b]);
  json.end_object();
}

void write_per_million(JsonWriter& json, const ledger::PerMillion& p) {
  json.key("perMillionTokens").begin_object();
  write_maybe(json, "full", p.full);
  write_maybe(json, "usage", p.usage);
  write_maybe(json, "saturated", p.saturated);
  write_maybe(json, "generated", p.generated);
  write_maybe(json, "input", p.input);
  write_maybe(json, "cachedInput", p.cached_input);
  write_maybe(json, "output", p.output);
  json.end_object();
}

void write_tokens(JsonWriter& json, const ledger::TokenCounts& tokens) {
  json.key("tokens").begin_object();
  json.member("input", tokens.input.count)
      .member("cachedInput", tokens.cached_input.count)
      .member("output", tokens.output.count);
  json.end_object();
}

void write_check(JsonWriter& json, const Check& check) {
  json.begin_object()
      .member("id", check.id)
      .member("severity", to_string(check.severity))
      .member("message", check.message);
  json.member("effect", check.effect)
      .member("fix", check.fix)
      .member("subjects", check.subjects)
      .end_object();
}

}  // namespace etiage::render
