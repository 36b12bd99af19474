#pragma once
// Memory for many small things that are let go together.

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

namespace etiage {

/// Hands out memory piece by piece and frees it as a whole. What was handed out stays where it is when the
/// arena is moved or taken over by another.
class Arena {
 public:
  Arena() = default;
  Arena(Arena&& other) noexcept { swap(other); }
  Arena& operator=(Arena&& other) noexcept {
    swap(other);
    return *this;
  }

  /// Aligned for numbers of eight bytes; never nothing.
  char* take(std::size_t size) {
    size = (size + 7) / 8 * 8;
    if (size > left_) grow(size);
    left_ -= size;
    return std::exchange(at_, at_ + size);
  }
  /// Keeps what the other handed out.
  void absorb(Arena&& other);

 private:
  struct Free {
    void operator()(char* block) const { std::free(block); }
  };

  void grow(std::size_t size);
  void swap(Arena& other) noexcept {
    blocks_.swap(other.blocks_);
    std::swap(at_, other.at_);
    std::swap(left_, other.left_);
    std::swap(next_, other.next_);
  }

  std::vector<std::unique_ptr<char, Free>> blocks_;
  char* at_ = nullptr;
  std::size_t left_ = 0;
  std::size_t next_ =
      4096;  ///< size of the block that is made next: a little first, for there are many arenas
};

}  // namespace etiage
