#include "render/doctor.h"

#include <fmt/format.h>

#include "render/ledger_json.h"

namespace etiage::render {
namespace {

/// The first few, and how many more.
std::string some_of(const std::vector<std::string>& subjects) {
  constexpr std::size_t kShown = 4;
  std::string out;
  for (std::size_t i = 0; i < subjects.size() && i < kShown; ++i) out += (i > 0 ? ", " : "") + subjects[i];
  return subjects.size() > kShown ? out + fmt::format(" and {} more", subjects.size() - kShown) : out;
}

std::string title_of(std::optional<Grade> grade) {
  return grade ? "How sure the figures are: " + std::string(to_string(*grade))
               : "What is wrong with the queries";
}

Tone tone_of(Severity severity) {
  return severity == Severity::kError     ? Tone::kBad
         : severity == Severity::kWarning ? Tone::kWarning
                                          : Tone::kDim;
}

/// What to read below the table: of whom, the effect, and each line of the fix.
void add_notes(Table& table, const Check& c) {
  table.notes.push_back("");
  table.notes.push_back(c.id + (c.subjects.empty() ? "" : " (" + some_of(c.subjects) + ")") + ": " +
                        c.message);
  if (!c.effect.empty()) table.notes.push_back("effect: " + c.effect);
  if (c.fix.empty()) return;
  table.notes.push_back("fix:");
  std::string_view fix = c.fix;
  while (!fix.empty()) {
    const auto end = std::min(fix.find('\n'), fix.size());
    table.notes.push_back("  " + std::string(fix.substr(0, end)));
    fix.remove_prefix(std::min(end + 1, fix.size()));
  }
}

}  // namespace

std::string doctor_json(std::optional<Grade> grade, const std::vector<Check>& checks) {
  JsonWriter json;
  json.begin_object();
  write_text(json, "grade", grade ? to_string(*grade) : "");
  json.key("checks").begin_array();
  for (const Check& c : checks) write_check(json, c);
  json.end_array().end_object();
  return json.take() + "\n";
}

std::vector<Table> doctor_tables(std::optional<Grade> grade, const std::vector<Check>& checks) {
  Table out{.title = title_of(grade),
            .columns = {{"severity"},
                        {"id", "CHECK"},
                        {"subjectCount", "OF", "", Align::kRight, Show::kIfRoom},
                        {"message", "WHAT"},
                        {"effect", "EFFECT", "", Align::kLeft, Show::kData},
                        {"fix", "FIX", "", Align::kLeft, Show::kData},
                        {"subjects", "", "", Align::kLeft, Show::kData}}};
  for (const Check& c : checks) {
    out.rows.push_back({{text(to_string(c.severity), tone_of(c.severity)), text(c.id),
                         c.subjects.empty() ? none("") : count(static_cast<std::int64_t>(c.subjects.size())),
                         text(c.message), text(c.effect), text(c.fix),
                         text(fmt::format("{}", fmt::join(c.subjects, "; ")))}});
    add_notes(out, c);
  }
  if (checks.empty())
    out.notes.push_back(grade ? "Nothing to remark: every figure rests on what was measured."
                              : "Nothing to remark.");
  return {out};
}

}  // namespace etiage::render
