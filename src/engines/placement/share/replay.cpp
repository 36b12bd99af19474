#include "engines/placement/share/replay.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/rng.h"
#include "engines/placement/share/ranking.h"

namespace etiage::placement {
namespace {

/// One replay under way.
class Run {
 public:
  Run(const ReplayInput& input, SharePolicy policy)
      : input_(input), policy_(policy), fragmentation_(typical_pods(input.cluster)), rng_(input.seed) {
    result_.nodes = input.cluster.nodes;
    for (const NodeState& n : result_.nodes) fragmented_.push_back(fragmentation_.of(n));
    now_.fragmented_milli = std::accumulate(fragmented_.begin(), fragmented_.end(), 0.0);
  }

  ReplayResult go() {
    ScoreRanking ranking(input_.ties, input_.cluster.classes.size(), kMaxScore, [this](auto c, auto n) {
      const NodeState& node = result_.nodes[n];
      const PodClass& pod = input_.cluster.classes[c];
      return fits(node, pod) ? score(policy_, node, pod, fragmentation_) : -1;
    });
    for (const std::uint32_t pod : input_.arrivals) {
      const std::uint32_t c = input_.cluster.class_of[pod];
      now_.arrived_milli += input_.cluster.classes[c].total_gpu_milli();
      const auto node = policy_ == SharePolicy::kRandom ? any_node(c) : ranking.best(c);
      if (node) {
        put(pod, *node);
        ranking.changed(*node);
      } else {
        ++result_.failed;
      }
      result_.events.push_back(now_);
    }
    return std::move(result_);
  }

 private:
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
                                  : choose_devices(policy_, node, p, fragmentation_);
    place(node, p, devices);
    result_.placed.push_back({pod, n, devices});
    now_.used_milli += p.total_gpu_milli();
    const double f = fragmentation_.of(node);
    now_.fragmented_milli += f - fragmented_[n];
    fragmented_[n] = f;
  }

  const ReplayInput& input_;
  SharePolicy policy_;
  Fragmentation fragmentation_;
  Rng rng_;
  ReplayResult result_;
  ReplayEvent now_;
  std::vector<double> fragmented_;
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
