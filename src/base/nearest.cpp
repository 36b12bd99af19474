#include "base/nearest.h"

#include <algorithm>
#include <numeric>

namespace etiage {
namespace {

/// Letters to insert, delete, replace, or swap with their neighbour, to make `b` of `a`.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const std::string* best = nullptr;
  std::size_t least = 0;
  for (const std::string& candidate : known) {
    const std::size_t d = distance(word, candidate);
    if (d <= std::max<std::size_t>(1, candidate.size() / 3) && (!best || d < least)) {
      best = &candidate;
      least = d;
    }
  }
  return best ? "; did you mean '" + *best + "'?" : "";
}

}  // namespace etiage
