#include "engines/placement/share/pattern_bound.h"

#include <algorithm>
#include <limits>

#include "engines/mig/programme.h"

namespace etiage::placement {
namespace {

using mig::Programme;

constexpr int kMostRounds = 60;
/// A pod that must be placed and is not costs this many times its milli, so that no programme is without an
/// answer.
constexpr double kMissing = 4;
constexpr double kEnough = 1e-6;

double value(const PodClass& pod) {
  return static_cast<double>(pod.total_gpu_milli());
}

}  // namespace

/// What one more of each thing would add, never below zero.
struct PatternBound::Prices {
  std::vector<double> must;                  ///< by demand
  std::vector<double> cpu, memory, devices;  ///< by group
  std::vector<std::vector<double>> shares;   ///< by group and size
};

/// Where each row of the programme is.
struct PatternBound::Rows {
  std::size_t demands, groups, sizes;
  std::size_t most(std::size_t k) const { return 2 * k; }
  std::size_t least(std::size_t k) const { return 2 * k + 1; }
  std::size_t devices(std::size_t g) const { return 2 * demands + g * (3 + sizes); }
  std::size_t cpu(std::size_t g) const { return devices(g) + 1; }
  std::size_t memory(std::size_t g) const { return devices(g) + 2; }
  std::size_t shares(std::size_t g, std::size_t s) const { return devices(g) + 3 + s; }
  std::size_t count() const { return devices(groups); }
};

PatternBound::PatternBound(std::vector<NodeGroup> groups, std::vector<std::int32_t> sizes)
    : groups_(std::move(groups)), sizes_(std::move(sizes)), patterns_(groups_.size()) {
  for (auto& own : patterns_)
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      own.emplace_back(sizes_.size());
      own.back()[s] = kWholeDevice / sizes_[s];
    }
}

void PatternBound::begin_with(const std::vector<Pattern>& patterns) {
  for (auto& own : patterns_) own = patterns;
}

std::size_t PatternBound::size_index(const PodClass& pod) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(sizes_, pod.gpu_milli) - sizes_.begin());
}

bool PatternBound::accepts(const PodClass& pod, std::size_t group) const {
  return (pod.accepts >> groups_[group].model & 1) != 0 && pod.gpus <= groups_[group].gpus;
}

PatternBound::Prices PatternBound::solve(const std::vector<BoundedDemand>& demand) const {
  const Rows at{demand.size(), groups_.size(), sizes_.size()};
  Programme p{.columns = {}, .rows = std::vector<Programme::Row>(at.count())};
  const auto column = [&](double cost) {
    p.columns.push_back({.cost = cost});
    return static_cast<int>(p.columns.size()) - 1;
  };
  for (std::size_t k = 0; k < demand.size(); ++k) {
    const PodClass& pod = demand[k].pod;
    p.rows[at.most(k)].most = demand[k].most;
    p.rows[at.least(k)].least = demand[k].least;
    p.rows[at.least(k)].terms.emplace_back(column(kMissing * value(pod)), 1);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (!accepts(pod, g)) continue;
      const int x = column(-value(pod));
      p.rows[at.most(k)].terms.emplace_back(x, 1);
      p.rows[at.least(k)].terms.emplace_back(x, 1);
      p.rows[at.cpu(g)].terms.emplace_back(x, static_cast<double>(pod.cpu_milli));
      p.rows[at.memory(g)].terms.emplace_back(x, static_cast<double>(pod.memory_mib));
      if (pod.shares()) {
        p.rows[at.shares(g, size_index(pod))].terms.emplace_back(x, 1);
      } else {
        p.rows[at.devices(g)].terms.emplace_back(x, pod.gpus);
      }
    }
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    p.rows[at.devices(g)].most = groups_[g].devices;
    p.rows[at.cpu(g)].most = groups_[g].cpu;
    p.rows[at.memory(g)].most = groups_[g].memory;
    for (std::size_t s = 0; s < sizes_.size(); ++s) p.rows[at.shares(g, s)].most = 0;
    for (const Pattern& pattern : patterns_[g]) {
      const int y = column(0);
      p.rows[at.devices(g)].terms.emplace_back(y, 1);
      for (std::size_t s = 0; s < sizes_.size(); ++s)
        if (pattern[s] > 0) p.rows[at.shares(g, s)].terms.emplace_back(y, -pattern[s]);
    }
  }
  const auto found = mig::solve_relaxed(p).prices;
  const auto price = [&](std::size_t row) { return std::max(0.0, -found[row]); };
  Prices out;
  for (std::size_t k = 0; k < demand.size(); ++k) out.must.push_back(std::max(0.0, found[at.least(k)]));
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    out.devices.push_back(price(at.devices(g)));
    out.cpu.push_back(price(at.cpu(g)));
    out.memory.push_back(price(at.memory(g)));
    out.shares.emplace_back();
    for (std::size_t s = 0; s < sizes_.size(); ++s) out.shares.back().push_back(price(at.shares(g, s)));
  }
  return out;
}

bool PatternBound::add_patterns(const Prices& prices) {
  bool added = false;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Knapsack best(sizes_, prices.shares[g]);
    if (best.value(kWholeDevice) <= prices.devices[g] + kEnough) continue;
    patterns_[g].push_back(best.pattern());
    added = true;
  }
  return added;
}

// A device costs at least what the best pattern is worth; a kind of pod is then worth what its best group
// leaves of its milli.
double PatternBound::value_of(const std::vector<BoundedDemand>& demand, const Prices& prices) const {
  double sum = 0;
  std::vector<double> device;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    device.push_back(std::max(prices.devices[g], Knapsack(sizes_, prices.shares[g]).value(kWholeDevice)));
    sum += device[g] * groups_[g].devices + prices.cpu[g] * groups_[g].cpu +
           prices.memory[g] * groups_[g].memory;
  }
  for (std::size_t k = 0; k < demand.size(); ++k) {
    const PodClass& pod = demand[k].pod;
    double profit = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (!accepts(pod, g)) continue;
      const double place = pod.shares() ? prices.shares[g][size_index(pod)] : device[g] * pod.gpus;
      profit = std::max(profit, value(pod) + prices.must[k] - place -
                                    prices.cpu[g] * static_cast<double>(pod.cpu_milli) -
                                    prices.memory[g] * static_cast<double>(pod.memory_mib));
    }
    sum += profit * demand[k].most - prices.must[k] * demand[k].least;
  }
  return sum;
}

double PatternBound::most(const std::vector<BoundedDemand>& demand) {
  double best = std::numeric_limits<double>::max();
  for (int round = 0; round < kMostRounds; ++round) {
    const Prices prices = solve(demand);
    best = std::min(best, value_of(demand, prices));
    if (!add_patterns(prices)) break;
  }
  return best;
}

}  // namespace etiage::placement
