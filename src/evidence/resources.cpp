// CPU and memory: max(request, use) at each moment, scaled down where the sum passes what there is (RULES.md
// 14).

#include <algorithm>
#include <numeric>

#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

struct Use {
  std::vector<Segments> cpu, memory;  ///< one entry for each container
};

bool of_container(const Series& s) {
  const std::string_view name =
      s.has("exported_container") ? s.label("exported_container") : s.label("container");
  return !name.empty() && name != "POD";  // a pod's own cgroup counts its containers again
}

std::vector<Use> uses(const Draft& draft) {
  std::vector<Use> out(draft.out.pods.size());
  for (const Series& s : draft.sources.series.all()) {
    const bool cpu = s.meaning.role == Role::kCpuSeconds;
    if ((!cpu && s.meaning.role != Role::kMemoryBytes) || !of_container(s)) continue;
    const PodName who = pod_of(s);
    const auto samples = s.samples();
    if (samples.empty()) continue;
    const Window span{Instant::unix_millis(samples.front().ms), Instant::unix_millis(samples.back().ms)};
    const PodId pod = draft.life_within({draft.cluster_of(s.label("cluster")), who.first, who.second}, span);
    if (!pod.valid()) continue;
    const Duration limit = hold_limit(samples);
    if (cpu) {
      out[pod.index()].cpu.push_back(
          rates(growth(samples, limit, draft.out.window.start, draft.pods[pod.index()].begun)));
    } else {
      out[pod.index()].memory.push_back(held(samples, limit));
    }
  }
  return out;
}

/// What one pod wants from a moment on, in fractions of the node.
struct Change {
  Instant at;
  std::uint32_t slot;  ///< of the pod among those of the node
  double want;
};

/// One resource of one node: the pods' wants change at moments; between them each holds want x scale.
class Sweep {
 public:
  Sweep(std::size_t pods, std::vector<Change> changes, std::vector<Instant> ends)
      : want_(pods), since_(pods), held_(pods), changes_(std::move(changes)), ends_(std::move(ends)) {
    std::ranges::stable_sort(changes_, {}, &Change::at);
  }

  /// `emit(interval, seconds by pod)` for each interval between ends.
  template <class F>
  void run(F&& emit) {
    std::size_t next = 0;
    for (std::size_t i = 0; i + 1 < ends_.size(); ++i) {
      std::ranges::fill(since_, ends_[i]);
      std::ranges::fill(held_, 0.0);
      while (next < changes_.size() && changes_[next].at < ends_[i + 1]) {
        const Instant at = std::max(changes_[next].at, ends_[i]);
        const std::size_t from = next;
        while (next < changes_.size() && std::max(changes_[next].at, ends_[i]) == at) ++next;
        apply(from, next, at);
      }
      for (std::size_t p = 0; p < want_.size(); ++p) settle(p, ends_[i + 1]);
      emit(Window{ends_[i], ends_[i + 1]}, held_);
    }
  }

 private:
  void settle(std::size_t pod, Instant at) {
    held_[pod] += want_[pod] * scale_ * (at - since_[pod]).as_seconds();
    since_[pod] = at;
  }
  /// All changes of one moment: the scale is that of their sum.
  void apply(std::size_t from, std::size_t to, Instant at) {
    for (std::size_t i = from; i < to; ++i) settle(changes_[i].slot, at);
    const double before = scale_;
    std::vector<double> old = want_;
    for (std::size_t i = from; i < to; ++i) want_[changes_[i].slot] = changes_[i].want;
    const double total = std::accumulate(want_.begin(), want_.end(), 0.0);
    const double scale = total > 1 ? 1 / total : 1;
    if (scale != before) {
      std::swap(old, want_);
      for (std::size_t p = 0; p < want_.size(); ++p) settle(p, at);
      std::swap(old, want_);
      scale_ = scale;
    }
  }

  std::vector<double> want_;
  std::vector<Instant> since_;
  std::vector<double> held_;
  double scale_ = 1;
  std::vector<Change> changes_;
  std::vector<Instant> ends_;
};

/// The wants of one pod over its life on the node.
void add_changes(std::vector<Change>& out, std::uint32_t slot, Window life, double request,
                 const Segments& use, double whole) {
  if (life.empty() || whole <= 0) return;
  out.push_back({life.start, slot, request / whole});
  inside(use, life, [&](Window w, double v) {
    out.push_back({w.start, slot, std::max(request, v) / whole});
    out.push_back({w.end, slot, request / whole});
  });
  out.push_back({life.end, slot, 0});
}

void add_node(Draft& draft, NodeId id, const std::vector<PodId>& pods, const std::vector<Use>& use) {
  const NodeLife& node = draft.out.nodes[id.index()];
  if (node.life.empty()) return;
  const auto ends = interval_ends(node.life, draft.request.cuts);
  std::vector<Change> cpu, memory;
  for (std::uint32_t slot = 0; slot < pods.size(); ++slot) {
    const PodLife& pod = draft.pod(pods[slot]);
    const Window life = overlap(pod.life, node.life);
    const Use& u = use[pods[slot].index()];
    add_changes(cpu, slot, life, pod.cores, u.cpu.empty() ? Segments{} : sum(u.cpu), node.cores);
    add_changes(memory, slot, life, static_cast<double>(pod.memory.count),
                u.memory.empty() ? Segments{} : sum(u.memory), static_cast<double>(node.memory.count));
  }
  const std::size_t from = draft.out.resources.size();
  Sweep(pods.size(), std::move(cpu), ends).run([&](Window span, const std::vector<double>& seconds) {
    for (std::size_t p = 0; p < pods.size(); ++p)
      draft.out.resources.push_back({pods[p], id, span, seconds[p], 0});
  });
  std::size_t at = from;
  Sweep(pods.size(), std::move(memory), ends).run([&](Window, const std::vector<double>& seconds) {
    for (double s : seconds) draft.out.resources[at++].memory_seconds = s;
  });
  const auto begin = draft.out.resources.begin() + static_cast<std::ptrdiff_t>(from);
  const auto nothing = [](const ResourceHold& r) { return r.cpu_seconds == 0 && r.memory_seconds == 0; };
  draft.out.resources.erase(std::remove_if(begin, draft.out.resources.end(), nothing),
                            draft.out.resources.end());
}

}  // namespace

void add_resources(Draft& draft) {
  const auto use = uses(draft);
  std::vector<std::vector<PodId>> of_node(draft.out.nodes.size());
  for (std::uint32_t i = 0; i < draft.out.pods.size(); ++i)
    if (draft.out.pods[i].node.valid()) of_node[draft.out.pods[i].node.index()].push_back({i});
  for (std::uint32_t n = 0; n < of_node.size(); ++n) add_node(draft, NodeId{n}, of_node[n], use);
}

}  // namespace etiage::evidence
