#include "render/scan_parts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "base/counted.h"

namespace etiage::render {
namespace {

Cell maybe_price(std::optional<double> value) {
  return value ? price(*value) : none("n/a");
}

}  // namespace

bool several_clusters(const Evidence& evidence) {
  const auto differs = [&](const auto& x) { return x.cluster != evidence.nodes.front().cluster; };
  return !evidence.nodes.empty() && std::ranges::any_of(evidence.nodes, differs);
}

std::string no_money(const Scan& scan, const ledger::ModelRow& model) {
  if (!model.placed) return "its engine's series name no pod of the data";
  if (scan.evidence.window.empty()) return "one sample has no window";
  return model.unit.cost.micro == 0 ? "its nodes have no price" : "";
}

std::string name_of(const Scan& scan, const PodLife& pod) {
  const std::string name = pod.ns.empty() ? pod.name : pod.ns + "/" + pod.name;
  return several_clusters(scan.evidence) ? pod.cluster + "/" + name : name;
}

std::string priced_nodes(const Scan& scan) {
  std::size_t assumed = 0, unpriced = 0;
  for (const auto& n : scan.ledger.nodes) {
    unpriced += n.hourly ? 0 : 1;
    assumed += n.hourly && n.price_grade == Grade::kAssumed ? 1 : 0;
  }
  std::string out = counted(scan.ledger.nodes.size(), "node");
  if (assumed > 0) out += ", " + std::to_string(assumed) + " at catalogue prices";
  if (unpriced > 0) out += ", " + std::to_string(unpriced) + " without a price";
  return out;
}

Table model_table(const Scan& scan) {
  const std::string unit = scan.ledger.currency + "/M";
  Table out{.title = scan.evidence.window.empty() ? "Tokens since each engine started, by model"
                                                  : "Cost of a million tokens, by model",
            .columns = {{"cluster", "", "", Align::kLeft,
                         several_clusters(scan.evidence) ? Show::kAlways : Show::kData},
                        {"model"},
                        {"namespace", "", "", Align::kLeft, Show::kIfRoom},
                        {"cost", "COST", scan.ledger.currency, Align::kRight},
                        {"gpuHours", "GPU-H", "", Align::kRight, Show::kWide},
                        {"tokens", "TOKENS", "", Align::kRight},
                        {"full", "FULL", unit, Align::kRight},
                        {"usage", "USAGE", unit, Align::kRight, Show::kIfRoom},
                        {"saturated", "SATURATED", unit, Align::kRight, Show::kIfRoom},
                        {"input", "INPUT", unit, Align::kRight, Show::kWide},
                        {"output", "OUTPUT", unit, Align::kRight, Show::kIfRoom},
                        {"idleTax", "IDLE TAX", "", Align::kRight, Show::kWide},
                        {"coverage", "COVERED", "", Align::kRight, Show::kWide},
                        {"grade", "", "", Align::kLeft, Show::kWide}}};
  auto rows = scan.models;
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const auto& m) { return m.unit.cost; });
  std::map<std::string, std::vector<std::string>> without_money;
  for (const auto& m : rows) {
    const auto p = m.unit.per_million(scan.cached_weight);
    const auto tax = m.unit.idle_tax(), coverage = m.unit.coverage();
    const std::string& name = scan.evidence.models[m.model.index()].name;
    const std::string reason = no_money(scan, m);
    if (!reason.empty()) without_money[reason].push_back(name);
    out.rows.push_back({{text(m.cluster), text(name), text(m.ns),
                         reason.empty() ? money(m.unit.cost) : none("n/a"), number(m.unit.gpu_hours, 1),
                         m.unit.tokens.all() > 0 ? short_count(m.unit.tokens.all()) : none("none"),
                         maybe_price(p.full), maybe_price(p.usage), maybe_price(p.saturated),
                         maybe_price(p.input), maybe_price(p.output), tax ? number(*tax, 2) : none("n/a"),
                         coverage ? percent(*coverage) : none("n/a"), text(to_string(m.unit.grade))}});
    if (m.unit.images > 0)
      out.notes.push_back(fmt::format(
          "{}: {} images{}.", name, std::llround(m.unit.images),
          reason.empty()
              ? fmt::format(", {:.6f} {} each", m.unit.cost.units() / m.unit.images, scan.ledger.currency)
              : ""));
  }
  for (const auto& [reason, names] : without_money)
    out.notes.push_back(fmt::format("No cost of {}: {}.", fmt::join(names, ", "), reason));
  if (rows.empty())
    out.notes.push_back("No model: no engine counters, and no pod that holds devices declares one.");
  else if (std::ranges::any_of(rows, [](const auto& m) { return m.unit.cost.micro > 0; }))
    out.notes.push_back(
        "full: all money over all tokens; usage: busy money only; saturated: a replica at its busiest while "
        "requests waited.");
  return out;
}

Table quality_table(const Scan& scan) {
  Table out{.title = "How sure this is: " + std::string(to_string(scan.grade)),
            .columns = {{"severity"},
                        {"message", "WHAT"},
                        {"effect", "", "", Align::kLeft, Show::kWide},
                        {"fix", "", "", Align::kLeft, Show::kWide}}};
  for (const Check& c : scan.checks) {
    const Tone t = c.severity == Severity::kError     ? Tone::kBad
                   : c.severity == Severity::kWarning ? Tone::kWarning
                                                      : Tone::kDim;
    out.rows.push_back({{text(to_string(c.severity), t), text(c.message), text(c.effect), text(c.fix)}});
  }
  if (!scan.checks.empty()) out.notes.push_back("etiage doctor tells the effect of each and how to mend it.");
  return out;
}

}  // namespace etiage::render
