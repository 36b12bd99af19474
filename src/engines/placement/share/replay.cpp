#include "engines/placement/share/replay.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>

#include "base/rng.h"
#include "engines/placement/ranking.h"

namespace etiage::placement {
namespace {

/// A sharing pod that leaves a hole behind scores less.
constexpr int kWasteful = 30;

/// One replay under way.
class Run {
 public:
  Run(const ReplayInput& input, SharePolicy policy)
      : input_(input),
        policy_(policy),
        context_(input.cluster),
        rng_(input.seed),
        gpus_(static_cast<double>(input.cluster.total_gpus())) {
    result_.nodes = input.cluster.nodes;
    for (const NodeState& n : result_.nodes) fragmented_.push_back(context_.fragmentation.of(n));
    now_.fragmented_milli = std::accumulate(fragmented_.begin(), fragmented_.end(), 0.0);
  }

  ReplayResult go() {
    ScoreRanking ranking(input_.ties, input_.cluster.classes.size(), kMaxScore, [this](auto c, auto n) {
      const NodeState& node = result_.nodes[n];
      const PodClass& pod = input_.cluster.classes[c];
      return fits(node, pod) ? score(policy_, node, pod, context_) : -1;
    });
    if (input_.look_ahead <= 1) {
      for (const std::uint32_t pod : input_.arrivals) arrive(pod, ranking);
    } else {
      const std::vector<std::uint32_t> later = ahead(ranking);
      result_.put_off = static_cast<std::uint32_t>(later.size());
      for (const std::uint32_t pod : later) arrive(pod, ranking);
    }
    return std::move(result_);
  }

 private:
  void arrive(std::uint32_t pod, ScoreRanking& ranking) {
    const std::uint32_t c = input_.cluster.class_of[pod];
    const auto node = policy_ == SharePolicy::kRandom ? any_node(c) : ranking.best(c);
    if (!node) return fail(pod);
    now_.arrived_milli += input_.cluster.classes[c].total_gpu_milli();
    put(pod, *node);
    ranking.changed(*node);
    result_.events.push_back(now_);
  }

  void fail(std::uint32_t pod) {
    now_.arrived_milli += input_.cluster.classes[input_.cluster.class_of[pod]].total_gpu_milli();
    ++result_.failed;
    result_.events.push_back(now_);
  }

  /// Which pod of those pending is worth the most: pods of several devices get rare, among the others the one
  /// that wastes least; CPU-only ones come with those that are put off. To be asked of what fits.
  int worth(std::uint32_t c, ScoreRanking& ranking) {
    constexpr int kEachDevice = 50;
    ranking.best(c);
    const PodClass& pod = input_.cluster.classes[c];
    if (pod.gpus == 0) return kWasteful - 1;
    return ranking.best_score(c) + (pod.gpus > 1 ? kEachDevice * pod.gpus : 0);
  }

  /// Pending pods by class: positions among the arrivals.
  struct Window {
    std::map<std::uint32_t, std::deque<std::uint32_t>> pods;
    std::size_t next = 0, held = 0;
  };

  void refill(Window& window) const {
    for (; window.held < input_.look_ahead && window.next < input_.arrivals.size(); ++window.next)
      window.pods[input_.cluster.class_of[input_.arrivals[window.next]]].push_back(
          static_cast<std::uint32_t>(window.next)),
          ++window.held;
  }

  /// Nothing leaves, so what fits nowhere never will: it makes room for others to be seen.
  bool drop_hopeless(Window& window, ScoreRanking& ranking) {
    const std::size_t before = window.held;
    std::erase_if(window.pods, [&](const auto& kind) {
      if (ranking.best(kind.first)) return false;
      for (const std::uint32_t p : kind.second) fail(input_.arrivals[p]);
      window.held -= kind.second.size();
      return true;
    });
    return window.held < before;
  }

  bool may_put_off() const {
    return input_.defer &&
           static_cast<double>(now_.used_milli) >= input_.defer_above / 100 * kWholeDevice * gpus_;
  }

  /// Places pods out of the window until the arrivals are used up; returns those put off, in their order.
  std::vector<std::uint32_t> ahead(ScoreRanking& ranking) {
    Window window;
    std::vector<std::uint32_t> later;
    for (;;) {
      do refill(window);
      while (drop_hopeless(window, ranking));
      if (window.held == 0) return later;
      auto best = window.pods.end();
      int most = -1;
      for (auto it = window.pods.begin(); it != window.pods.end(); ++it) {
        const int w = worth(it->first, ranking);
        if (w > most || (w == most && it->second.front() < best->second.front())) most = w, best = it;
      }
      if (most < kWasteful && may_put_off()) {
        put_off(window, later);
        continue;
      }
      arrive(input_.arrivals[best->second.front()], ranking);
      best->second.pop_front();
      --window.held;
      if (best->second.empty()) window.pods.erase(best);
    }
  }

  void put_off(Window& window, std::vector<std::uint32_t>& later) const {
    std::vector<std::uint32_t> positions;
    for (const auto& [c, waiting] : window.pods)
      positions.insert(positions.end(), waiting.begin(), waiting.end());
    std::ranges::sort(positions);
    for (const std::uint32_t p : positions) later.push_back(input_.arrivals[p]);
    window.pods.clear();
    window.held = 0;
  }

