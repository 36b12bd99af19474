// Free shares that nothing can use: what a MIG cut leaves over, and cards cut off by something else.

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/counted.h"
#include "explain/waste/nodes.h"
#include "explain/waste/seekers.h"
#include "explain/waste/subjects.h"

namespace etiage::explain {
namespace {

double rest_of(const NodeLife& node) {
  double out = 0;
  for (const CardRest& r : node.rests) out += r.stranded;
  return out;
}

/// How a node's instances are cut: `2x3g.40gb, 1x1g.10gb`, of all its cards.
std::string layout_of(const Evidence& evidence, NodeId id) {
  std::map<std::string, int> count;
  for (const DeviceLife& d : evidence.devices)
    if (d.node == id && !d.instance.empty()) count[d.profile] += 1;
  std::string out;
  for (const auto& [profile, n] : count) out += fmt::format("{}{} x {}", out.empty() ? "" : ", ", n, profile);
  return out;
}

/// Why nothing can use a free card, and what ends it.
struct Cause {
  std::string words;
  std::vector<std::string> fix;
};

Cause cause_of(const Bill& bill, NodeId id, Window span) {
  const NodeLife& node = bill.evidence.nodes[id.index()];
  if (node.cordoned)
    return {"the node is cordoned",
            {fmt::format("kubectl uncordon {}  # or let it go:", node.name), release_commands(node).front()}};
  if (!node.healthy) return {"the node is not Ready", {fmt::format("kubectl describe node {}", node.name)}};
  if (node.unhealthy_cards > 0)
    return {fmt::format("{} of its cards are declared and not allocatable: the plug-in took them out",
                        node.unhealthy_cards),
            {"nvidia-smi --query-gpu=index,ecc.errors.uncorrected.volatile.total,pcie.link.gen.current "
             "--format=csv  # on the node; then reset or replace the card"}};
  const Occupancy on = occupancy(bill, id, span);
  if (on.cores >= node.cores - 1e-9 || on.memory >= static_cast<double>(node.memory.count))
    return {
        fmt::format("its pods request {:.3g} of {:.3g} cores and {:.3g} of {:.3g} GiB", on.cores, node.cores,
                    on.memory / (1 << 30), static_cast<double>(node.memory.count) / (1 << 30)),
        {fmt::format("kubectl get pods -A --field-selector spec.nodeName={} "
                     "-o custom-columns=NS:.metadata.namespace,POD:.metadata.name,"
                     "CPU:.spec.containers[*].resources.requests.cpu  # ask for fewer cores a card",
                     node.name)}};
  return {"no pod that wants devices tolerates its taints",
          {fmt::format("kubectl describe node {}  # Taints: let GPU pods tolerate them, or take them off",
                       node.name)}};
}

}  // namespace

Findings stranded_mig(const Search& search) {
  Findings out;
  Bill& bill = search.bill;
  for (std::uint32_t n = 0; n < bill.evidence.nodes.size(); ++n) {
    const NodeLife& node = bill.evidence.nodes[n];
    const double rest = rest_of(node);
    if (rest <= 1e-9) continue;
    const auto shares = ledger::free_shares(bill.evidence, {n}, bill.tenants[n]);
    Finding f{.subject = node_subject(bill.evidence, {n}), .owner = owner_of(node)};
    const auto [first, end] = bill.cells_of({n});
    double seconds = 0;
    for (std::uint32_t c = first; c < end; ++c) {
      const Window span = bill.ledger.cells[c].span;
      const auto leaf = bill.nobodys(c, ledger::Bucket::kStranded);
      if (!leaf || bill.unclaimed(*leaf).micro == 0) continue;
      bill.claim(*leaf,
                 portion(bill.leaf(*leaf).amount, rest * span.length().as_seconds(),
                         free_time(shares, span).stranded),
                 f);
      seconds += span.length().as_seconds();
    }
    if (f.claims.empty()) continue;
    f.since = last_stretch(bill, f.claims);
    f.evidence = {{fmt::format("{:.3g} of {} left over beside {}, and no profile fits there", rest,
                               counted(static_cast<std::size_t>(node.cards), "card is", "cards are"),
                               layout_of(bill.evidence, {n})),
                   rest * seconds / 3600, "GPU_I_PROFILE of its DCGM rows"}};
    const std::string demand = demand_of(bill, {n});
    if (!demand.empty())
      f.fix.push_back(fmt::format("etiage mig pack --card {} --demand {}", node.card, demand));
    f.fix.push_back(
        fmt::format("kubectl label node {} nvidia.com/mig.config=CONFIG --overwrite  # the layout "
                    "that mig pack prints, named in the mig-parted ConfigMap",
                    node.name));
    out.push_back(std::move(f));
  }
  return out;
}

Findings stranded_gpus(const Search& search) {
  Findings out;
  Bill& bill = search.bill;
  for (std::uint32_t n = 0; n < bill.evidence.nodes.size(); ++n) {
    const NodeLife& node = bill.evidence.nodes[n];
    if (node.cards == 0 || !knows_what_is_free(bill, {n})) continue;
    Finding f{.subject = node_subject(bill.evidence, {n}), .owner = owner_of(node)};
    const auto [first, end] = bill.cells_of({n});
    const auto shares = ledger::free_shares(bill.evidence, {n}, bill.tenants[n]);
    double seconds = 0, card_seconds = 0;
    Window last;
    for (std::uint32_t c = first; c < end; ++c) {
      const auto leaf = bill.nobodys(c, ledger::Bucket::kStranded);
      if (!leaf || bill.unclaimed(*leaf).micro == 0) continue;
      const Money whole = bill.leaf(*leaf).amount, mine = bill.unclaimed(*leaf);
      last = bill.ledger.cells[c].span;
      card_seconds += free_time(shares, last).stranded * static_cast<double>(mine.micro) /
                      static_cast<double>(whole.micro);
      seconds += last.length().as_seconds();
      bill.claim(*leaf, f);
    }
    if (f.claims.empty() || card_seconds < 60) continue;
    f.since = last_stretch(bill, f.claims);
    const Cause cause = cause_of(bill, {n}, last);
    f.confidence = saw_free_devices(bill, {n}) ? Confidence::kHigh : Confidence::kMedium;
    f.evidence = {free_proof(bill, {n}, card_seconds, seconds), {cause.words, {}, "Node " + node.name}};
    f.fix = cause.fix;
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace etiage::explain
