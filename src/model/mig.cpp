#include "model/mig.h"

#include <algorithm>
#include <set>

namespace etiage {
namespace {

using Mask = std::uint32_t;  // occupied memory slices

template <class F>
void for_each_place(const MigProfile& profile, Mask used, F&& f) {
  const Mask body = (Mask{1} << profile.memory) - 1;
  for (int start : profile.starts)
    if (const Mask mask = body << start; (mask & used) == 0) f(mask);
}

/// The greatest share that more instances can cover, by occupied memory slices and compute slices left.
class Densest {
 public:
  explicit Densest(const MigGeometry& geometry)
      : geometry_(geometry), known_((std::size_t{1} << geometry.memory_slices) * stride(), -1) {}

  double at(Mask used, int compute) {
    double& known = known_[used * stride() + static_cast<std::size_t>(compute)];
    if (known >= 0) return known;
    double best = 0;
    for (const MigProfile& p : geometry_.profiles)
      if (p.compute <= compute)
        for_each_place(p, used, [&](Mask mask) {
          best = std::max(best, geometry_.share(p) + at(used | mask, compute - p.compute));
        });
    return known_[used * stride() + static_cast<std::size_t>(compute)] = best;
  }

 private:
  std::size_t stride() const { return static_cast<std::size_t>(geometry_.compute_slices) + 1; }

  const MigGeometry& geometry_;
  std::vector<double> known_;
};

}  // namespace

const MigProfile* MigGeometry::find(std::string_view profile) const {
  const auto it = std::ranges::find(profiles, profile, &MigProfile::name);
  return it == profiles.end() ? nullptr : &*it;
}

double MigGeometry::share(const MigProfile& profile) const {
  return static_cast<double>(profile.compute) / (2 * compute_slices) +
         static_cast<double>(profile.memory) / (2 * memory_slices);
}

std::optional<double> MigGeometry::share(std::string_view profile) const {
  const MigProfile* p = find(profile);
  return p ? std::optional(share(*p)) : std::nullopt;
}

std::optional<CardRest> uncreated_rest(const MigGeometry& geometry, std::span<const std::string> layout) {
  std::set<Mask> placements{0};
  int compute = geometry.compute_slices;
  double covered = 0;
  for (const std::string& name : layout) {
    const MigProfile* p = geometry.find(name);
    if (!p) return {};
    std::set<Mask> next;
    for (Mask used : placements) for_each_place(*p, used, [&](Mask mask) { next.insert(used | mask); });
    placements = std::move(next);
    compute -= p->compute;
    covered += geometry.share(*p);
  }
  if (placements.empty() || compute < 0) return {};
  Densest densest(geometry);
  double best = 0;
  for (Mask used : placements) best = std::max(best, densest.at(used, compute));
  return CardRest{best, std::max(0.0, 1 - covered - best)};
}

}  // namespace etiage
