#include "render/doctor.h"

#include "render/ledger_json.h"

namespace etiage::render {

std::string doctor_json(Grade grade, const std::vector<Check>& checks) {
  JsonWriter json;
  json.begin_object().member("grade", to_string(grade)).key("checks").begin_array();
  for (const Check& c : checks) write_check(json, c);
  json.end_array().end_object();
  return json.take() + "\n";
}

std::vector<Table> doctor_tables(Grade grade, const std::vector<Check>& checks) {
  Table out{.title = "How sure the figures are: " + std::string(to_string(grade)),
            .columns = {{"severity"},
                        {"id", "CHECK", "", Align::kLeft, Show::kWide},
                        {"message", "WHAT"},
                        {"effect", "EFFECT", "", Align::kLeft, Show::kIfRoom},
                        {"fix", "FIX", "", Align::kLeft, Show::kWide},
                        {"subjects", "OF", "", Align::kRight, Show::kIfRoom}}};
  for (const Check& c : checks) {
    const Tone tone = c.severity == Severity::kError     ? Tone::kBad
                      : c.severity == Severity::kWarning ? Tone::kWarning
                                                         : Tone::kDim;
    out.rows.push_back(
        {{text(to_string(c.severity), tone), text(c.id), text(c.message), text(c.effect), text(c.fix),
          c.subjects.empty() ? none("") : count(static_cast<std::int64_t>(c.subjects.size()))}});
    if (!c.fix.empty()) out.notes.push_back(c.id + ": " + c.fix + ".");
  }
  if (checks.empty()) out.notes.push_back("Nothing to remark: every figure rests on what was measured.");
  return {out};
}

}  // namespace etiage::render
