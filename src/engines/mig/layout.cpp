#include "engines/mig/layout.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace etiage::mig {
namespace {

constexpr std::int64_t kMostInstances = 10'000'000;

unsigned body(const MigProfile& p) {
  return (1U << p.memory) - 1;
}

int compute_used(const MigGeometry& g, const std::vector<Instance>& instances) {
  int used = 0;
  for (const auto& i : instances)
    if (const auto* p = g.find(i.profile)) used += p->compute;
  return used;
}

bool may_have_another(const MigGeometry& g, const std::vector<Instance>& instances, const MigProfile& p) {
  return compute_used(g, instances) + p.compute <= g.compute_slices &&
         std::ranges::count(instances, p.name, &Instance::profile) < p.max_instances;
}

/// Places instances from the first slice to the last, so that no set is found twice.
void place_from(const MigGeometry& g, int slice, std::vector<Instance>& placed,
                std::vector<std::vector<Instance>>& out) {
  if (slice >= g.memory_slices) {
    const bool full =
        std::ranges::all_of(g.profiles, [&](const MigProfile& p) { return free_start(g, placed, p) < 0; });
    if (full) out.push_back(placed);
    return;
  }
  place_from(g, slice + 1, placed, out);
  for (const auto& p : g.profiles) {
    if (std::ranges::find(p.starts, slice) == p.starts.end() || !may_have_another(g, placed, p)) continue;
    placed.push_back({p.name, slice});
    place_from(g, slice + p.memory, placed, out);
    placed.pop_back();
  }
}

}  // namespace

unsigned slices(const MigGeometry& g, const std::vector<Instance>& instances) {
  unsigned used = 0;
  for (const auto& i : instances)
    if (const auto* p = g.find(i.profile)) used |= body(*p) << i.start;
  return used;
}

int free_start(const MigGeometry& g, const std::vector<Instance>& instances, const MigProfile& p) {
  if (!may_have_another(g, instances, p)) return -1;
  const unsigned used = slices(g, instances);
  for (auto start = p.starts.rbegin(); start != p.starts.rend();
       ++start)  // the front stays free for large ones
    if ((used & (body(p) << *start)) == 0) return *start;
  return -1;
}

MigGeometry only_wanted(const MigGeometry& g, const Demand& demand) {
  MigGeometry out{g.compute_slices, g.memory_slices, {}};
  for (const auto& p : g.profiles)
    if (const auto d = demand.find(p.name); d != demand.end() && d->second > 0) out.profiles.push_back(p);
  std::ranges::sort(out.profiles, [](const auto& a, const auto& b) {
    return std::tuple(-a.memory, -a.compute, a.name) < std::tuple(-b.memory, -b.compute, b.name);
  });
  return out;
}

std::vector<std::vector<Instance>> full_cards(const MigGeometry& geometry) {
  std::vector<std::vector<Instance>> out;
  std::vector<Instance> placed;
  place_from(geometry, 0, placed, out);
  return out;
}

std::vector<Layout> counted(const std::vector<std::vector<Instance>>& cards) {
  std::map<std::vector<Instance>, int> counts;
  for (auto card : cards) {
    std::ranges::sort(card, {}, &Instance::start);
    if (!card.empty()) ++counts[card];
  }
  std::vector<Layout> out;
  for (auto& [instances, count] : counts) out.push_back({count, instances});
  std::ranges::stable_sort(out, std::greater{}, &Layout::count);
  return out;
}

void count_rest(const MigGeometry& g, Packing& packing) {
  packing.gpus = 0;
  for (const auto& l : packing.layouts) packing.gpus += l.count;
  if (g.profiles.empty()) return;
  const auto smallest = std::ranges::min(
      g.profiles, {}, [](const MigProfile& p) { return std::tuple(p.memory, p.compute, p.name.size()); });
  for (const auto& layout : packing.layouts) {
    auto filled = layout.instances;
    for (int start = free_start(g, filled, smallest); start >= 0; start = free_start(g, filled, smallest))
      filled.push_back({smallest.name, start}), packing.stranded[smallest.name] += layout.count;
    const int lost = g.memory_slices - std::popcount(slices(g, filled));
    packing.stranded_share += static_cast<double>(layout.count) * lost / g.memory_slices;
  }
}

Result<void> check(const MigGeometry& g, const Demand& demand) {
  std::int64_t total = 0;
  for (const auto& [profile, count] : demand) {
    if (g.find(profile) == nullptr)
      return failure(fmt::format("the card has no MIG profile \"{}\"", profile), {},
                     "see `etiage catalog mig`");
    if (count < 0) return failure(fmt::format("{} instances of {} make no sense", count, profile));
    total += count;
  }
  if (total > kMostInstances)
    return failure(fmt::format("{} instances are more than {}", total, kMostInstances));
  return {};
}

}  // namespace etiage::mig
