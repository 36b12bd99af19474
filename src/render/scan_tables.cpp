#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "render/invoice.h"
#include "render/scan.h"

namespace etiage::render {
namespace {

using ledger::Bucket;

Cell maybe_price(std::optional<double> value) {
  return value ? price(*value) : none("n/a");
}

std::string meaning(Bucket b) {
  switch (b) {
    case Bucket::kBusy:
      return "held and working";
    case Bucket::kHeldIdle:
      return "held, not working";
    case Bucket::kUnmeasured:
      return "held, no evidence of work";
    case Bucket::kStarting:
      return "held, not ready yet or draining";
    case Bucket::kUnallocated:
      return "free, and something could use it";
    case Bucket::kStranded:
      return "free, and nothing can use it";
    case Bucket::kCpuMemory:
      return "CPU and memory of pods";
    case Bucket::kCpuMemoryIdle:
      return "CPU and memory that nobody holds";
  }
  return "";
}

Tone tone(Bucket b) {
  if (b == Bucket::kBusy) return Tone::kGood;
  if (b == Bucket::kHeldIdle || b == Bucket::kStranded) return Tone::kBad;
  if (b == Bucket::kCpuMemory || b == Bucket::kCpuMemoryIdle) return Tone::kDim;
  return Tone::kWarning;
}

double part(Money amount, Money whole) {
  return whole.micro > 0 ? static_cast<double>(amount.micro) / static_cast<double>(whole.micro) : 0;
}

std::string period(const Scan& scan) {
  const Window w = scan.evidence.window;
  if (w.empty()) return "one sample: no window";
  return to_string(w.start) + " to " + to_string(w.end) + " (" + to_string(w.length()) + ")";
}

/// How many nodes the bill is of, and where their prices are from.
std::string priced_nodes(const Scan& scan) {
  std::size_t assumed = 0, unpriced = 0;
  for (const auto& n : scan.ledger.nodes) {
    unpriced += n.hourly ? 0 : 1;
    assumed += n.hourly && n.price_grade == Grade::kAssumed ? 1 : 0;
  }
  std::string out =
      std::to_string(scan.ledger.nodes.size()) + (scan.ledger.nodes.size() == 1 ? " node" : " nodes");
  if (assumed > 0) out += ", " + std::to_string(assumed) + " at catalogue prices";
  if (unpriced > 0) out += ", " + std::to_string(unpriced) + " without a price";
  return out;
}

Table bill_table(const Scan& scan) {
  Table out{.title = "Bill, " + period(scan),
            .columns = {{"bucket", "WHERE IT WENT"},
                        {"cost", "COST", scan.ledger.currency, Align::kRight},
                        {"part", "PART", "", Align::kRight},
                        {"bar", "", "", Align::kLeft, Show::kIfRoom},
                        {"meaning", "WHAT IT IS", "", Align::kLeft, Show::kIfRoom}}};
  for (std::size_t i = 0; i < ledger::kBucketCount; ++i) {
    const auto b = static_cast<Bucket>(i);
    const double ratio = part(scan.ledger.buckets[b], scan.ledger.bill);
    out.rows.push_back({{text(to_string(b), tone(b)), money(scan.ledger.buckets[b]), percent(ratio),
                         toned(bar(ratio), tone(b)), text(meaning(b), Tone::kDim)}});
  }
  out.rows.push_back(
      {{text("bill", Tone::kStrong), money(scan.ledger.bill), percent(scan.ledger.bill.micro > 0 ? 1 : 0),
        text(""), text(priced_nodes(scan), Tone::kDim)},
       true});
  if (scan.evidence.window.empty()) {
    HourlyPrice sum;
    for (const auto& n : scan.ledger.nodes) sum = sum + n.hourly.value_or(HourlyPrice{});
    out.notes.push_back("One sample: no window, so the bill is 0. These nodes cost " + to_string(sum) + " " +
                        scan.ledger.currency + " an hour.");
  }
  return out;
}

Table model_table(const Scan& scan) {
  const std::string unit = scan.ledger.currency + "/M";
  Table out{.title = "Cost of a million tokens, by model",
            .columns = {{"model"},
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
  for (const auto& m : rows) {
    const auto p = m.unit.per_million(scan.cached_weight);
    const auto tax = m.unit.idle_tax(), coverage = m.unit.coverage();
    out.rows.push_back({{text(scan.evidence.models[m.model.index()].name), text(m.ns), money(m.unit.cost),
                         number(m.unit.gpu_hours, 1),
                         m.unit.tokens.all() > 0 ? short_count(m.unit.tokens.all()) : none("none"),
                         maybe_price(p.full), maybe_price(p.usage), maybe_price(p.saturated),
                         maybe_price(p.input), maybe_price(p.output), tax ? number(*tax, 2) : none("n/a"),
                         coverage ? percent(*coverage) : none("n/a"), text(to_string(m.unit.grade))}});
    if (m.unit.images > 0)
      out.notes.push_back(fmt::format("{}: {} images, {:.6f} {} each.",
                                      scan.evidence.models[m.model.index()].name, std::llround(m.unit.images),
                                      m.unit.cost.units() / m.unit.images, scan.ledger.currency));
  }
  if (rows.empty())
    out.notes.push_back("No model: no engine counters, and no pod that holds devices declares one.");
  else
    out.notes.push_back(
        "full: all money over all tokens; usage: busy money only; saturated: a replica at its busiest while "
        "requests waited.");
  return out;
}

Table workload_table(const Scan& scan) {
  Table out{.title = "Workloads",
            .columns = {{"namespace"},
                        {"name", "WORKLOAD"},
                        {"kind", "", "", Align::kLeft, Show::kWide},
                        {"team", "", "", Align::kLeft, Show::kIfRoom},
                        {"pods", "PODS", "", Align::kRight, Show::kWide},
                        {"gpuHours", "GPU-H", "", Align::kRight},
                        {"cost", "COST", scan.ledger.currency, Align::kRight},
                        {"busy", "BUSY", scan.ledger.currency, Align::kRight, Show::kIfRoom},
                        {"heldIdle", "IDLE", scan.ledger.currency, Align::kRight, Show::kIfRoom},
                        {"unmeasured", "UNMEASURED", scan.ledger.currency, Align::kRight, Show::kWide},
                        {"starting", "STARTING", scan.ledger.currency, Align::kRight, Show::kWide}}};
  auto rows = scan.workloads;
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const auto& w) { return w.buckets.total(); });
  constexpr std::size_t kShown = 15;
  for (const auto& w : rows) {
    if (out.rows.size() == kShown) break;
    out.rows.push_back(
        {{text(w.ns), text(w.name), text(w.kind), text(w.team),
          count(static_cast<std::int64_t>(w.pods.size())), number(w.gpu_hours, 1), money(w.buckets.total()),
          money(w.buckets[Bucket::kBusy]), money(w.buckets[Bucket::kHeldIdle]),
          money(w.buckets[Bucket::kUnmeasured]), money(w.buckets[Bucket::kStarting])}});
  }
  if (rows.size() > kShown)
    out.notes.push_back(std::to_string(rows.size() - kShown) + " more: etiage cost --by workload.");
  return out;
}

Table node_table(const Scan& scan) {
  Table out{.title = "Nodes",
            .columns = {{"node"},
                        {"card", "", "", Align::kLeft, Show::kIfRoom},
                        {"cards", "CARDS", "", Align::kRight},
                        {"hours", "HOURS", "", Align::kRight},
                        {"hourly", "HOURLY", scan.ledger.currency, Align::kRight},
                        {"bill", "BILL", scan.ledger.currency, Align::kRight},
                        {"busy", "BUSY", "", Align::kRight, Show::kIfRoom},
                        {"priceSource", "PRICE FROM", "", Align::kLeft, Show::kWide}}};
  constexpr std::size_t kShown = 20;
  for (std::size_t i = 0; i < scan.evidence.nodes.size() && out.rows.size() < kShown; ++i) {
    const NodeLife& node = scan.evidence.nodes[i];
    const auto& account = scan.ledger.nodes[i];
    out.rows.push_back({{text(node.name), text(node.card), count(node.cards), hours(account.time),
                         account.hourly ? price(*account.hourly) : none("no price"), money(account.bill),
                         node.cards > 0 && account.bill.micro > 0
                             ? percent(part(account.buckets[Bucket::kBusy], account.bill))
                             : none(),
                         text(account.price_source)}});
  }
  if (scan.evidence.nodes.size() > kShown)
    out.notes.push_back(std::to_string(scan.evidence.nodes.size() - kShown) +
                        " more: etiage cost --by node.");
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

}  // namespace

std::vector<Table> scan_tables(const Scan& scan) {
  std::vector<Table> out{bill_table(scan)};
  if (scan.invoice) out.push_back(invoice_table(*scan.invoice, scan.ledger.currency));
  for (auto table : {model_table, workload_table, node_table, quality_table}) out.push_back(table(scan));
  return out;
}

}  // namespace etiage::render
