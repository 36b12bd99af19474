#include "explain/queue_reason.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etiage::explain {
namespace {

constexpr Instant kNow = Instant::unix_seconds(1'767'268'800);

Workload job(const std::string& name, std::int64_t gpus, std::int32_t priority) {
  Workload w;
  w.meta.ns = "default";
  w.meta.name = w.meta.uid = name;
  w.meta.created = kNow - Duration::hours(1);
  w.queue = "lq";
  w.priority = priority;
  PodSet p;
  Container c;
  c.requests["nvidia.com/gpu"] = Quantity::units(gpus);
  p.spec.containers.push_back(c);
  w.pod_sets.push_back(p);
  return w;
}

QueueObjects eight_gpus() {
  QueueObjects out;
  out.flavors.emplace_back().meta.name = "h200";
  ClusterQueue q;
  q.meta.name = "team";
  q.namespace_selector = LabelSelector{};
  q.resource_groups = {
      {{"nvidia.com/gpu"}, {{"h200", {{.resource = "nvidia.com/gpu", .nominal = Quantity::units(8)}}}}}};
  out.cluster_queues.push_back(q);
  LocalQueue& local = out.local_queues.emplace_back();
  local.meta.ns = "default";
  local.meta.name = "lq";
  local.cluster_queue = "team";
  return out;
}

TEST(QueueReason, SaysWhatIsMissingAndWhatWouldHelp) {
  QueueObjects objects = eight_gpus();
  objects.workloads = {job("first", 6, 100), job("second", 4, 0)};
  const auto reason = queue_reason(objects, {}, *quota::release("0.19", {}), kNow, "second");
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason->decision.outcome, "pending");
  EXPECT_EQ(reason->decision.message,
            "couldn't assign flavors to pod set main: insufficient unused quota for nvidia.com/gpu in flavor "
            "h200, 2 more needed");
  EXPECT_THAT(reason->changes,
              testing::ElementsAre("2 nvidia.com/gpu more nominalQuota of flavor h200 in ClusterQueue team",
                                   "a priority above 100 (now 0)", "the end of default/first"));
  EXPECT_THAT(reason->holders, testing::ElementsAre(QuotaHolder{"default/first", "team", 100, false}));
}

TEST(QueueReason, NamesThoseThatComeBeforeIt) {
  QueueObjects objects = eight_gpus();
  objects.workloads = {job("huge", 8, 100), job("big", 8, 50), job("small", 8, 0)};
  const auto reason = queue_reason(objects, {}, *quota::release("0.19", {}), kNow, "default/small");
  ASSERT_TRUE(reason);
  EXPECT_THAT(reason->behind, testing::ElementsAre("default/huge", "default/big"));
}

std::vector<std::string> changes_of(const QueueObjects& objects, const std::string& name) {
  return queue_reason(objects, {}, *quota::release("0.19", {}), kNow, name)->changes;
}

TEST(QueueReason, WhatIsBrokenIsNamedFirst) {
  QueueObjects objects = eight_gpus();
  objects.workloads = {job("only", 1, 0)};
  EXPECT_TRUE(changes_of(objects, "only").empty());
  objects.cluster_queues[0].stop = StopPolicy::kHold;
  EXPECT_THAT(changes_of(objects, "only"), testing::ElementsAre("stopPolicy: None in ClusterQueue team"));
  objects.cluster_queues[0].stop = StopPolicy::kNone;
  objects.cluster_queues[0].namespace_selector.reset();
  EXPECT_THAT(changes_of(objects, "only"), testing::ElementsAre(testing::HasSubstr("namespaceSelector: {}")));
  objects.cluster_queues[0].namespace_selector = LabelSelector{};
  objects.workloads[0].active = false;
  EXPECT_THAT(changes_of(objects, "only"), testing::ElementsAre("spec.active: true"));
}

TEST(QueueReason, ResourcesWithoutQuotaAreNamed) {
  QueueObjects objects = eight_gpus();
  objects.workloads = {job("only", 1, 0)};
  objects.workloads[0].pod_sets[0].spec.containers[0].requests["cpu"] = Quantity::units(2);
  EXPECT_THAT(changes_of(objects, "only"),
              testing::ElementsAre("a resourceGroup for 2 cpu in ClusterQueue team on a flavor of its own"));
}

TEST(QueueReason, AnUnknownNameIsAnError) {
  EXPECT_FALSE(queue_reason(eight_gpus(), {}, *quota::release("0.19", {}), kNow, "nobody"));
}

}  // namespace
}  // namespace etiage::explain
