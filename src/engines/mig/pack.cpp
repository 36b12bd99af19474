#include "engines/mig/pack.h"

#include <algorithm>
#include <cmath>
#include <coin/CbcModel.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <coin/OsiClpSolverInterface.hpp>
#include <fmt/format.h>
#include <numeric>
#include <set>

namespace etiage::mig {
namespace {

constexpr std::int64_t kMostInstances = 10'000'000;

using Pattern = std::vector<int>;  ///< instances by index of profile

/// Finds one layout of every pattern, largest profiles first, so that none is found twice by order.
class Patterns {
 public:
  explicit Patterns(const MigGeometry& g) : g_(g), counts_(g.profiles.size()) {
    search(0, 0, g.compute_slices);
  }

  const std::map<Pattern, std::vector<Instance>>& all() const { return found_; }

 private:
  void search(std::size_t from, unsigned used, int compute) {
    found_.try_emplace(counts_, placed_);
    for (std::size_t i = from; i < g_.profiles.size(); ++i) {
      const auto& p = g_.profiles[i];
      if (p.compute > compute || counts_[i] >= p.max_instances) continue;
      const unsigned body = (1U << p.memory) - 1;
      for (const int start : p.starts) {
        if ((used & (body << start)) != 0) continue;
        if (counts_[i] > 0 && start < placed_.back().start)
          continue;  // same profiles in order of their places
        ++counts_[i];
        placed_.push_back({p.name, start});
        search(i, used | (body << start), compute - p.compute);
        placed_.pop_back();
        --counts_[i];
      }
    }
  }

  const MigGeometry& g_;
  Pattern counts_;
  std::vector<Instance> placed_;
  std::map<Pattern, std::vector<Instance>> found_;
};

bool covers(const Pattern& a, const Pattern& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] < b[i]) return false;
  return true;
}

