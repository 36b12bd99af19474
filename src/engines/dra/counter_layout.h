#pragma once
// Shared counters as numbers: which there are, what the devices that consume them take, what is left.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/quantity.h"

namespace etiage::dra {

/// An amount taken from the counter at that place of a layout.
struct CounterUse {
  std::uint32_t counter;
  Quantity::Nano amount;
};

/// A device whose allocation counts, on this node or not.
struct CounterHolder {
  std::uint32_t device, identity;
  std::vector<CounterUse> uses;
};

/// The counters that one table holds, and what the devices of its slices take from them.
struct CounterLayout {
  std::vector<Quantity::Nano> totals;
  std::vector<std::string> names;      ///< `set/counter`
  std::vector<CounterHolder> holders;  ///< by identity
};

/// What is left of the counters of one layout.
struct CountersLeft {
  std::vector<Quantity::Nano> left;
  int short_counters = 0;  ///< of these, below zero

  CountersLeft() = default;
  explicit CountersLeft(std::vector<Quantity::Nano> totals)
      : left(std::move(totals)),
        short_counters(static_cast<int>(std::ranges::count_if(left, [](auto n) { return n < 0; }))) {}
  void add(std::uint32_t counter, Quantity::Nano amount) {
    const bool was_short = left[counter] < 0;
    left[counter] += amount;
    short_counters += int(left[counter] < 0) - int(was_short);
  }
};

}  // namespace etiage::dra
