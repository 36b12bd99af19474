#pragma once
// The bill as those who look for waste see it: leaves by pod and by node, and what of each leaf is still
// unclaimed. Rows of the answer cannot overlap, because money is only given out here, and only once.

#include <span>
#include <utility>
#include <vector>

#include "explain/waste/finding.h"
#include "ledger/free_shares.h"
#include "ledger/ledger.h"
#include "model/autoscaler.h"

namespace etiage::explain {

/// An autoscaler and the cluster it is of, named as the evidence names it.
struct ClusterAutoscaler {
  std::string cluster;
  Autoscaler autoscaler;
};

/// A leaf of the ledger.
struct LeafRef {
  std::uint32_t cell = 0, leaf = 0;
};

/// Refers to the evidence and ledger it was made from.
class Bill {
 public:
  Bill(const Evidence& evidence, const ledger::Ledger& ledger,
       std::span<const ClusterAutoscaler> autoscalers);

  const Evidence& evidence;
  const ledger::Ledger& ledger;
  std::span<const ClusterAutoscaler> autoscalers;
  std::vector<ledger::Tenants> tenants;  ///< by node

  const ledger::Cell& cell(LeafRef at) const { return ledger.cells[at.cell]; }
  const ledger::Leaf& leaf(LeafRef at) const { return ledger.cells[at.cell].leaves[at.leaf]; }
  /// In order of node and time.
  std::span<const LeafRef> of_pod(PodId pod) const { return by_pod_[pod.index()]; }
  /// Indices of the cells of a node, in order of time.
  std::pair<std::uint32_t, std::uint32_t> cells_of(NodeId node) const { return by_node_[node.index()]; }
  /// The leaf of that bucket that nobody holds.
  std::optional<LeafRef> nobodys(std::uint32_t cell, ledger::Bucket bucket) const;

  Money unclaimed(LeafRef at) const { return left_[offset_[at.cell] + at.leaf]; }
  /// Gives `finding` so much of the leaf as is left, at most `wanted`.
  void claim(LeafRef at, Money wanted, Finding& finding);
  void claim(LeafRef at, Finding& finding) { claim(at, unclaimed(at), finding); }

 private:
  std::vector<std::vector<LeafRef>> by_pod_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_node_;
  std::vector<std::size_t> offset_;  // of a cell's first leaf in left_
  std::vector<Money> left_;
};

/// `amount` times part / whole, rounded down; all of it where part is the whole.
Money portion(Money amount, double part, double whole);

/// A pod that could do with less: the part `spared` of what each of its hours cost comes out of its idle
/// time.
void claim_difference(Bill& bill, PodId pod, double spared, Finding& finding);

/// The beginning of the last stretch of claimed cells without an unclaimed hour in between.
Instant last_stretch(const Bill& bill, std::span<const Claim> claims);

}  // namespace etiage::explain
