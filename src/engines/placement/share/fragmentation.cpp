#include "engines/placement/share/fragmentation.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

namespace etiage::placement {

std::vector<TypicalPod> typical_pods(const ShareCluster& cluster) {
  using Request = std::tuple<std::int64_t, std::int32_t, std::int32_t, std::string>;
  std::map<Request, std::pair<double, const PodClass*>> counts;
  for (const auto c : cluster.class_of) {
    const PodClass& p = cluster.classes[c];
    auto& entry = counts[{p.cpu_milli, p.gpu_milli, p.gpus, p.models}];
    entry.first += 1;
    entry.second = &p;
  }
  std::vector<std::tuple<double, Request, const PodClass*>> order;
  for (const auto& [request, entry] : counts) order.emplace_back(entry.first, request, entry.second);
  std::ranges::sort(order, std::greater<>());

  const auto total = static_cast<double>(cluster.class_of.size());
  double covered = 0;
  std::vector<TypicalPod> out;
  for (const auto& [count, request, pod] : order) {
    if (covered >= 95.0 * total / 100.0) break;
    covered += count;
    out.push_back({*pod, count / total});
  }
  if (out.size() < order.size())
    for (TypicalPod& t : out) t.part /= covered / total;
  return out;
}

Fragmentation::Fragmentation(std::vector<TypicalPod> typical)
    : typical_(std::move(typical)), slots_(1 << 12) {
  for (const TypicalPod& t : typical_) {
    cpu_steps_.push_back(t.pod.cpu_milli);
    model_matters_ |= t.pod.accepts != ~std::uint64_t{0};
  }
  std::ranges::sort(cpu_steps_);
  cpu_steps_.erase(std::ranges::unique(cpu_steps_).begin(), cpu_steps_.end());
}

Fragmentation::Key Fragmentation::key_of(const NodeState& node) const {
  const auto d = node.descending();
  Key key;
  for (std::size_t i = 0; i < 6; ++i)
    key.devices_low = key.devices_low << 10 | static_cast<std::uint64_t>(d[i]);
  const auto cpu =
      static_cast<std::uint64_t>(std::ranges::upper_bound(cpu_steps_, node.cpu_free) - cpu_steps_.begin());
  const std::uint64_t model = model_matters_ ? node.model : 0;
  key.devices_high_cpu_model =
      (model << 32 | cpu) << 20 | static_cast<std::uint64_t>(d[6]) << 10 | static_cast<std::uint64_t>(d[7]);
  return key;
}

// The sums are kept apart by the reason and added in the order in which the published simulator adds them:
// scores are floors of them, and where nothing changes the last bit decides between 49 and 50.
double Fragmentation::compute(const NodeState& node) const {
  enum { kLackBoth, kLackGpu, kLackCpu, kCpuOnly, kCpuOnlyLackCpu, kNoAccess, kReasons };
  std::array<double, kReasons> sums{};
  const double free = node.gpu_free();
  for (const TypicalPod& t : typical_) {
    const bool cpu = node.cpu_free >= t.pod.cpu_milli;
    if (t.pod.gpu_milli == 0) {
      sums[cpu ? kCpuOnly : kCpuOnlyLackCpu] += t.part * free;
    } else if (!(t.pod.accepts >> node.model & 1)) {
      sums[kNoAccess] += t.part * free;
    } else {
      int room = 0;
      std::int32_t too_small = 0;
      for (const auto d : node.device_free) d >= t.pod.gpu_milli ? ++room : too_small += d;
      const bool gpu = room >= t.pod.gpus;
      if (gpu && cpu) {
        sums[kLackGpu] += t.part * too_small;
      } else {
        sums[cpu ? kLackGpu : gpu ? kLackCpu : kLackBoth] += t.part * free;
      }
    }
  }
  double out = 0;
  for (const double s : sums) out += s;
  return out;
}

Fragmentation::Slot& Fragmentation::find(const Key& key) {
  std::uint64_t h = (key.devices_low ^ key.devices_high_cpu_model * 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9;
  h ^= h >> 32;
  for (std::size_t i = h & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1))
    if (slots_[i].value < 0 || slots_[i].key == key) return slots_[i];
}

void Fragmentation::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(old.size() * 2, {});
  for (const Slot& s : old)
    if (s.value >= 0) find(s.key) = s;
}

double Fragmentation::of(const NodeState& node) {
  const Key key = key_of(node);
  Slot& slot = find(key);
  if (slot.value >= 0) return slot.value;
  const double value = compute(node);
  slot = {key, value};
  if (++used_ * 2 > slots_.size()) grow();
  return value;
}

double Fragmentation::of(const std::vector<NodeState>& nodes) {
  double sum = 0;
  for (const NodeState& n : nodes) sum += of(n);
  return sum;
}

double Fragmentation::after(const NodeState& node, const PodClass& pod, DeviceSet devices) {
  NodeState next = node;
  place(next, pod, devices);
  return of(next);
}

}  // namespace etiage::placement
