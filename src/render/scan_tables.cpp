#include <algorithm>

#include "render/invoice.h"
#include "render/scan_parts.h"

namespace etiage::render {
namespace {

using ledger::Bucket;

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
  return to_string(w.start) + " to " + to_string(w.end) + " (" + to_string(w.length()) + ")";
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
  if (!scan.listed.empty())
    out.notes.push_back("The bill is the whole cluster's; below, only " + scan.listed +
                        " is listed of models and workloads.");
  return out;
}

Table workload_table(const Scan& scan) {
  Table out{.title = "Workloads",
            .columns = {{"cluster", "", "", Align::kLeft,
                         several_clusters(scan.evidence) ? Show::kAlways : Show::kData},
                        {"namespace"},
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
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const auto& w) { return w.cost(); });
  constexpr std::size_t kShown = 15;
  for (const auto& w : rows) {
    if (out.rows.size() == kShown) break;
    out.rows.push_back(
        {{text(w.cluster), text(w.ns), text(w.name), text(w.kind), text(w.team),
          count(static_cast<std::int64_t>(w.pods.size())), number(w.gpu_hours, 1), money(w.cost()),
          money(w.buckets[Bucket::kBusy]), money(w.buckets[Bucket::kHeldIdle]),
          money(w.buckets[Bucket::kUnmeasured]), money(w.buckets[Bucket::kStarting])}});
  }
  if (rows.size() > kShown)
    out.notes.push_back(std::to_string(rows.size() - kShown) + " more: etiage cost --by workload.");
  return out;
}

/// Part of the bill; of a node whose held cards nobody measured nothing is known.
Cell busy_part(const NodeLife& node, const ledger::NodeAccount& account) {
  const auto& in = account.buckets;
  const bool blind =
      in[Bucket::kUnmeasured].micro > 0 && in[Bucket::kBusy].micro == 0 && in[Bucket::kHeldIdle].micro == 0;
  if (node.cards == 0 || account.bill.micro <= 0 || blind) return none();
  return percent(part(in[Bucket::kBusy], account.bill));
}

Table node_table(const Scan& scan) {
  Table out{.title = "Nodes",
            .columns = {{"cluster", "", "", Align::kLeft,
                         several_clusters(scan.evidence) ? Show::kAlways : Show::kData},
                        {"node"},
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
    out.rows.push_back({{text(node.cluster), text(node.name), text(node.card), count(node.cards),
                         hours(account.time), account.hourly ? price(*account.hourly) : none("no price"),
                         money(account.bill), busy_part(node, account), text(account.price_source)}});
  }
  if (scan.evidence.nodes.size() > kShown)
    out.notes.push_back(std::to_string(scan.evidence.nodes.size() - kShown) +
                        " more: etiage cost --by node.");
  return out;
}

}  // namespace

std::vector<Table> scan_tables(const Scan& scan) {
  if (scan.evidence.window.empty()) return state_tables(scan);
  std::vector<Table> out{bill_table(scan)};
  if (scan.invoice) out.push_back(invoice_table(*scan.invoice, scan.ledger.currency));
  for (auto table : {model_table, workload_table, node_table, quality_table}) out.push_back(table(scan));
  for (Table& next : next_table(scan.next)) out.push_back(std::move(next));
  return out;
}

}  // namespace etiage::render
