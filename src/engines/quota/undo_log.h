#pragma once
// Snapshot by undo: what a simulation changes is written down and taken back exactly.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace etiage::quota {

/// Old values of changed cells. The cells must not move while a mark is open.
class UndoLog {
 public:
  using Mark = std::size_t;

  Mark mark() const { return entries_.size(); }
  void set(std::int64_t& cell, std::int64_t value) {
    entries_.push_back({&cell, cell});
    cell = value;
  }
  /// Gives every cell the value that it had at the mark.
  void revert_to(Mark mark) {
    while (entries_.size() > mark) {
      *entries_.back().cell = entries_.back().old;
      entries_.pop_back();
    }
  }
  /// Keeps what was changed; open marks are void.
  void forget() { entries_.clear(); }

 private:
  struct Entry {
    std::int64_t* cell;
    std::int64_t old;
  };
  std::vector<Entry> entries_;
};

}  // namespace etiage::quota
