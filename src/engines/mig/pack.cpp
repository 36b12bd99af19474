#include "engines/mig/pack.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engines/mig/layout.h"
#include "engines/mig/programme.h"

namespace etiage::mig {
namespace {

using Pattern = std::vector<int>;  ///< instances by index of profile

Pattern pattern_of(const MigGeometry& g, const std::vector<Instance>& layout) {
  Pattern counts(g.profiles.size());
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i] = static_cast<int>(std::ranges::count(layout, g.profiles[i].name, &Instance::profile));
  return counts;
}

bool covers(const Pattern& a, const Pattern& b) {
  return std::ranges::equal(a, b, std::greater_equal{});
}

/// Patterns of full cards, none inside another, with one layout of each.
std::vector<std::pair<Pattern, std::vector<Instance>>> maximal(const MigGeometry& geometry) {
  std::map<Pattern, std::vector<Instance>> all;
  for (auto& layout : full_cards(geometry)) all.try_emplace(pattern_of(geometry, layout), layout);
  std::vector<std::pair<Pattern, std::vector<Instance>>> out;
  for (const auto& [pattern, layout] : all) {
    const bool inside = std::ranges::any_of(
        all, [&](const auto& other) { return other.first != pattern && covers(other.first, pattern); });
    if (!inside) out.emplace_back(pattern, layout);
  }
  return out;
}

/// min sum x, sum of pattern[i] x >= demand[i], x whole.
Programme covering(const std::vector<std::pair<Pattern, std::vector<Instance>>>& patterns,
                   const std::vector<int>& demand) {
  Programme out{.columns = std::vector<Programme::Column>(patterns.size(), {.cost = 1}), .rows = {}};
  for (std::size_t i = 0; i < demand.size(); ++i) {
    Programme::Row row{.terms = {}, .least = static_cast<double>(demand[i])};
    for (std::size_t j = 0; j < patterns.size(); ++j)
      if (const int n = patterns[j].first[i]; n > 0) row.terms.emplace_back(static_cast<int>(j), n);
    out.rows.push_back(std::move(row));
  }
  return out;
}

int sum(const std::vector<int>& counts) {
  return std::accumulate(counts.begin(), counts.end(), 0);
}

struct Solved {
  std::vector<int> counts;
  int lower_bound = 0;
};

/// Solved as a relaxation first: rounded down, what is left over is a small demand, so the programme's
/// numbers are small and the proof is quick. Only where rounding down lost the optimum is the whole solved.
Solved solve(const std::vector<std::pair<Pattern, std::vector<Instance>>>& patterns,
             const std::vector<int>& demand) {
  const auto relaxed = solve_relaxed(covering(patterns, demand));
  Solved out{std::vector<int>(patterns.size()), static_cast<int>(std::ceil(relaxed.cost - 1e-6))};
  auto left = demand;
  for (std::size_t j = 0; j < patterns.size(); ++j) {
    out.counts[j] = static_cast<int>(std::floor(relaxed.values[j] + 1e-9));
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= out.counts[j] * patterns[j].first[i];
  }
  for (auto& l : left) l = std::max(l, 0);
  if (const auto rest = solve_whole(covering(patterns, left)))
    for (std::size_t j = 0; j < out.counts.size(); ++j) out.counts[j] += rest->values[j];
  if (sum(out.counts) > out.lower_bound) {
    const auto exact = solve_whole(covering(patterns, demand));
    if (exact && sum(exact->values) < sum(out.counts)) out.counts = exact->values;
    if (exact && exact->proven) out.lower_bound = sum(out.counts);
  }
  return out;
}

/// Layouts as counted, without the instances that nobody asked for.
std::vector<Layout> trimmed(const std::vector<std::pair<Pattern, std::vector<Instance>>>& patterns,
                            const std::vector<int>& counts, Demand left) {
  std::map<std::vector<Instance>, int> merged;
  for (std::size_t j = 0; j < patterns.size(); ++j) {
    const auto& layout = patterns[j].second;
    Demand each;
    for (const auto& i : layout) ++each[i.profile];
    int whole = counts[j];
    for (const auto& [profile, n] : each) whole = std::min(whole, left[profile] / n);
    if (whole > 0) {
      merged[layout] += whole;
      for (const auto& [profile, n] : each) left[profile] -= whole * n;
    }
    for (int k = whole; k < counts[j]; ++k) {
      std::vector<Instance> some;
      for (const auto& i : layout)
        if (left[i.profile] > 0) --left[i.profile], some.push_back(i);
      if (!some.empty()) ++merged[some];
    }
  }
  std::vector<Layout> out;
  for (auto& [instances, count] : merged) out.push_back({count, instances});
  std::ranges::stable_sort(out, std::greater{}, &Layout::count);
  return out;
}

}  // namespace

std::vector<std::vector<Instance>> layouts(const MigGeometry& geometry) {
  std::vector<std::vector<Instance>> out;
  for (auto& [pattern, layout] : maximal(geometry)) out.push_back(std::move(layout));
  return out;
}

Result<Packing> pack(const MigGeometry& geometry, const Demand& demand) {
  if (auto ok = check(geometry, demand); !ok) return std::unexpected(ok.error());
  const auto wanted = only_wanted(geometry, demand);
  Packing out;
  if (wanted.profiles.empty()) return out;
  const auto patterns = maximal(wanted);
  std::vector<int> need;
  for (const auto& p : wanted.profiles) need.push_back(demand.at(p.name));
  const auto solved = solve(patterns, need);
  out.layouts = trimmed(patterns, solved.counts, demand);
  count_rest(geometry, out);
  out.lower_bound = std::min(solved.lower_bound, out.gpus);
  return out;
}

}  // namespace etiage::mig
