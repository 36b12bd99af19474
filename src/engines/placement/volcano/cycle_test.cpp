#include "engines/placement/volcano/cycle.h"

#include <gmock/gmock.h>

namespace etiage::placement::volcano {
namespace {

using testing::HasSubstr;

Node node(const std::string& name, std::int64_t gpus) {
  Node out;
  out.meta.name = name;
  out.allocatable = {{"pods", Quantity::units(10)}, {"nvidia.com/gpu", Quantity::units(gpus)}};
  return out;
}

Pod pod(std::int64_t gpus, const std::string& on = "") {
  Pod out;
  out.meta.ns = "ml";
  out.spec.node_name = on;
  out.spec.containers.push_back({.name = "c"});
  out.spec.containers.back().requests["nvidia.com/gpu"] = Quantity::units(gpus);
  return out;
}

NodeBook book(std::vector<Pod> pods) {
  return std::move(*NodeBook::make({.nodes = {node("a", 8), node("b", 8)}, .pods = std::move(pods)}));
}

Queue queue(const std::string& name, double deserved) {
  Queue out{.name = name};
  out.deserved = resource_of({{"nvidia.com/gpu", deserved}});
  return out;
}

QueuedGroup group(const std::string& name, const std::string& of, std::int32_t min_member,
                  std::vector<PodIndex> members) {
  return {.ns = "ml",
          .name = name,
          .queue = of,
          .min_member = min_member,
          .created = {},
          .min_resources = {},
          .members = std::move(members)};
}

CycleResult cycle(NodeBook& nodes, std::vector<Queue> queues, const std::vector<QueuedGroup>& groups,
                  const Rules& rules) {
  return std::move(*run_cycle(nodes, std::move(queues), groups, rules));
}

TEST(VolcanoCycle, AGangThatDoesNotFitLeavesNothingBehind) {
  NodeBook nodes = book({pod(5), pod(5), pod(5), pod(8)});
  const auto out =
      cycle(nodes, {queue("q", 16)}, {group("gang", "q", 3, {0, 1, 2}), group("single", "q", 1, {3})},
            {.by_capacity = true});
  EXPECT_THAT(out.groups[0].reason, HasSubstr("2 of minMember 3 pods find a place; 0/2 nodes"));
  EXPECT_TRUE(out.groups[0].pods.empty());
  EXPECT_EQ(out.groups[1].pods.size(), 1u);
  EXPECT_DOUBLE_EQ(amounts_of(out.queues[0].queue.allocated).at("nvidia.com/gpu"), 8);
}

TEST(VolcanoCycle, ProportionKeepsAQueueToItsShare) {
  NodeBook nodes = book({pod(4), pod(4), pod(4), pod(4), pod(4), pod(4)});
  const auto out = cycle(nodes, {{.name = "large", .weight = 3}, {.name = "small", .weight = 1}},
                         {group("l", "large", 1, {0, 1, 2}), group("s", "small", 1, {3, 4, 5})}, {});
  EXPECT_EQ(out.groups[0].pods.size(), 3u);
  EXPECT_EQ(out.groups[1].pods.size(), 1u);
  EXPECT_THAT(out.groups[1].reason, HasSubstr("queue small"));
}

TEST(VolcanoCycle, TheGateKeepsWhatTheQueueCannotHoldOut) {
  NodeBook nodes = book({pod(4)});
  Queue limited = queue("q", 4);
  limited.capability = resource_of({{"nvidia.com/gpu", 4}});
  QueuedGroup asks = group("gang", "q", 1, {0});
  asks.min_resources = Amounts{{"nvidia.com/gpu", 5}};
  const auto out = cycle(nodes, {limited}, {asks}, {.by_capacity = true});
  EXPECT_THAT(out.groups[0].reason, HasSubstr("queue resource quota insufficient"));
}

TEST(VolcanoCycle, ReclaimNamesWhoWouldGive) {
  NodeBook nodes = book({pod(8, "a"), pod(8, "b"), pod(4)});
  const auto run = [&](std::int32_t min_member, bool reclaims) {
    return cycle(nodes, {queue("giver", 8), queue("taker", 8)},
                 {group("runs", "giver", min_member, {0, 1}), group("waits", "taker", 1, {2})},
                 {.reclaims = reclaims, .by_capacity = true})
        .groups[0]
        .reclaims_from;
  };
  EXPECT_THAT(run(1, true), testing::ElementsAre("giver"));
  EXPECT_TRUE(run(2, true).empty());  // its gang would break
  EXPECT_TRUE(run(1, false).empty());
}

TEST(VolcanoCycle, SaysWhyAGroupIsNoCandidate) {
  NodeBook nodes = book({pod(1), pod(1)});
  const auto out =
      cycle(nodes, {queue("q", 16)}, {group("few", "q", 2, {0}), group("lost", "nowhere", 1, {1})}, {});
  EXPECT_EQ(out.groups[0].reason, "1 of minMember 2 pods exist");
  EXPECT_EQ(out.groups[1].reason, "queue nowhere does not exist");
}

TEST(VolcanoCycle, PodsWithoutRequestsAreFilledInLast) {
  NodeBook nodes = book({pod(8), pod(0)});
  const std::vector<QueuedGroup> groups{group("free", "q", 1, {1}), group("asks", "q", 1, {0})};
  const auto out = cycle(nodes, {queue("q", 16)}, groups, {.by_capacity = true});
  EXPECT_EQ(out.groups[0].pods.size(), 1u);
  NodeBook others = book({pod(8), pod(0)});
  const auto without = cycle(others, {queue("q", 16)}, groups, {.backfills = false, .by_capacity = true});
  EXPECT_TRUE(without.groups[0].pods.empty());
}

TEST(VolcanoCycle, AClosedQueueTakesNothingIn) {
  NodeBook nodes = book({pod(1)});
  Queue closed = queue("q", 16);
  closed.open = false;
  const auto out = cycle(nodes, {closed}, {group("g", "q", 1, {0})}, {.by_capacity = true});
  EXPECT_THAT(out.groups[0].reason, HasSubstr("queue q is not open"));
}

}  // namespace
}  // namespace etiage::placement::volcano
