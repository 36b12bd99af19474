#include "engines/placement/share/repack.h"

#include <deque>
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>
#include <set>

#include "engines/placement/share/measures.h"

namespace etiage::placement {
namespace {

PodClass pod_of(std::int32_t gpus, std::int32_t milli = kWholeDevice) {
  return {.cpu_milli = 1, .gpus = gpus, .gpu_milli = milli, .models = {}};
}

NodeState node_of(std::int32_t gpus, std::int64_t cpu = 100) {
  NodeState n{.cpu_free = cpu, .memory_free = 1, .cpu_total = cpu, .gpus = gpus};
  for (int i = 0; i < gpus; ++i) n.device_free[static_cast<std::size_t>(i)] = kWholeDevice;
  return n;
}

void run(RunningCluster& cluster, std::uint32_t pod_class, std::uint32_t node) {
  const DeviceSet devices = tightest_devices(cluster.nodes[node], cluster.classes[pod_class]);
  place(cluster.nodes[node], cluster.classes[pod_class], devices);
  cluster.running.push_back({pod_class, node, devices});
}

/// Every step must be possible when its turn comes, and lead to what the plan says.
void check_steps(RunningCluster cluster, const RepackPlan& plan) {
  const auto enter = [&](const RunningPod& at) {
    const PodClass& pod = cluster.classes[at.pod_class];
    ASSERT_TRUE(fits(cluster.nodes[at.node], pod));
    place(cluster.nodes[at.node], pod, at.devices);
    for (const auto free : cluster.nodes[at.node].device_free) ASSERT_GE(free, 0);
  };
  for (const RepackStep& step : plan.steps) {
    if (const auto* m = std::get_if<Move>(&step)) {
      const RunningPod& from = cluster.running[m->running];
      ASSERT_TRUE(from.node == m->from.node && from.devices == m->from.devices);
      remove(cluster.nodes[from.node], cluster.classes[from.pod_class], from.devices);
      enter(m->to);
      cluster.running[m->running] = m->to;
    } else {
      enter(std::get<Start>(step).at);
      cluster.running.push_back(std::get<Start>(step).at);
    }
  }
  EXPECT_EQ(cluster.nodes, plan.after.nodes);
}

// volcano-sh/volcano#3948: three nodes of 8 GPUs hold 4+2+1, 4+2, 4+2+1; a pod of 4 waits with 4 GPUs free.
RunningCluster volcano_3948() {
  RunningCluster out{.nodes = {node_of(8), node_of(8), node_of(8)},
                     .classes = {pod_of(1), pod_of(2), pod_of(4)},
                     .running = {}};
  for (const auto& [pod, node] :
       {std::pair{2u, 0u}, {1u, 0u}, {0u, 0u}, {2u, 1u}, {1u, 1u}, {2u, 2u}, {1u, 2u}, {0u, 2u}})
    run(out, pod, node);
  return out;
}

TEST(Repack, MakesRoomWithTwoMoves) {
  const RunningCluster cluster = volcano_3948();
  const Measures before = measures(cluster.nodes);
  EXPECT_EQ(before.largest_pod, 2);
  EXPECT_NEAR(before.gar, 20.0 / 24, 1e-12);
  EXPECT_EQ(before.gfr, 1);
  EXPECT_THAT(make_room(cluster, {2}, {.moves = 1}).without_place, testing::ElementsAre(0u));
  const RepackPlan plan = make_room(cluster, {2});
  EXPECT_EQ(plan.moves, 2);
  EXPECT_TRUE(plan.proven_fewest());
  check_steps(cluster, plan);
  EXPECT_EQ(measures(plan.after.nodes).gar, 1);
}

TEST(Repack, EmptiesTheNodeWithTheFewestPods) {
  RunningCluster cluster{
      .nodes = {node_of(4), node_of(4), node_of(4)}, .classes = {pod_of(1), pod_of(2)}, .running = {}};
  for (const auto& [pod, node] : {std::pair{1u, 0u}, {0u, 1u}, {0u, 1u}, {0u, 1u}, {1u, 2u}, {0u, 2u}})
    run(cluster, pod, node);
  const RepackPlan plan = free_nodes(cluster, 1);
  EXPECT_THAT(plan.freed, testing::ElementsAre(2u))
      << "the pod of 2 of the first node would fit nowhere else";
  EXPECT_EQ(plan.moves, 2);
  EXPECT_EQ(plan.lower_bound, 1);
  check_steps(cluster, plan);
}

TEST(Repack, MovesAShareToAnotherDeviceOfItsNode) {
  RunningCluster cluster{.nodes = {node_of(2)}, .classes = {pod_of(1, 300), pod_of(1)}, .running = {}};
  for (const DeviceSet device : {1, 2}) {
    place(cluster.nodes[0], cluster.classes[0], device);
    cluster.running.push_back({0, 0, device});
  }
  const RepackPlan plan = make_room(cluster, {1});
  EXPECT_EQ(plan.moves, 1);
  check_steps(cluster, plan);
}

/// The fewest moves after which the pod fits, by breadth first over all states; nothing within `most`.
std::optional<int> by_brute_force(const RunningCluster& start, const PodClass& wanted, int most) {
  struct State {
    RunningCluster cluster;
    int moves;
  };
  const auto key = [](const RunningCluster& c) {
    std::vector<std::pair<std::uint32_t, DeviceSet>> out;
    for (const RunningPod& r : c.running) out.emplace_back(r.node, r.devices);
    return out;
  };
  std::set<std::vector<std::pair<std::uint32_t, DeviceSet>>> seen{key(start)};
  std::deque<State> open{{start, 0}};
  for (; !open.empty(); open.pop_front()) {
    const auto& [cluster, moves] = open.front();
    for (const NodeState& n : cluster.nodes)
      if (fits(n, wanted)) return moves;
    if (moves == most) continue;
    for (std::size_t r = 0; r < cluster.running.size(); ++r)
      for (std::uint32_t n = 0; n < cluster.nodes.size(); ++n) {
        RunningCluster next = cluster;
        const RunningPod from = next.running[r];
        const PodClass& pod = next.classes[from.pod_class];
        remove(next.nodes[from.node], pod, from.devices);
        if (!fits(next.nodes[n], pod)) continue;
        std::vector<DeviceSet> choices;
        if (pod.shares()) {
          for (int d = 0; d < next.nodes[n].gpus; ++d)
            if (next.nodes[n].device_free[static_cast<std::size_t>(d)] >= pod.gpu_milli)
              choices.push_back(static_cast<DeviceSet>(1u << d));
        } else {
          choices.push_back(tightest_devices(next.nodes[n], pod));
        }
        for (const DeviceSet devices : choices) {
          RunningCluster moved = next;
          place(moved.nodes[n], pod, devices);
          moved.running[r] = {from.pod_class, n, devices};
          if (seen.insert(key(moved)).second) open.push_back({std::move(moved), moves + 1});
        }
      }
  }
  return {};
}

/// A small cluster, filled by chance.
RunningCluster some_cluster() {
  RunningCluster cluster;
  const int nodes = *rc::gen::inRange(2, 5), pods = *rc::gen::inRange(8, 20);
  for (int i = 0; i < nodes; ++i)
    cluster.nodes.push_back(node_of(*rc::gen::inRange(1, 4), *rc::gen::inRange(3, 12)));
  cluster.classes = {pod_of(1), pod_of(2), pod_of(1, 500), pod_of(1, 300), {.cpu_milli = 2, .models = {}},
                     pod_of(3)};
  cluster.classes[3].cpu_milli = 3;
  for (int i = 0; i < pods; ++i) {
    const auto pod = *rc::gen::inRange<std::uint32_t>(0, 5);
    const auto node = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(cluster.nodes.size()));
    if (fits(cluster.nodes[node], cluster.classes[pod])) run(cluster, pod, node);
  }
  return cluster;
}

RC_GTEST_PROP(Repack, MakesRoomForSeveral, ()) {
  const RunningCluster cluster = some_cluster();
  const auto pending = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange<std::uint32_t>(0, 6));
  const RepackPlan plan = make_room(cluster, pending);
  check_steps(cluster, plan);
  std::multiset<std::uint32_t> seen(plan.without_place.begin(), plan.without_place.end());
  for (const RepackStep& step : plan.steps)
    if (const auto* start = std::get_if<Start>(&step)) {
      RC_ASSERT(start->at.pod_class == pending[start->pending]);
      seen.insert(start->pending);
    }
  RC_ASSERT(seen.size() == pending.size());
  RC_ASSERT(std::set(seen.begin(), seen.end()).size() == pending.size());
  RC_ASSERT(plan.lower_bound <= plan.moves);
}

