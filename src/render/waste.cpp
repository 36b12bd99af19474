#include "render/waste.h"

#include <fmt/format.h>

#include "render/ledger_json.h"

namespace etiage::render {
namespace {

using explain::Confidence;
using explain::Finding;

void write_subject(JsonWriter& json, const explain::Subject& s) {
  json.key("subject").begin_object().member("kind", s.kind);
  write_text(json, "namespace", s.ns);
  json.member("name", s.name);
  write_text(json, "cluster", s.cluster);
  json.end_object();
}

void write_finding(JsonWriter& json, const Finding& f, std::size_t number) {
  json.begin_object().member("id", fmt::format("waste-{}", number)).member("kind", f.kind);
  write_subject(json, f.subject);
  write_text(json, "owner", f.owner);
  json.member("perWeek", f.per_week).member("amount", f.amount).member("since", f.since);
  json.member("confidence", to_string(f.confidence)).key("evidence").begin_array();
  for (const explain::Proof& p : f.evidence) {
    json.begin_object().member("statement", p.statement);
    write_maybe(json, "value", p.value);
    json.member("source", p.source).end_object();
  }
  json.end_array().member("fix", f.fix).end_object();
}

std::string subject_text(const explain::Subject& s) {
  return (s.ns.empty() ? "" : s.ns + "/") + s.name;
}

Tone tone_of(Confidence c) {
  return c == Confidence::kHigh ? Tone::kStrong : c == Confidence::kMedium ? Tone::kPlain : Tone::kDim;
}

std::string fix_text(const Finding& f) {
  std::string out;
  for (const std::string& line : f.fix) out += (out.empty() ? "" : "\n") + line;
  return out;
}

double part(Money amount, Money whole) {
  return whole.micro > 0 ? static_cast<double>(amount.micro) / static_cast<double>(whole.micro) : 0;
}

std::vector<std::string> notes_of(const WasteReport& report) {
  const auto& w = report.waste;
  if (report.window.empty()) return {"One sample: no window, so no money and nothing to find."};
  if (w.findings.empty())
    return {"Nothing found: what is held works, and what is free is little or unknown."};
  return {
      "No money is counted twice. -o csv and -o json hold the evidence and the fix of each, ready to be "
      "pasted."};
}

}  // namespace

std::string waste_json(const WasteReport& report) {
  JsonWriter json;
  json.begin_object();
  write_window(json, report.window);
  json.member("currency", report.currency)
      .member("bill", report.waste.bill)
      .member("billPerWeek", report.waste.bill_per_week)
      .member("perWeek", report.waste.per_week)
      .key("findings")
      .begin_array();
  for (std::size_t i = 0; i < report.waste.findings.size(); ++i)
    write_finding(json, report.waste.findings[i], i + 1);
  json.end_array().end_object();
  return json.take() + "\n";
}

std::vector<Table> waste_tables(const WasteReport& report) {
  const auto& w = report.waste;
  Table out{.title = fmt::format("{} {} a week bought nothing, {:.0f} % of a bill of {}",
                                 money(w.per_week).shown, report.currency,
                                 100 * part(w.per_week, w.bill_per_week), money(w.bill_per_week).shown),
            .columns = {{"perWeek", "A WEEK", report.currency, Align::kRight},
                        {"kind"},
                        {"subject", "WHO"},
                        {"owner", "OWNER", "", Align::kLeft, Show::kIfRoom},
                        {"since", "SINCE", "", Align::kLeft, Show::kIfRoom},
                        {"confidence", "SURE"},
                        {"evidence", "WHY"},
                        {"subjectKind", "", "", Align::kLeft, Show::kData},
                        {"currency", "", "", Align::kLeft, Show::kData},
                        {"fix", "FIX", "", Align::kLeft, Show::kData}}};

  for (const Finding& f : w.findings)
    out.rows.push_back({{money(f.per_week), text(f.kind), text(subject_text(f.subject)),
                         f.owner.empty() ? none() : text(f.owner), text(to_string(f.since)),
                         text(to_string(f.confidence), tone_of(f.confidence)),
                         text(f.evidence.empty() ? "" : f.evidence.front().statement), text(f.subject.kind),
                         text(report.currency), text(fix_text(f))}});
  out.notes = notes_of(report);
  return {out};
}

}  // namespace etiage::render
