#include "formats/bundle/rules.h"

#include <algorithm>
#include <cctype>

#include "base/json_writer.h"
#include "formats/bundle/promql.h"

namespace etiage::formats::bundle {
namespace {

/// Rules that record a metric are named by it, alerts and panels in words.
bool names_metric(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
  });
}

}  // namespace

std::string disguised_rules(std::span<const PromqlUse> uses, const Rename& rename) {
  JsonWriter json;
  json.begin_object().key("groups").begin_array();
  json.begin_object().member("name", "rules").key("rules").begin_array();
  for (const PromqlUse& use : uses) {
    json.begin_object();
    if (names_metric(use.name))
      json.member("record", disguised_promql(use.name, rename));
    else
      json.member("alert", rename(use.name, NameOf::kAnything));
    json.member("expr", disguised_promql(use.expr, rename)).end_object();
  }
  json.end_array().end_object().end_array().end_object();
  return json.take() + "\n";
}

}  // namespace etiage::formats::bundle
