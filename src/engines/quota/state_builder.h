#pragma once
// Objects to a state: names become numbers, cohorts become trees, workloads that hold quota are counted.

#include <map>
#include <unordered_map>

#include "engines/quota/state.h"

namespace etiage::quota {

inline const Condition* find(const std::vector<Condition>& conditions, std::string_view type) {
  for (const Condition& c : conditions)
    if (c.type == type) return &c;
  return nullptr;
}

inline bool is_true(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* c = find(conditions, type);
  return c && c->status == "True";
}

inline double weight_of(const std::optional<Quantity>& weight) {
  return weight ? weight->as_double() : 1.0;
}

class StateBuilder {
 public:
  StateBuilder(State& state, const QueueObjects& objects) : s_(state), o_(objects) {}

  Result<void> build() {
    number_resources();
    add_namespaces();
    add_flavors();
    add_topologies();
    sort_queues();
    if (Result<void> tree = build_tree(); !tree) return tree;
    for (QueueState& queue : s_.queues) add_groups(queue);
    add_shapes();
    add_local_queues();
    add_workloads();
    return {};
  }

 private:
  void add_namespaces();
  void number_resources();
  void add_flavors();
  void add_topologies();
  void sort_queues();
  std::vector<QuotaSpec> quotas_of(const std::vector<ResourceGroup>& groups);
  Result<void> build_tree();
  void note_used_pairs(std::vector<NodeSpec>& nodes, std::size_t first_queue);
  void add_groups(QueueState& queue);
  void add_checks(QueueState& queue);
  bool can_admit(const QueueState& queue) const;
  void add_local_queues();
  void add_shapes();
  void add_workloads();
  std::vector<std::uint32_t> uid_ranks() const;
  std::int64_t boost_of(const Workload& workload) const;
  ShapeId number_shape(const Workload& workload);
  void read_conditions(WorkloadState& w);
  Grant grant_of(const WorkloadState& w) const;
  void add_topology(Grant& grant, std::uint32_t pod_set, const PodSetAdmission& admission,
                    const std::vector<ResourceAmount>& usage, std::int32_t count,
                    const PodSetShape* shape) const;

  State& s_;
  const QueueObjects& o_;
  std::map<std::string, QueueId, std::less<>> queue_by_name_;
  std::unordered_map<std::string, ShapeId> shape_by_key_;
  std::vector<const Workload*> first_of_shape_;
  std::vector<ShapeId> recent_shapes_;  ///< the last first
  std::vector<ShapeId> shape_of_;       ///< by workload
};

}  // namespace etiage::quota