  std::optional<std::uint32_t> any_node(std::uint32_t c) {
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t n = 0; n < result_.nodes.size(); ++n)
      if (fits(result_.nodes[n], input_.cluster.classes[c])) candidates.push_back(n);
    if (candidates.empty()) return {};
    return candidates[rng_.below(candidates.size())];
  }

  DeviceSet any_device(const NodeState& node, const PodClass& pod) {
    std::vector<int> candidates;
    for (int i = 0; i < node.gpus; ++i)
      if (node.device_free[static_cast<std::size_t>(i)] >= pod.gpu_milli) candidates.push_back(i);
    return static_cast<DeviceSet>(1u << candidates[rng_.below(candidates.size())]);
  }

  void put(std::uint32_t pod, std::uint32_t n) {
    NodeState& node = result_.nodes[n];
    const PodClass& p = input_.cluster.classes[input_.cluster.class_of[pod]];
    const DeviceSet devices = policy_ == SharePolicy::kRandom && p.shares()
                                  ? any_device(node, p)
                                  : choose_devices(policy_, node, p, context_);
    place(node, p, devices);
    result_.placed.push_back({pod, n, devices});
    now_.used_milli += p.total_gpu_milli();
    const double f = context_.fragmentation.of(node);
    now_.fragmented_milli += f - fragmented_[n];
    fragmented_[n] = f;
  }

  const ReplayInput& input_;
  SharePolicy policy_;
  PolicyContext context_;
  Rng rng_;
  double gpus_;
  ReplayResult result_;
  ReplayEvent now_;
  std::vector<double> fragmented_;  ///< by node
};

/// numpy's sum of up to 128 numbers: eight partial sums, joined pairwise; longer runs are halved first.
double numpy_sum(const double* v, std::size_t n) {
  if (n < 8) return std::accumulate(v, v + n, 0.0);
  if (n > 128) {
    const std::size_t half = n / 2 - (n / 2) % 8;
    return numpy_sum(v, half) + numpy_sum(v + half, n - half);
  }
  std::array<double, 8> r;
  std::copy_n(v, 8, r.begin());
  std::size_t i = 8;
  for (; i + 8 <= n; i += 8)
    for (std::size_t k = 0; k < 8; ++k) r[k] += v[i + k];
  double sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  for (; i < n; ++i) sum += v[i];
  return sum;
}

/// numpy's round: scale, nearest even, scale back.
double numpy_round(double v) {
  return std::nearbyint(v * 100) / 100;
}

/// Python's round, and what a text with two decimals reads back as: the decimal nearest to the exact value.
double two_decimals(double v) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, v, std::chars_format::fixed, 2).ptr;
  double out = 0;
  std::from_chars(text, end, out);
  return out;
}

struct Bucket {
  std::vector<double> allocation, fragmented;
  void append(const Bucket& other) {
    allocation.insert(allocation.end(), other.allocation.begin(), other.allocation.end());
    fragmented.insert(fragmented.end(), other.fragmented.begin(), other.fragmented.end());
  }
};

}  // namespace

ReplayResult replay(const ReplayInput& input, SharePolicy policy) {
  return Run(input, policy).go();
}

double ReplayResult::occupancy(std::int64_t total_gpus) const {
  double sum = 0;
  for (const ReplayEvent& e : events) sum += static_cast<double>(e.used_milli);
  const double available =
      static_cast<double>(total_gpus * kWholeDevice) * static_cast<double>(events.size());
  return available > 0 ? sum / available : 0;
}

std::int64_t gpus_touched(const std::vector<NodeState>& nodes) {
  std::int64_t sum = 0;
  for (const NodeState& n : nodes)
    if (n.whole_free() < n.gpus || n.cpu_free < n.cpu_total) sum += n.gpus;
  return sum;
}

LoadCurve load_curve(const ReplayResult& result, std::int64_t total_gpus, int first, int last) {
  const auto total = static_cast<double>(total_gpus);
  std::vector<Bucket> buckets(static_cast<std::size_t>(last - first + 3));  // one load beyond either end
  for (const ReplayEvent& e : result.events) {
    const double load = std::nearbyint(static_cast<double>(e.arrived_milli) / total / 10) - first + 1;
    if (load < 0 || load >= static_cast<double>(buckets.size())) continue;
    Bucket& b = buckets[static_cast<std::size_t>(load)];
    b.allocation.push_back(two_decimals(static_cast<double>(e.used_milli) / total / 10));
    b.fragmented.push_back(two_decimals(e.fragmented_milli));
  }
  LoadCurve out;
  for (std::size_t i = 1; i + 1 < buckets.size(); ++i) {
    Bucket b = buckets[i];
    if (b.allocation.empty()) b.append(buckets[i - 1]), b.append(buckets[i + 1]);
    const auto n = b.allocation.size();
    const auto mean = [n](const std::vector<double>& v) {
      return numpy_sum(v.data(), n) / static_cast<double>(n);
    };
    out.allocation_percent.push_back(n ? std::optional(numpy_round(mean(b.allocation))) : std::nullopt);
    out.fragmentation_percent.push_back(
        n ? std::optional(numpy_round(100 * mean(b.fragmented) / 1000 / total)) : std::nullopt);
  }
  return out;
}

}  // namespace etiage::placement
