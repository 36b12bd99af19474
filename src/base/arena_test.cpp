#include "base/arena.h"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace etiage {
namespace {

RC_GTEST_PROP(Arena, PiecesDoNotOverlapAndStayWhenAnotherTakesThem,
              (const std::vector<std::uint16_t>& sizes)) {
  Arena one, two, all;
  std::vector<char*> pieces;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t size = sizes[i] * std::size_t{97};  // up to more than a huge page
    pieces.push_back((i % 2 ? one : two).take(size));
    RC_ASSERT(reinterpret_cast<std::uintptr_t>(pieces.back()) % 8 == 0u);
    std::memset(pieces.back(), static_cast<int>(i), size);
  }
  all.absorb(std::move(one));
  const Arena moved = [&] {
    all.absorb(std::move(two));
    return std::move(all);
  }();
  for (std::size_t i = 0; i < sizes.size(); ++i)
    for (std::size_t at = 0; at < sizes[i] * std::size_t{97}; at += 89)
      RC_ASSERT(pieces[i][at] == static_cast<char>(i));
}

TEST(Arena, GoesOnAfterItWasTakenOver) {
  Arena one, two;
  char* const before = one.take(10);
  std::memset(before, 1, 10);
  two.absorb(std::move(one));
  std::memset(one.take(10), 2, 10);  // NOLINT(bugprone-use-after-move): what is tested
  EXPECT_EQ(before[9], 1);
}

}  // namespace
}  // namespace etiage
