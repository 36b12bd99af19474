#pragma once
// KAI's queues as a tree: what each holds, asks for and may hold, and which comes before which.

#include <vector>

#include "engines/placement/kai/cycle.h"

namespace etiage::placement::kai {

class QueueTree {
 public:
  static Result<QueueTree> make(const std::vector<QueueNode>& queues);

  const std::vector<QueueState>& states() const { return states_; }
  std::optional<std::size_t> find(const std::string& name) const;
  const std::vector<std::size_t>& top() const { return top_; }
  const std::vector<std::size_t>& children(std::size_t queue) const { return children_[queue]; }

  /// Of the queue and all above it.
  void request(std::size_t queue, const Shares& amounts);
  void hold(std::size_t queue, const Shares& amounts, bool preemptible, double sign);
  /// To be called once all is requested and held.
  void share_out(const Shares& total);

  /// Why no more may be held by the queue or one above it; empty: it may.
  std::string refuses(std::size_t queue, const Shares& asked, bool preemptible) const;
  /// The queue `a` with its next group is served before `b` with its own.
  bool before(std::size_t a, const Shares& asked_a, std::size_t b, const Shares& asked_b) const;
  /// As the rules of reclaim see one resource of the queue.
  Queue seen(std::size_t queue, std::size_t resource) const;

 private:
  void share_among(const std::vector<std::size_t>& siblings, const Shares& total);
  std::vector<std::size_t> path(std::size_t queue) const;  ///< itself first
  double allocatable(std::size_t queue, std::size_t resource) const;
  double dominant_share(std::size_t queue, const Shares& more) const;

  std::vector<QueueState> states_;
  std::vector<Shares> fixed_;  ///< held by groups that cannot be preempted
  std::vector<std::optional<std::size_t>> parent_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::size_t> top_;
};

}  // namespace etiage::placement::kai
