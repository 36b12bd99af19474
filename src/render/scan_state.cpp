#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "render/scan_parts.h"

namespace etiage::render {
namespace {

constexpr std::size_t kShown = 40;

/// By device, who is on it.
std::vector<std::vector<PodId>> holders_of(const Evidence& evidence) {
  std::vector<std::vector<PodId>> out(evidence.devices.size());
  for (const Holding& h : evidence.holdings)
    if (h.device.valid() && ledger::was_there(evidence.pods[h.pod.index()], evidence.window))
      out[h.device.index()].push_back(h.pod);
  return out;
}

std::string names(const Scan& scan, const std::vector<PodId>& pods) {
  std::set<std::string> out;
  for (PodId p : pods) out.insert(name_of(scan, scan.evidence.pods[p.index()]));
  return fmt::format("{}", fmt::join(out, ", "));
}

/// `GPU-c4529c8d`: what tells the cards of a fleet apart; programs get the whole UUID.
Cell device_name(const DeviceLife& d) {
  const std::string_view uuid = d.uuid;
  const std::size_t second = uuid.find('-', uuid.find('-') + 1);
  const std::string instance = d.instance.empty() ? "" : "/" + d.instance;
  Cell out = text(std::string(uuid.substr(0, second)) + instance);
  out.exact = d.uuid + instance;
  return out;
}

Cell gib(std::optional<Bytes> bytes) {
  return bytes ? number(bytes->as_gib(), 1) : none();
}

Table device_table(const Scan& scan) {
  const Evidence& e = scan.evidence;
  Table out{.title = "Devices now" + (e.window.start.ns > 0 ? ", " + to_string(e.window.start) : ""),
            .columns = {{"cluster", "", "", Align::kLeft, several_clusters(e) ? Show::kAlways : Show::kData},
                        {"node"},
                        {"device"},
                        {"card", "", "", Align::kLeft, Show::kIfRoom},
                        {"migProfile", "MIG", "", Align::kLeft, Show::kWide},
                        {"busy", "BUSY", "", Align::kRight},
                        {"busySignal", "BY", "", Align::kLeft, Show::kWide},
                        {"memoryUsedGiB", "MEMORY", "GiB", Align::kRight},
                        {"memoryTotalGiB", "OF", "GiB", Align::kRight, Show::kIfRoom},
                        {"holder"}}};
  const auto holders = holders_of(e);
  std::set<BusySignal> signals;
  for (std::size_t i = 0; i < e.devices.size() && out.rows.size() < kShown; ++i) {
    const DeviceLife& d = e.devices[i];
    const NodeLife& node = e.nodes[d.node.index()];
    if (d.now) signals.insert(d.now->signal);
    const std::string who = names(scan, holders[i]);
    out.rows.push_back(
        {{text(node.cluster), text(node.name), device_name(d),
          text(d.card_model.empty() ? node.card : d.card_model), text(d.profile),
          d.now ? percent(d.now->u) : none("unmeasured"), text(d.now ? to_string(d.now->signal) : ""),
          gib(d.memory.used), gib(d.memory.total), who.empty() ? none("nobody") : text(who)}});
  }
  if (e.devices.size() > kShown)
    out.notes.push_back(fmt::format("{} more: -o json has all of them.", e.devices.size() - kShown));
  if (e.devices.empty()) out.notes.push_back("No device rows: nothing says what the devices do.");
  for (BusySignal s : signals)
    out.notes.push_back(fmt::format("Busy by {}{}.", to_string(s),
                                    grade_of(s) == Grade::kMeasured ? "" : ", an upper bound"));
  return out;
}

Table node_table(const Scan& scan) {
  Table out{.title = "Nodes, by the hour",
            .columns = {{"cluster", "", "", Align::kLeft,
                         several_clusters(scan.evidence) ? Show::kAlways : Show::kData},
                        {"node"},
                        {"card", "", "", Align::kLeft, Show::kIfRoom},
                        {"cards", "CARDS", "", Align::kRight},
                        {"hourly", "HOURLY", scan.ledger.currency, Align::kRight},
                        {"priceSource", "PRICE FROM", "", Align::kLeft, Show::kWide}}};
  HourlyPrice sum;
  for (std::size_t i = 0; i < scan.evidence.nodes.size(); ++i) {
    const NodeLife& node = scan.evidence.nodes[i];
    const auto& account = scan.ledger.nodes[i];
    sum = sum + account.hourly.value_or(HourlyPrice{});
    if (out.rows.size() == kShown) continue;
    out.rows.push_back(
        {{text(node.cluster), text(node.name), text(node.card), count(node.cards),
          account.hourly ? price(*account.hourly) : none("no price"), text(account.price_source)}});
  }
  if (scan.evidence.nodes.size() > kShown)
    out.notes.push_back(
        fmt::format("{} more: -o json has all of them.", scan.evidence.nodes.size() - kShown));
  out.notes.push_back(fmt::format(
      "One sample has no window: the bill is 0. {}{}.", priced_nodes(scan),
      sum.pico > 0 ? fmt::format(", together {} {} an hour", price(sum).shown, scan.ledger.currency) : ""));
  return out;
}

Table workload_table(const Scan& scan) {
  Table out{.title = "Workloads that hold devices",
            .columns = {{"cluster", "", "", Align::kLeft,
                         several_clusters(scan.evidence) ? Show::kAlways : Show::kData},
                        {"namespace"},
                        {"name", "WORKLOAD"},
                        {"kind", "", "", Align::kLeft, Show::kIfRoom},
                        {"team", "", "", Align::kLeft, Show::kIfRoom},
                        {"pods", "PODS", "", Align::kRight},
                        {"cards", "CARDS", "", Align::kRight}}};
  std::vector<double> held(scan.evidence.pods.size());
  for (const Holding& h : scan.evidence.holdings) held[h.pod.index()] += h.share;
  for (const auto& w : scan.workloads) {
    double cards = 0;
    for (PodId p : w.pods) cards += held[p.index()];
    if (cards <= 0) continue;
    out.rows.push_back({{text(w.cluster), text(w.ns), text(w.name), text(w.kind), text(w.team),
                         count(static_cast<std::int64_t>(w.pods.size())), number(cards, 2)}});
  }
  if (out.rows.empty()) out.notes.push_back("No pod is known to hold a device.");
  if (!scan.listed.empty()) out.notes.push_back("Only " + scan.listed + " is listed.");
  return out;
}

}  // namespace

std::vector<Table> state_tables(const Scan& scan) {
  std::vector<Table> out{device_table(scan), node_table(scan), workload_table(scan)};
  if (!scan.models.empty()) out.push_back(model_table(scan));
  out.push_back(quality_table(scan));
  for (Table& next : next_table(scan.next)) out.push_back(std::move(next));
  return out;
}

}  // namespace etiage::render
