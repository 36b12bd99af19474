#include "ledger/free_shares.h"

#include <algorithm>
#include <map>

namespace etiage::ledger {
namespace {

// Sums of requests are exact in milli-cores; doubles of them are not.
constexpr double kNothing = 1e-9;

bool blocks(const Taint& taint) {
  return taint.effect != TaintEffect::kPreferNoSchedule;
}

bool tolerates(const Toleration& t, const Taint& taint) {
  if (t.effect && *t.effect != taint.effect) return false;
  if (t.op == "Exists") return t.key.empty() || t.key == taint.key;
  return t.key == taint.key && t.value == taint.value;
}

bool tolerates_all(const PodLife& pod, const NodeLife& node) {
  return std::ranges::all_of(node.taints, [&](const Taint& taint) {
    return !blocks(taint) ||
           std::ranges::any_of(pod.tolerations, [&](const Toleration& t) { return tolerates(t, taint); });
  });
}

/// What asks for devices, reduced to what decides whether it could come here.
struct Shape {
  double cores;
  std::int64_t memory;
};

/// Who could use free shares of a node.
class Suitors {
 public:
  Suitors(const Evidence& evidence, NodeId id) {
    const NodeLife& node = evidence.nodes[id.index()];
    closed_ = node.cordoned || !node.healthy;
    unknown_ = node.cores <= 0 && node.memory.count <= 0;
    // The card's smallest profile asks for some CPU and memory only, and tolerates its own resource's taint.
    smallest_ = std::ranges::all_of(
        node.taints, [](const Taint& t) { return !blocks(t) || t.key.starts_with("nvidia.com/"); });
    if (closed_ || smallest_) return;
    for (const PodLife& pod : evidence.pods)
      if (pod.devices.count > 0 && wanted_in(pod, evidence.window) &&
          (pod.node == id || tolerates_all(pod, node)))
        shapes_.push_back({pod.cores, pod.memory.count});
  }

  bool any(double free_cores, std::int64_t free_memory) const {
    if (closed_) return false;
    if (unknown_) return smallest_;  // nobody told what the node has: that is not nothing
    if (free_cores <= kNothing || free_memory <= 0) return false;
    if (smallest_) return true;
    return std::ranges::any_of(
        shapes_, [&](const Shape& s) { return s.cores <= free_cores + kNothing && s.memory <= free_memory; });
  }

 private:
  static bool wanted_in(const PodLife& pod, Window window) {
    return pod.life.start < window.end && window.start < pod.life.end;
  }

  bool closed_ = false, smallest_ = true, unknown_ = false;
  std::vector<Shape> shapes_;
};

struct State {
  double held = 0, cores = 0;
  std::int64_t memory = 0;
};

/// What changes at each moment, inside the node's life.
std::map<Instant, State> changes(const Evidence& evidence, const NodeLife& node, const Tenants& tenants) {
  std::map<Instant, State> out{{node.life.start, {}}, {node.life.end, {}}};
  for (HoldingId id : tenants.holdings) {
    const Holding& h = evidence.holdings[id.index()];
    const Window w = overlap(h.time, node.life);
    if (w.empty()) continue;
    out[w.start].held += h.share;
    out[w.end].held -= h.share;
  }
  for (PodId id : tenants.pods) {
    const PodLife& pod = evidence.pods[id.index()];
    const Window w = overlap(pod.life, node.life);
    if (w.empty()) continue;
    State& come = out[w.start];
    come.cores += pod.cores, come.memory += pod.memory.count;
    State& go = out[w.end];
    go.cores -= pod.cores, go.memory -= pod.memory.count;
  }
  return out;
}

}  // namespace

std::vector<FreeShare> free_shares(const Evidence& evidence, NodeId id, const Tenants& tenants) {
  const NodeLife& node = evidence.nodes[id.index()];
  std::vector<FreeShare> out;
  if (node.cards == 0 || node.life.empty()) return out;
  CardRest rest;
  for (const CardRest& r : node.rests) rest.coverable += r.coverable, rest.stranded += r.stranded;
  const Suitors suitors(evidence, id);
  const auto steps = changes(evidence, node, tenants);
  State now;
  for (auto it = steps.begin(); std::next(it) != steps.end(); ++it) {
    now.held += it->second.held, now.cores += it->second.cores, now.memory += it->second.memory;
    double free = std::max(0.0, node.cards - now.held - rest.coverable - rest.stranded);
    if (free < kNothing) free = 0;
    const double ill = std::min<double>(free, node.unhealthy_cards);
    const bool useful = suitors.any(node.cores - now.cores, node.memory.count - now.memory);
    const Window span{it->first, std::next(it)->first};
    out.push_back({span, rest.coverable + (useful ? free - ill : 0), rest.stranded + (useful ? ill : free)});
  }
  return out;
}

}  // namespace etiage::ledger
