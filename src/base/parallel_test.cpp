#include "base/parallel.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <utility>
#include <vector>

namespace etiage {
namespace {

RC_GTEST_PROP(SortStably, DoesAsOneThreadDoes, (const std::vector<std::uint8_t>& some)) {
  std::vector<std::pair<int, std::size_t>>
      expected;  // a key, and the place that must not be swapped with equals
  for (std::size_t copy = 0; copy < 20; ++copy)
    for (const std::uint8_t key : some) expected.emplace_back(key % 16, expected.size());
  const auto less = [](const auto& a, const auto& b) { return a.first < b.first; };
  const auto all = expected;
  std::ranges::stable_sort(expected, less);
  for (const unsigned threads : {0u, 1u, 2u, 3u, 8u}) {
    auto sorted = all;
    sort_stably(sorted, threads, less);
    RC_ASSERT(sorted == expected);
  }
}

}  // namespace
}  // namespace etiage
