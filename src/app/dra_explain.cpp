#include "app/dra_explain.h"

#include <map>

#include "base/json_writer.h"
#include "engines/dra/fleet.h"

namespace etiage::app {
namespace {

using Outcome = dra::Attempt::Outcome;

std::string_view outcome_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAllocated:
      return "allocatable";
    case Outcome::kNoFit:
    case Outcome::kUnfitNode:
      return "pending";
    case Outcome::kFault:
      return "error";
  }
  return "";
}

void write_optional(JsonWriter& out, std::string_view name, const std::string& value) {
  if (!value.empty()) out.member(name, value);
}

void write_selector(const dra::SelectorTally& s, JsonWriter& out) {
  out.begin_object();
  out.member("owner", s.owner).member("index", s.index).member("expression", s.expression);
  write_optional(out, "compileError", s.compile_error);
  out.member("matched", s.count.matched).member("failed", s.count.failed).member("errors", s.count.errors);
  out.key("clauses").begin_array();
  for (const dra::ClauseTally& c : s.clauses) {
    out.begin_object();
    out.member("text", c.text)
        .member("matched", c.count.matched)
        .member("failed", c.count.failed)
        .member("errors", c.count.errors);
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

void write_device(const dra::DeviceVerdict& v, const std::string& name, JsonWriter& out) {
  const dra::Rejection& r = v.rejection;
  out.begin_object();
  out.member("device", name);
  write_optional(out, "node", v.node);
  out.member("code", to_string(r.code));
  write_optional(out, "reason", r.reason);
  if (r.selector) out.member("selector", *r.selector);
  if (r.clause) out.member("clause", *r.clause);
  write_optional(out, "clauseText", r.clause_text);
  write_optional(out, "claim", r.claim);
  write_optional(out, "counter", r.counter);
  write_optional(out, "shortBy", r.short_by);
  write_optional(out, "taint", r.taint);
  write_optional(out, "against", r.against);
  out.end_object();
}

std::map<std::string, std::size_t> reasons_of(const dra::RequestExplanation& request) {
  std::map<std::string, std::size_t> out;
  for (const dra::DeviceVerdict& v : request.devices) ++out[std::string(to_string(v.rejection.code))];
  return out;
}

void write_request(const dra::RequestExplanation& r, const ClaimReport& report, JsonWriter& out) {
  out.begin_object();
  out.member("request", r.name.full()).member("deviceClass", r.device_class);
  write_optional(out, "fault", r.fault);
  if (r.wants_all) {
    out.member("allocationMode", "All");
  } else {
    out.member("count", r.count);
  }
  out.member("usable", r.usable);
  out.key("reasons").begin_object();
  for (const auto& [code, count] : reasons_of(r)) out.member(code, count);
  out.end_object();
  out.key("selectors").begin_array();
  for (const dra::SelectorTally& s : r.selectors) write_selector(s, out);
  out.end_array();
  out.key("devices").begin_array();
  for (const dra::DeviceVerdict& v : r.devices) write_device(v, report.device_names[v.device], out);
  out.end_array();
  out.end_object();
}

void write_change(const dra::Change& c, JsonWriter& out) {
  out.begin_object();
  out.member("kind", c.kind).member("what", c.what);
  write_optional(out, "request", c.request);
  write_optional(out, "value", c.value);
  out.member("node", c.node);
  out.end_object();
}

render::Table answer_table(const dra::Explanation& e) {
  render::Table table{e.ns + "/" + e.claim, {{"outcome"}, {"node"}, {"message"}}};
  const auto tone = e.outcome == Outcome::kAllocated ? render::Tone::kGood : render::Tone::kWarning;
  table.rows.push_back(
      {{render::text(outcome_word(e.outcome), tone), render::text(e.node), render::text(e.message)}});
  if (e.allocated)
    table.notes.push_back("The claim is allocated already; this is what it would meet if it were not.");
  return table;
}

/// Reasons stand below their table: they are sentences, and too long for a column.
render::Table reason_table(const dra::RequestExplanation& r, const ClaimReport& report) {
  constexpr std::size_t kReasonsListed = 20;
  const std::string wanted = r.wants_all ? "all" : std::to_string(r.count);
  render::Table table{"Request " + r.name.full() + ": " + wanted + " of class " + r.device_class + ", " +
                          std::to_string(r.usable) + " usable",
                      {{"code"}, {"devices", "", "", render::Align::kRight}, {"example"}}};
  std::map<std::string, std::pair<std::size_t, const dra::DeviceVerdict*>> groups;
  for (const dra::DeviceVerdict& v : r.devices) {
    auto& group = groups[std::string(to_string(v.rejection.code)) + "\n" + v.rejection.reason];
    if (group.first++ == 0) group.second = &v;
  }
  for (const auto& [key, group] : groups) {
    const dra::DeviceVerdict& v = *group.second;
    table.rows.push_back(
        {{render::text(to_string(v.rejection.code)), render::count(static_cast<std::int64_t>(group.first)),
          render::text(report.device_names[v.device])}});
    if (!v.rejection.reason.empty() && table.notes.size() < kReasonsListed)
      table.notes.push_back(std::string(to_string(v.rejection.code)) + ": " + v.rejection.reason);
  }
  if (!r.fault.empty()) table.notes.push_back(r.fault);
  return table;
}

render::Table clause_table(const dra::RequestExplanation& r) {
  render::Table table{"Selectors of request " + r.name.full() + " over the whole fleet",
                      {{"clause"},
                       {"matched", "", "", render::Align::kRight},
                       {"failed", "", "", render::Align::kRight},
                       {"errors", "", "", render::Align::kRight}}};
  const auto n = [](std::size_t value) { return render::count(static_cast<std::int64_t>(value)); };
  for (const dra::SelectorTally& s : r.selectors) {
    const auto add = [&](const std::string& text, const cel::ClauseCount& c) {
      table.rows.push_back({{render::text(text), n(c.matched), n(c.failed), n(c.errors)}});
    };
    if (s.clauses.empty()) add(s.expression, s.count);
    for (const dra::ClauseTally& c : s.clauses) add(c.text, c.count);
  }
  return table;
}

render::Table change_table(const std::vector<dra::Change>& changes) {
  render::Table table{"What would help (tried out)", {{"kind"}, {"node"}}};
  for (const dra::Change& c : changes) {
    table.rows.push_back({{render::text(c.kind), render::text(c.node)}});
    table.notes.push_back(c.kind + ": " + c.what);
  }
  if (changes.empty()) table.notes.push_back("No single change of the claim was found that would help.");
  return table;
}

}  // namespace

Result<ClaimReport> explain_claim(const DraInput& input, const dra::Behaviour& behaviour,
                                  const std::string& claim) {
  auto explanation = dra::explain_claim(input.objects, behaviour, claim);
  if (!explanation) return std::unexpected(std::move(explanation.error()));
  const dra::Fleet fleet(input.objects.dra.slices);
  ClaimReport out{std::move(*explanation), {}};
  for (std::uint32_t d = 0; d < fleet.devices().size(); ++d) out.device_names.push_back(fleet.name_of(d));
  return out;
}

std::string to_json(const ClaimReport& report, const dra::Behaviour& behaviour) {
  const dra::Explanation& e = report.explanation;
  JsonWriter out;
  out.begin_object();
  out.member("namespace", e.ns).member("claim", e.claim).member("allocated", e.allocated);
  out.member("kubernetesVersion", "1." + std::to_string(behaviour.version.minor))
      .member("allocator", to_string(behaviour.variant));
  out.member("outcome", outcome_word(e.outcome)).member("message", e.message);
  write_optional(out, "node", e.node);
  out.key("nodes").begin_array();
  for (const dra::NodeAnswer& n : e.nodes) {
    out.begin_object();
    out.member("node", n.node).member("outcome", outcome_word(n.outcome));
    write_optional(out, "message", n.message);
    out.end_object();
  }
  out.end_array();
  out.key("requests").begin_array();
  for (const dra::RequestExplanation& r : e.requests) write_request(r, report, out);
  out.end_array();
  if (!e.changes.empty()) write_change(e.changes.front(), out.key("smallestChange"));
  out.key("changes").begin_array();
  for (const dra::Change& c : e.changes) write_change(c, out);
  out.end_array();
  out.end_object();
  return out.take() + "\n";
}

std::vector<render::Table> to_tables(const ClaimReport& report) {
  const dra::Explanation& e = report.explanation;
  std::vector<render::Table> out{answer_table(e)};
  for (const dra::RequestExplanation& r : e.requests) {
    out.push_back(reason_table(r, report));
    if (!r.selectors.empty()) out.push_back(clause_table(r));
  }
  if (e.outcome != Outcome::kAllocated) out.push_back(change_table(e.changes));
  return out;
}

}  // namespace etiage::app
