#pragma once
// Ledger: Evidence to money by RULES.md: device shares, buckets, the closing identity. It sees no metric and
// no file. This header: the account of every node and hour, from which every figure is a sum.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/evidence.h"
#include "model/prices.h"

namespace etiage::ledger {

/// In the order of the contract; each moment of each share is in exactly one.
enum class Bucket : std::uint8_t {
  kBusy,
  kHeldIdle,
  kUnmeasured,
  kStarting,
  kUnallocated,
  kStranded,
  kCpuMemory,
  kCpuMemoryIdle
};
inline constexpr std::size_t kBucketCount = 8;
std::string_view to_string(Bucket bucket);  ///< as in JSON: `heldIdle`

struct Buckets {
  std::array<Money, kBucketCount> of{};

  Money& operator[](Bucket b) { return of[static_cast<std::size_t>(b)]; }
  Money operator[](Bucket b) const { return of[static_cast<std::size_t>(b)]; }
  Money total() const;
  Buckets& operator+=(const Buckets& o);
  bool operator==(const Buckets&) const = default;
};

/// The part of a cell that one pod, or nobody (pod not valid), has in one bucket.
struct Leaf {
  Bucket bucket;
  PodId pod;
  Money amount;
};

/// A node for a UTC hour at one price: its bill is exact, rounded once, and split inside by largest
/// remainder.
struct Cell {
  NodeId node;
  Window span;
  Money bill;
  std::vector<Leaf> leaves;  ///< by bucket, namespace, pod; none is zero

  bool operator==(const Cell&) const = default;
};
inline bool operator==(const Leaf& a, const Leaf& b) {
  return a.bucket == b.bucket && a.pod == b.pod && a.amount == b.amount;
}

struct NodeAccount {
  Duration time;
  std::optional<HourlyPrice> hourly;  ///< the last price of the window; nothing: unpriced, outside the bill
  Duration unpriced;                  ///< time for which no row speaks
  Money bill;
  Buckets buckets;
  std::string price_source;
  Grade price_grade = Grade::kMeasured;
};

struct PodAccount {
  Buckets buckets;
  double gpu_hours = 0;   ///< share x hours
  double busy_hours = 0;  ///< of these, busy, priced or not
};

struct Ledger {
  std::string currency;
  Window window;
  Money bill;
  Buckets buckets;
  std::vector<NodeAccount> nodes;  ///< by NodeId
  std::vector<PodAccount> pods;    ///< by PodId
  std::vector<Cell> cells;         ///< by node, then time
};

/// Which pods are listed; an empty function: all of them, and what nobody held.
using PodFilter = std::function<bool(const PodLife&)>;

/// Settles the evidence at the book's prices. Invariant: every sum of rule 18 closes to the last micro-unit.
/// `threads` share the nodes; the result is the same for any number.
Ledger settle(const Evidence& evidence, const PriceBook& book, unsigned threads = 1);

}  // namespace etiage::ledger
