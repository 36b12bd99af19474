#include "base/arena.h"

#include <algorithm>
#include <iterator>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace etiage {
namespace {

constexpr std::size_t kHugePage = 2 << 20;

/// A block as large as a huge page is made one: otherwise the system stops at each four KiB that are touched
/// first, which takes longer than to write them.
char* block_of(std::size_t size) {
  if (size % kHugePage != 0) return static_cast<char*>(std::malloc(size));
  char* const block = static_cast<char*>(std::aligned_alloc(kHugePage, size));
#ifdef __linux__
  if (block != nullptr) ::madvise(block, size, MADV_HUGEPAGE);
#endif
  return block;
}

}  // namespace

void Arena::grow(std::size_t size) {
  const std::size_t whole = size <= next_ ? next_ : (size + kHugePage - 1) / kHugePage * kHugePage;
  char* const block = block_of(whole);
  if (block == nullptr) throw std::bad_alloc();
  blocks_.emplace_back(block);
  at_ = block;
  left_ = whole;
  next_ = std::min(next_ * 2, kHugePage);
}

void Arena::absorb(Arena&& other) {
  std::ranges::move(other.blocks_, std::back_inserter(blocks_));
  other.blocks_.clear();
  other.at_ = nullptr;
  other.left_ = 0;
}

}  // namespace etiage