/// Patterns over the wanted profiles only, none inside another.
std::vector<std::pair<Pattern, std::vector<Instance>>> maximal(const MigGeometry& geometry) {
  const Patterns patterns(geometry);
  std::vector<std::pair<Pattern, std::vector<Instance>>> out;
  for (const auto& [pattern, layout] : patterns.all()) {
    const bool inside = std::ranges::any_of(patterns.all(), [&](const auto& other) {
      return other.first != pattern && covers(other.first, pattern);
    });
    if (!inside) out.emplace_back(pattern, layout);
  }
  return out;
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

/// min sum x, sum of pattern[i] x >= demand[i], x whole. Solved as a relaxation first: rounded down, what is
/// left over is a small demand, so the programme's numbers are small and the proof is quick.
struct Solved {
  std::vector<int> counts;
  int lower_bound = 0;
};

CoinPackedMatrix matrix_of(const std::vector<Pattern>& patterns, std::size_t rows) {
  CoinPackedMatrix matrix(false, 0, 0);
  matrix.setDimensions(0, static_cast<int>(patterns.size()));
  for (std::size_t i = 0; i < rows; ++i) {
    CoinPackedVector row;
    for (std::size_t j = 0; j < patterns.size(); ++j)
      if (patterns[j][i] > 0) row.insert(static_cast<int>(j), patterns[j][i]);
    matrix.appendRow(row);
  }
  return matrix;
}

void load(OsiClpSolverInterface& solver, const std::vector<Pattern>& patterns,
          const std::vector<int>& demand) {
  const std::size_t n = patterns.size();
  const std::vector<double> low(n, 0), high(n, solver.getInfinity()), cost(n, 1),
      need(demand.begin(), demand.end()), any(demand.size(), solver.getInfinity());
  solver.messageHandler()->setLogLevel(0);
  solver.loadProblem(matrix_of(patterns, demand.size()), low.data(), high.data(), cost.data(), need.data(),
                     any.data());
}

std::vector<int> whole_solution(const std::vector<Pattern>& patterns, const std::vector<int>& demand) {
  OsiClpSolverInterface solver;
  load(solver, patterns, demand);
  for (std::size_t j = 0; j < patterns.size(); ++j) solver.setInteger(static_cast<int>(j));
  CbcModel model(solver);
  model.setLogLevel(0);
  model.solver()->setHintParam(OsiDoReducePrint, true, OsiHintTry);
  model.setMaximumSeconds(5);
  model.branchAndBound();
  std::vector<int> out(patterns.size());
  if (const double* best = model.bestSolution())
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = static_cast<int>(std::lround(best[j]));
  return out;
}

Solved solve(const std::vector<Pattern>& patterns, const std::vector<int>& demand) {
  OsiClpSolverInterface relaxed;
  load(relaxed, patterns, demand);
  relaxed.initialSolve();
  Solved out{std::vector<int>(patterns.size()), static_cast<int>(std::ceil(relaxed.getObjValue() - 1e-6))};
  auto left = demand;
  for (std::size_t j = 0; j < patterns.size(); ++j) {
    out.counts[j] = static_cast<int>(std::floor(relaxed.getColSolution()[j] + 1e-9));
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= out.counts[j] * patterns[j][i];
  }
  for (auto& l : left) l = std::max(l, 0);
  const auto rest = whole_solution(patterns, left);
  for (std::size_t j = 0; j < rest.size(); ++j) out.counts[j] += rest[j];
  if (std::accumulate(out.counts.begin(), out.counts.end(), 0) >
      out.lower_bound) {  // rounding down may have lost the optimum
    auto exact = whole_solution(patterns, demand);
    if (const int n = std::accumulate(exact.begin(), exact.end(), 0);
        n > 0 && n < std::accumulate(out.counts.begin(), out.counts.end(), 0))
      out.counts = std::move(exact);
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
      auto sorted = layout;
      std::ranges::sort(sorted, {}, &Instance::start);
      merged[sorted] += whole;
      for (const auto& [profile, n] : each) left[profile] -= whole * n;
    }
    for (int k = whole; k < counts[j]; ++k) {
      std::vector<Instance> some;
      for (const auto& i : layout)
        if (left[i.profile] > 0) --left[i.profile], some.push_back(i);
      std::ranges::sort(some, {}, &Instance::start);
      if (!some.empty()) ++merged[some];
    }
  }
  std::vector<Layout> out;
  for (auto& [instances, count] : merged) out.push_back({count, instances});
  std::ranges::stable_sort(out, std::greater{}, &Layout::count);
  return out;
}

unsigned slices(const MigGeometry& g, const std::vector<Instance>& instances) {
  unsigned used = 0;
  for (const auto& i : instances)
    if (const auto* p = g.find(i.profile)) used |= ((1U << p->memory) - 1) << i.start;
  return used;
}

int compute_used(const MigGeometry& g, const std::vector<Instance>& instances) {
  int used = 0;
  for (const auto& i : instances)
    if (const auto* p = g.find(i.profile)) used += p->compute;
  return used;
}

/// Where an instance of the profile may lie beside the others; -1: nowhere.
int free_start(const MigGeometry& g, const std::vector<Instance>& instances, const MigProfile& p) {
  const unsigned used = slices(g, instances), body = (1U << p.memory) - 1;
  const auto same = std::ranges::count(instances, p.name, &Instance::profile);
  if (compute_used(g, instances) + p.compute > g.compute_slices || same >= p.max_instances) return -1;
  for (auto start = p.starts.rbegin(); start != p.starts.rend();
       ++start)  // from the end: the front stays free for large ones
    if ((used & (body << *start)) == 0) return *start;
  return -1;
}

/// What the free slices of the layouts still hold, and what of them nothing can use.
void count_rest(const MigGeometry& g, Packing& packing) {
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
  std::vector<Pattern> columns;
  for (const auto& [pattern, layout] : patterns) columns.push_back(pattern);
  std::vector<int> need;
  for (const auto& p : wanted.profiles) need.push_back(demand.at(p.name));
  const auto solved = solve(columns, need);
  out.layouts = trimmed(patterns, solved.counts, demand);
  for (const auto& l : out.layouts) out.gpus += l.count;
  out.lower_bound = std::min(solved.lower_bound, out.gpus);
  count_rest(geometry, out);
  return out;
}

