#include "engines/placement/share/hole_prices.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "engines/placement/share/device_patterns.h"

namespace etiage::placement {
namespace {

constexpr std::size_t kMostSizes = 40;
constexpr int kMostRounds = 1000;

using Column = Pattern;

/// Solves M x = b by elimination with pivoting; nothing where M is singular.
std::optional<Column> solve(std::vector<Column> rows, const Column& b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) rows[i].push_back(b[i]);
  for (std::size_t i = 0; i < n; ++i) {
    const auto pivot =
        std::max_element(rows.begin() + static_cast<std::ptrdiff_t>(i), rows.end(),
                         [i](const Column& x, const Column& y) { return std::fabs(x[i]) < std::fabs(y[i]); });
    std::iter_swap(rows.begin() + static_cast<std::ptrdiff_t>(i), pivot);
    if (std::fabs(rows[i][i]) < 1e-12) return {};
    for (std::size_t k = n + 1; k-- > i;) rows[i][k] /= rows[i][i];
    for (std::size_t r = 0; r < n; ++r) {
      const double factor = rows[r][i];
      if (r == i || factor == 0) continue;
      for (std::size_t k = i; k <= n; ++k) rows[r][k] -= factor * rows[i][k];
    }
  }
  Column out;
  for (const Column& row : rows) out.push_back(row.back());
  return out;
}

std::vector<Column> transposed(const std::vector<Column>& m) {
  std::vector<Column> out(m.size(), Column(m.size()));
  for (std::size_t i = 0; i < m.size(); ++i)
    for (std::size_t j = 0; j < m.size(); ++j) out[j][i] = m[i][j];
  return out;
}

std::vector<std::int32_t> lengths_of(const std::vector<SizeDemand>& sizes) {
  std::vector<std::int32_t> out;
  for (const SizeDemand& s : sizes) out.push_back(s.milli);
  return out;
}

/// Column generation: patterns enter the basis while one is worth more than a device. Returns the prices.
Column device_prices(const std::vector<SizeDemand>& sizes) {
  const std::size_t n = sizes.size();
  std::vector<Column> basis(n, Column(n));
  Column demand;
  const std::vector<std::int32_t> lengths = lengths_of(sizes);
  for (std::size_t i = 0; i < n; ++i) {
    basis[i][i] = static_cast<double>(kWholeDevice / sizes[i].milli);
    demand.push_back(sizes[i].count);
  }
  Column prices(n);
  for (int round = 0; round < kMostRounds; ++round) {
    const auto y = solve(basis, Column(n, 1));
    if (!y) break;
    for (std::size_t i = 0; i < n; ++i) prices[i] = std::max((*y)[i], 0.0);
    const Knapsack best(lengths, prices);
    if (best.value(kWholeDevice) <= 1 + 1e-7) break;
    const Column pattern = best.pattern();
    const auto amounts = solve(transposed(basis), demand), entering = solve(transposed(basis), pattern);
    if (!amounts || !entering) break;
    std::size_t leaves = n;
    for (std::size_t j = 0; j < n; ++j)
      if ((*entering)[j] > 1e-9 &&
          (leaves == n || (*amounts)[j] / (*entering)[j] < (*amounts)[leaves] / (*entering)[leaves]))
        leaves = j;
    if (leaves == n) break;
    basis[leaves] = pattern;
  }
  return prices;
}

}  // namespace

HolePrices::HolePrices(std::vector<SizeDemand> demand) {
  std::ranges::sort(demand, [](const SizeDemand& a, const SizeDemand& b) {
    return a.count != b.count ? a.count > b.count : a.milli < b.milli;
  });
  if (demand.size() > kMostSizes) demand.resize(kMostSizes);
  std::ranges::sort(demand, {}, &SizeDemand::milli);
  const Column prices = device_prices(demand);
  const Knapsack best(lengths_of(demand), prices);
  for (std::int32_t free = 1; free < kWholeDevice; ++free)
    waste_[static_cast<std::size_t>(free)] = free - kWholeDevice * best.value(free);
  for (std::size_t i = 0; i < demand.size(); ++i) devices_needed_ += demand[i].count * prices[i];
}

std::vector<SizeDemand> share_demand(const ShareCluster& cluster) {
  std::map<std::int32_t, double> counts;
  for (const auto c : cluster.class_of)
    if (cluster.classes[c].shares()) ++counts[cluster.classes[c].gpu_milli];
  std::vector<SizeDemand> out;
  for (const auto& [milli, count] : counts) out.push_back({milli, count});
  return out;
}

}  // namespace etiage::placement
