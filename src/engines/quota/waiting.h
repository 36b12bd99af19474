#pragma once
// The workloads that wait in one ClusterQueue: a heap of those that may be tried, and those parked. Workloads
// of one shape and priority get the same answer and form a class, which is parked and taken up again as one.

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engines/quota/state.h"

namespace etiage::quota {

class Waiting {
 public:
  Waiting(State& state, bool by_usage) : state_(&state), by_usage_(by_usage) {}

  /// Nobody may be tried.
  bool empty() const { return by_usage_ ? shared_.empty() : active_.empty(); }
  /// `checked`: it waits out no back-off, now or later.
  void insert(WorkloadId w, bool checked);
  void park(WorkloadId w);
  /// With it everybody like it: none of them fits until something is freed.
  void park_with_its_like(WorkloadId w);
  bool hopeless(WorkloadId w) const;
  /// Its place in the order may have changed.
  void update(WorkloadId w);
  /// Takes it out, wherever it waits.
  void erase(WorkloadId w);
  WorkloadId pop();
  /// Something was freed: everything parked comes back that `may_return` says may. The answer must be the
  /// same for all of one namespace that were inserted as checked.
  void reactivate(const std::function<bool(const WorkloadState&)>& may_return);
  /// Kueue puts a heap in order again that usage has moved under.
  void restore_order();

  WorkloadState::Place place(WorkloadId w) const;
  /// Those that may be tried, as they lie in the heap.
  std::vector<WorkloadId> members() const;
  /// The same, first first.
  std::vector<WorkloadId> in_order() const;

  WorkloadId sticky;  ///< it preempts, and stays first until it is served

 private:
  struct Item {
    std::int64_t priority = 0, time = 0;
    std::uint32_t uid_rank = 0;
    WorkloadId workload;
  };
  struct Class {
    std::vector<Item> heap;  ///< empty where usage orders the queue: all are in `shared_`
    bool parked = false;
    bool uniform = true;                      ///< one namespace, and all inserted as checked
    const std::string* name_space = nullptr;  ///< of the first; where uniform, of all
    std::uint32_t slot = 0;                   ///< in `active_`
  };

  WorkloadState& of(WorkloadId w) { return state_->workloads[w.index()]; }
  const WorkloadState& of(WorkloadId w) const { return state_->workloads[w.index()]; }
  static std::uint64_t key_of(const WorkloadState& w);
  Class& class_of(WorkloadId w);
  Item item_of(WorkloadId w) const;
  bool before(const Item& a, const Item& b) const;
  bool class_before(std::uint32_t a, std::uint32_t b) const;
  // Heaps of items tell each workload where it lies; the heap of classes, each class.
  void put(std::vector<Item>& heap, std::size_t slot, const Item& item);
  void sift_up(std::vector<Item>& heap, std::size_t slot);
  bool sift_down(std::vector<Item>& heap, std::size_t slot);
  void fix(std::vector<Item>& heap, std::size_t slot);
  void erase_at(std::vector<Item>& heap, std::size_t slot);
  void put_class(std::size_t slot, std::uint32_t c);
  void fix_class(std::size_t slot);
  void activate(std::uint32_t c);
  void deactivate(std::uint32_t c);
  void unpark(WorkloadId w);
  /// The members of a parked class wait each on its own from now on.
  void dissolve(std::uint32_t c);

  State* state_;
  bool by_usage_;  ///< admission fair sharing: LocalQueues first, and the order moves under the heap
  std::vector<Class> classes_;
  std::unordered_map<std::uint64_t, std::uint32_t> class_by_key_;
  std::vector<std::uint32_t> active_;  ///< heap of the classes that are not empty and not parked
  std::vector<std::uint32_t> parked_classes_;
  std::vector<Item> shared_;
  std::vector<WorkloadId> parked_;
  std::unordered_set<std::uint64_t> hopeless_;
};

}  // namespace etiage::quota
