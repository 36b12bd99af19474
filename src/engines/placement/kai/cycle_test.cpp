#include "engines/placement/kai/cycle.h"

#include <gmock/gmock.h>

namespace etiage::placement::kai {
namespace {

using testing::HasSubstr;

Node node(const std::string& name) {
  Node out;
  out.meta.name = name;
  out.allocatable = {{"pods", Quantity::units(10)}, {"nvidia.com/gpu", Quantity::units(8)}};
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
  return std::move(*NodeBook::make({.nodes = {node("a"), node("b")}, .pods = std::move(pods)}));
}

QueueNode queue(const std::string& name, double quota, double limit, const std::string& parent = "") {
  return {.name = name, .parent = parent, .created = {}, .quota = {quota, -1, -1}, .limit = {limit, -1, -1}};
}

QueuedGroup group(const std::string& name, const std::string& of, std::int32_t min_member,
                  std::vector<PodIndex> members, bool preemptible = true) {
  return {.ns = "ml",
          .name = name,
          .queue = of,
          .min_member = min_member,
          .created = {},
          .min_resources = {},
          .preemptible = preemptible,
          .members = std::move(members)};
}

TEST(KaiCycle, SharesOutDownTheTree) {
  NodeBook nodes = book({pod(8), pod(8), pod(8)});
  const auto out =
      run_cycle(nodes, {queue("top", 16, -1), queue("l", 4, -1, "top"), queue("r", 8, -1, "top")},
                {group("x", "l", 1, {0, 1}), group("y", "r", 1, {2})});
  ASSERT_TRUE(out);
  EXPECT_DOUBLE_EQ(out->queues[0].fair_share[0], 16);
  EXPECT_DOUBLE_EQ(out->queues[1].fair_share[0], 8);
  EXPECT_DOUBLE_EQ(out->queues[2].fair_share[0], 8);
  EXPECT_EQ(out->groups[1].pods.size(), 1u);  // within its quota: before the queue that is not
  EXPECT_EQ(out->groups[0].pods.size(), 1u);
  EXPECT_DOUBLE_EQ(out->queues[0].allocated[0], 16);
}

TEST(KaiCycle, LimitsAndQuotasHold) {
  NodeBook nodes = book({pod(4), pod(5), pod(4)});
  const auto out = run_cycle(nodes, {queue("q", 4, 8), queue("none", 4, 0)},
                             {group("fixed", "q", 1, {1}, false), group("wide", "none", 2, {0, 2})});
  ASSERT_TRUE(out);
  EXPECT_THAT(out->groups[0].reason, HasSubstr("more than its quota of 4"));
  EXPECT_THAT(out->groups[1].reason, HasSubstr("queue none would hold 8 gpu, more than its limit of 4"));
}

TEST(KaiCycle, AGangIsPlacedAsAWhole) {
  NodeBook nodes = book({pod(6), pod(6), pod(6)});
  const auto out = run_cycle(nodes, {queue("q", 16, -1)}, {group("gang", "q", 3, {0, 1, 2})});
  ASSERT_TRUE(out);
  EXPECT_THAT(out->groups[0].reason, HasSubstr("2 of minMember 3 pods find a place"));
  EXPECT_DOUBLE_EQ(out->queues[0].allocated[0], 0);
}

TEST(KaiCycle, NamesWhoIsAboveItsShare) {
  NodeBook nodes = book({pod(8, "a"), pod(8, "b"), pod(8)});
  const auto out = run_cycle(nodes, {queue("giver", 8, -1), queue("taker", 8, -1)},
                             {group("runs", "giver", 1, {0, 1}), group("waits", "taker", 1, {2})});
  ASSERT_TRUE(out);
  EXPECT_THAT(out->groups[0].reclaims_from, testing::ElementsAre("giver"));
}

TEST(KaiCycle, RefusesATreeThatIsNone) {
  NodeBook nodes = book({});
  EXPECT_FALSE(run_cycle(nodes, {queue("a", 1, 1, "b"), queue("b", 1, 1, "a")}, {}));
  EXPECT_FALSE(run_cycle(nodes, {queue("a", 1, 1, "lost")}, {}));
}

}  // namespace
}  // namespace etiage::placement::kai
