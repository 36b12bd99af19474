#include "engines/quota/entry_order.h"

#include <algorithm>

namespace etiage::quota {

EntryOrder::EntryOrder(State& state, std::span<Entry> entries, std::span<const std::uint32_t> nominated)
    : state_(state), entries_(entries), order_(nominated.begin(), nominated.end()) {
  if (!state.fair_sharing()) {
    sort_classically();
    return;
  }
  waiting_.resize(state.queues.size());
  shares_.resize(entries.size());
  for (const std::uint32_t i : order_)
    waiting_[state.workloads[entries[i].workload.index()].queue.index()] = &entries[i];
}

void EntryOrder::sort_classically() {
  const bool by_priority = state_.release.gates.priority_sorting_within_cohort;
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Entry &a = entries_[i], &b = entries_[j];
    if (a.assignment.borrowing != b.assignment.borrowing)
      return a.assignment.borrowing < b.assignment.borrowing;
    const WorkloadState &x = state_.workloads[a.workload.index()], &y = state_.workloads[b.workload.index()];
    if (by_priority && x.priority != y.priority) return x.priority > y.priority;
    return x.order_time < y.order_time;
  });
}

Entry* EntryOrder::next() {
  if (state_.fair_sharing()) return next_fair();
  return next_ < order_.size() ? &entries_[order_[next_++]] : nullptr;
}

Entry* EntryOrder::next_fair() {
  while (next_ < waiting_.size() && !waiting_[next_]) ++next_;
  if (next_ == waiting_.size()) return nullptr;
  const NodeId queue = state_.queues[next_].node;
  Entry* winner = waiting_[next_];
  if (state_.tree.parent(queue).valid()) winner = tournament(state_.tree.root(queue));
  waiting_[state_.workloads[winner->workload.index()].queue.index()] = nullptr;
  return winner;
}

/// The share of the queue, and of every cohort above it, as it would be with the entry admitted.
void EntryOrder::measure(Entry& entry, NodeId queue) {
  auto& shares = shares_[static_cast<std::size_t>(&entry - entries_.data())];
  shares.clear();
  const UndoLog::Mark mark = state_.tree.log().mark();
  for (const ColumnAmount& u : entry.assignment.usage) state_.tree.add_usage(queue, u.column, u.amount);
  NodeId below = queue;
  for (NodeId n = state_.tree.parent(queue); n.valid(); n = state_.tree.parent(n)) {
    shares.emplace_back(n, state_.tree.share(below, entry.assignment.usage));
    below = n;
  }
  state_.tree.log().revert_to(mark);
}

Entry* EntryOrder::tournament(NodeId cohort) {
  Entry* best = nullptr;
  const auto challenge = [&](Entry* e) {
    if (e && (!best || less(*e, *best, cohort))) best = e;
  };
  for (const NodeId child : state_.tree.child_cohorts(cohort)) challenge(tournament(child));
  for (const NodeId child : state_.tree.child_queues(cohort)) {
    Entry* e = waiting_[state_.queue_of_node[child.index()].index()];
    if (e) measure(*e, child);
    challenge(e);
  }
  return best;
}

const Share& EntryOrder::share_at(const Entry& e, NodeId cohort) const {
  const auto& shares = shares_[static_cast<std::size_t>(&e - entries_.data())];
  return std::find_if(shares.begin(), shares.end(), [&](const auto& s) { return s.first == cohort; })->second;
}

bool EntryOrder::less(const Entry& a, const Entry& b, NodeId cohort) const {
  const Share &x = share_at(a, cohort), &y = share_at(b, cohort);
  const Gates& gates = state_.release.gates;
  if (gates.fair_prioritize_non_borrowing && x.borrowing_on_request != y.borrowing_on_request)
    return !x.borrowing_on_request;
  if (const int c = compare(x, y); c != 0) return c < 0;
  const WorkloadState &v = state_.workloads[a.workload.index()], &w = state_.workloads[b.workload.index()];
  if (gates.priority_sorting_within_cohort && v.priority != w.priority) return v.priority > w.priority;
  return v.order_time < w.order_time;
}

}  // namespace etiage::quota
