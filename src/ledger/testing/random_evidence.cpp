#include "ledger/testing/random_evidence.h"

#include <algorithm>

#include "base/rng.h"
#include "ledger/booking.h"

namespace etiage::ledger::testing {
namespace {

constexpr Instant kStart = Instant::unix_seconds(1'790'812'800);

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : rng_(seed) {}

  RandomWorld make() {
    Evidence& e = world_.evidence;
    e.window = {kStart + Duration::seconds(at_most(5400)), kStart + Duration::seconds(7200 + at_most(14400))};
    for (int i = 0; i < 3; ++i) e.models.push_back({"model-" + std::to_string(i), true});
    make_prices();
    cuts_ = price_changes(world_.prices, e.window);
    const auto nodes = 1 + at_most(4);
    for (int i = 0; i < nodes; ++i) make_node();
    return std::move(world_);
  }

 private:
  int at_most(int n) { return static_cast<int>(rng_.below(static_cast<std::uint64_t>(n) + 1)); }
  bool once_in(int n) { return rng_.below(static_cast<std::uint64_t>(n)) == 0; }

  void make_prices() {
    for (int type = 0; type < 4; ++type) {
      if (once_in(6)) continue;  // unpriced
      PriceRow row{PriceKey::kInstanceType,
                   "type-" + std::to_string(type),
                   {static_cast<std::int64_t>(rng_.below(40'000'000'000'000))}};
      if (once_in(2)) {
        const Instant change = kStart + Duration::seconds(at_most(20000));
        PriceRow later = row;
        later.hourly = {static_cast<std::int64_t>(rng_.below(9'000'000))};  // a few millionths
        row.valid.end = later.valid.start = change;
        world_.prices.rows.push_back(later);
      }
      world_.prices.rows.push_back(row);
    }
  }

  void make_node() {
    Evidence& e = world_.evidence;
    NodeLife node{.name = "n" + std::to_string(e.nodes.size()),
                  .instance_type = "type-" + std::to_string(at_most(3)),
                  .card = once_in(4) ? "" : "H100"};
    node.cards = node.card.empty() ? 0 : 1 + at_most(7);
    node.replicas = once_in(3) ? 1 + at_most(4) : 1;
    node.life = overlap({kStart + Duration::seconds(at_most(9000)), e.window.end}, e.window);
    if (node.life.empty()) node.life = {e.window.end, e.window.end};
    node.cores = 1 + at_most(63);
    node.memory = Bytes::gib(1 + at_most(255));
    node.cordoned = once_in(8);
    if (node.cards > 0 && once_in(4)) node.rests.push_back({0.25, 0.0625});
    const NodeId id{static_cast<std::uint32_t>(e.nodes.size())};
    e.nodes.push_back(node);
    double left = node.cards - (node.rests.empty() ? 0 : 0.3125);
    const int pods = at_most(6);
    const std::size_t first = e.pods.size();
    for (int i = 0; i < pods; ++i) make_pod(id, left);
    make_resources(id, first);
  }

  Window span_within(Window w) {
    const auto length = static_cast<int>(w.length().as_seconds());
    const int a = at_most(length), b = at_most(length);
    return {w.start + Duration::seconds(std::min(a, b)), w.start + Duration::seconds(std::max(a, b))};
  }

  void make_pod(NodeId id, double& left) {
    Evidence& e = world_.evidence;
    const NodeLife node = e.nodes[id.index()];
    PodLife pod{.ns = "ns" + std::to_string(at_most(2)),
                .name = "pod-" + std::to_string(e.pods.size()),
                .node = id,
                .life = span_within(node.life)};
    pod.workload = "w" + std::to_string(at_most(3));
    pod.team = once_in(2) ? "red" : "";
    if (once_in(2)) pod.model = ModelId{static_cast<std::uint32_t>(at_most(2))};
    pod.cores = at_most(8);
    pod.memory = Bytes::gib(at_most(16));
    if (once_in(3)) pod.starting.push_back(span_within(pod.life));
    const PodId pod_id{static_cast<std::uint32_t>(e.pods.size())};
    e.pods.push_back(pod);
    const double share = 1.0 / node.replicas;
    if (node.cards > 0 && left >= share && !once_in(4)) {
      left -= share;
      make_holding(pod_id, share);
    }
    make_tokens(pod_id);
  }

  void make_holding(PodId pod, double share) {
    Evidence& e = world_.evidence;
    const DeviceId device{static_cast<std::uint32_t>(e.devices.size())};
    e.devices.push_back({e.pods[pod.index()].node, "GPU-" + std::to_string(device.value)});
    const HoldingId id{static_cast<std::uint32_t>(e.holdings.size())};
    e.holdings.push_back({pod, e.pods[pod.index()].node, device, share, e.pods[pod.index()].life});
    e.pods[pod.index()].devices = {"nvidia.com/gpu", "", 1};
    for (Window span : cell_spans(e.pods[pod.index()].life, cuts_)) {
      double free = span.length().as_seconds();
      for (const Window& w : e.pods[pod.index()].starting) free -= overlap(w, span).length().as_seconds();
      for (const auto signal : {BusySignal::kSmActive, BusySignal::kGpuUtil}) {
        const double measured = free * rng_.uniform() * 0.5;
        if (!once_in(4))
          e.work.push_back({id, span, signal, grade_of(signal), measured, measured * rng_.uniform()});
      }
    }
  }

  void make_resources(NodeId id, std::size_t first) {
    Evidence& e = world_.evidence;
    for (Window span : cell_spans(e.nodes[id.index()].life, cuts_)) {
      double left = span.length().as_seconds();
      for (std::size_t i = first; i < e.pods.size(); ++i) {
        const double cpu = left * rng_.uniform() * 0.4;
        left -= cpu;
        e.resources.push_back({{static_cast<std::uint32_t>(i)}, id, span, cpu, cpu * rng_.uniform()});
      }
    }
  }

  void make_tokens(PodId pod) {
    Evidence& e = world_.evidence;
    if (!e.pods[pod.index()].model.valid()) return;
    for (int m = 0; m < 1 + at_most(1); ++m)
      e.served.push_back({pod,
                          {static_cast<std::uint32_t>(at_most(2))},
                          e.pods[pod.index()].life,
                          {1e6 * rng_.uniform()},
                          {},
                          {1e5 * rng_.uniform()},
                          rng_.uniform(),
                          rng_.uniform()});
  }

  Rng rng_;
  RandomWorld world_;
  std::vector<Instant> cuts_;
};

}  // namespace

RandomWorld random_world(std::uint64_t seed) {
  return Maker(seed).make();
}

}  // namespace etiage::ledger::testing
