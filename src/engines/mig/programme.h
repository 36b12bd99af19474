#pragma once
// Small integer programmes: the least cost of whole numbers under linear limits.

#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace etiage::mig {

inline constexpr double kNoLimit = std::numeric_limits<double>::max();

struct Programme {
  struct Row {
    std::vector<std::pair<int, double>> terms;  ///< column and coefficient
    double least = -kNoLimit, most = kNoLimit;
  };
  struct Column {
    double cost = 0, most = kNoLimit;
  };
  std::vector<Column> columns;  ///< each from 0 on
  std::vector<Row> rows;
};

struct Relaxed {
  double cost = 0;
  std::vector<double> values;
  std::vector<double> prices;  ///< of each row: what one more of its limit adds to the cost
};

struct Whole {
  std::vector<int> values;
  bool proven = false;  ///< false: better ones may exist, time was up
};

/// Without asking for whole numbers: a bound on the cost.
Relaxed solve_relaxed(const Programme& programme);

/// Nothing where no whole numbers fit, or none were found in five seconds.
std::optional<Whole> solve_whole(const Programme& programme);

}  // namespace etiage::mig