namespace {

using Cards = std::vector<std::vector<Instance>>;

/// Removes what is no longer wanted, from the emptiest cards first; returns what is still missing.
Demand keep_wanted(Cards& cards, Demand left, Change& change) {
  std::vector<std::size_t> order(cards.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return cards[i].size(); });
  for (const std::size_t i : order)
    std::erase_if(cards[i], [&](const Instance& instance) {
      if (auto& n = left[instance.profile]; n > 0) return --n, ++change.kept, false;
      return ++change.removed, true;
    });
  return left;
}

/// Puts missing instances into free slices of cards in use, largest profiles first.
void fill(const MigGeometry& g, Cards& cards, Demand& left, Change& change) {
  auto profiles = g.profiles;
  std::ranges::stable_sort(profiles, std::greater{},
                           [](const MigProfile& p) { return std::tuple(p.memory, p.compute); });
  for (const auto& p : profiles)
    for (auto& card : cards) {
      if (card.empty()) continue;
      for (int start; left[p.name] > 0 && (start = free_start(g, card, p)) >= 0;
           --left[p.name], ++change.created)
        card.push_back({p.name, start});
    }
}

std::vector<Layout> merged(const Cards& cards) {
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

Result<Change> attempt(const MigGeometry& g, Cards cards, const Demand& demand, int emptied) {
  Change change;
  auto left = keep_wanted(cards, demand, change);
  std::erase_if(cards, [](const auto& c) { return c.empty(); });
  std::ranges::stable_sort(cards, {}, [](const auto& c) { return c.size(); });
  for (int i = 0; i < emptied && i < static_cast<int>(cards.size());
       ++i) {  // the least full cards give their instances up
    for (const auto& instance : cards[static_cast<std::size_t>(i)])
      ++left[instance.profile], --change.kept, ++change.removed;
    cards[static_cast<std::size_t>(i)].clear();
  }
  fill(g, cards, left, change);
  auto rest = pack(g, left);
  if (!rest) return std::unexpected(rest.error());
  for (const auto& l : rest->layouts) {
    change.created += l.count * static_cast<int>(l.instances.size());
    cards.insert(cards.end(), static_cast<std::size_t>(l.count), l.instances);
  }
  change.packing.layouts = merged(cards);
  for (const auto& l : change.packing.layouts) change.packing.gpus += l.count;
  return change;
}

Result<void> check_existing(const MigGeometry& g, const Cards& existing) {
  for (std::size_t c = 0; c < existing.size(); ++c) {
    unsigned used = 0;
    for (const auto& i : existing[c]) {
      const auto* p = g.find(i.profile);
      if (p == nullptr)
        return failure(fmt::format("card {} holds a profile \"{}\" that it cannot have", c, i.profile));
      const unsigned body = ((1U << p->memory) - 1) << i.start;
      if (std::ranges::find(p->starts, i.start) == p->starts.end() || (used & body) != 0)
        return failure(fmt::format("card {} cannot hold a {} at slice {}", c, i.profile, i.start));
      used |= body;
    }
  }
  return {};
}

}  // namespace

Result<Change> repack(const MigGeometry& g, const Cards& existing, const Demand& demand) {
  if (auto ok = check(g, demand); !ok) return std::unexpected(ok.error());
  if (auto ok = check_existing(g, existing); !ok) return std::unexpected(ok.error());
  const auto ideal = pack(g, demand);
  if (!ideal) return std::unexpected(ideal.error());
  auto best = attempt(g, existing, demand, 0);
  for (int emptied = 1;
       best && best->packing.gpus > ideal->gpus && emptied <= static_cast<int>(existing.size());
       emptied += 1 + emptied / 8) {
    auto next = attempt(g, existing, demand, emptied);
    if (next && next->packing.gpus < best->packing.gpus) best = std::move(next);
  }
  if (!best) return best;
  best->moved = std::min(best->created, best->removed);
  best->packing.lower_bound = ideal->lower_bound;
  count_rest(g, best->packing);
  return best;
}

}  // namespace etiage::mig
