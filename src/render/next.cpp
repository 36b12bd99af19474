#include "render/next.h"

namespace etiage::render {

std::vector<Table> next_table(const std::vector<NextStep>& steps) {
  if (steps.empty()) return {};
  Table out{.columns = {{"next"}}};
  for (const NextStep& step : steps) {
    out.rows.push_back({{text(step.reason + ":")}});
    out.rows.push_back({{verbatim("  " + step.command)}});
  }
  return {out};
}

void write_next(JsonWriter& json, const std::vector<NextStep>& steps) {
  json.key("next").begin_array();
  for (const NextStep& step : steps)
    json.begin_object().member("reason", step.reason).member("command", step.command).end_object();
  json.end_array();
}

}  // namespace etiage::render