RC_GTEST_PROP(Repack, EmptiesNodesAndUsesNoNewOnes, ()) {
  const RunningCluster cluster = some_cluster();
  const RepackPlan plan = free_nodes(cluster, *rc::gen::inRange<std::size_t>(1, 4));
  check_steps(cluster, plan);
  RC_ASSERT(plan.lower_bound <= plan.moves);
  for (std::uint32_t n = 0; n < cluster.nodes.size(); ++n) {
    const bool freed = std::ranges::find(plan.freed, n) != plan.freed.end();
    if (freed || cluster.nodes[n].pods == 0) {
      RC_ASSERT(plan.after.nodes[n].pods == 0);
    } else {
      RC_ASSERT(plan.after.nodes[n].pods >= cluster.nodes[n].pods);
    }
    RC_ASSERT(!freed || cluster.nodes[n].pods > 0);
  }
}

RC_GTEST_PROP(Repack, HasTheFewestMoves, ()) {
  const RunningCluster cluster = some_cluster();
  std::vector<std::uint32_t> waiting;  // those for which there is no room now, if any
  for (std::uint32_t c = 0; c < cluster.classes.size(); ++c)
    if (std::ranges::none_of(cluster.nodes, [&](const auto& n) { return fits(n, cluster.classes[c]); }))
      waiting.push_back(c);
  const auto pending = waiting.empty() ? 0u : *rc::gen::elementOf(waiting);
  const auto fewest = by_brute_force(cluster, cluster.classes[pending], 3);
  const RepackPlan plan = make_room(cluster, {pending});
  check_steps(cluster, plan);
  RC_TAG(plan.without_place.empty() ? plan.moves : -1);
  RC_ASSERT(plan.nothing_missed);
  RC_ASSERT(plan.lower_bound <= plan.moves);
  if (plan.without_place.empty()) {
    RC_ASSERT(fewest == plan.moves);
    RC_ASSERT(plan.proven_fewest());
  } else {
    RC_ASSERT(!fewest || *fewest == 3);
  }
}

}  // namespace
}  // namespace etiage::placement
