#pragma once
// The growth of a counter over a long time, kept small: scrapes are regular, so spans are runs of equal
// steps.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "evidence/timeline.h"

namespace etiage::evidence {

/// A list of Growth in the order in which it came; eight bytes an entry where spans follow each other evenly.
class Growths {
 public:
  class Iterator;

  void push_back(const Growth& growth);
  /// Makes room for as many more: to grow little by little would touch twice the memory.
  void reserve(std::size_t more) { amounts_.reserve(amounts_.size() + more); }

  std::size_t size() const { return amounts_.size(); }
  bool empty() const { return amounts_.empty(); }
  /// The sum of all amounts.
  double total() const { return total_; }
  Iterator begin() const;
  Iterator end() const;

 private:
  /// Spans of one length, each beginning where the one before ends; `first` is the index of the first.
  struct Run {
    Instant start;
    Duration length;
    std::size_t first;
  };

  std::vector<Run> runs_;
  std::vector<double> amounts_;
  double total_ = 0;
};

class Growths::Iterator {
 public:
  using value_type = Growth;
  using difference_type = std::ptrdiff_t;
  using iterator_category = std::input_iterator_tag;

  Iterator() = default;
  Growth operator*() const {
    const Instant start = run_->start + run_->length * static_cast<std::int64_t>(at_ - run_->first);
    return {{start, start + run_->length}, of_->amounts_[at_]};
  }
  Iterator& operator++() {
    ++at_;
    if (run_ + 1 != of_->runs_.data() + of_->runs_.size() && run_[1].first == at_) ++run_;
    return *this;
  }
  Iterator operator++(int) {
    const Iterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Iterator& o) const { return at_ == o.at_; }

 private:
  friend class Growths;
  Iterator(const Growths& of, std::size_t at) : of_(&of), run_(of.runs_.data()), at_(at) {}

  const Growths* of_ = nullptr;
  const Run* run_ = nullptr;
  std::size_t at_ = 0;
};

inline Growths::Iterator Growths::begin() const {
  return {*this, 0};
}
inline Growths::Iterator Growths::end() const {
  return {*this, amounts_.size()};
}

}  // namespace etiage::evidence
