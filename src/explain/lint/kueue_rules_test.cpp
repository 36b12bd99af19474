#include "explain/lint/kueue_rules.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etiage::explain {
namespace {

std::vector<std::string> codes(const Diagnostics& diagnostics) {
  std::vector<std::string> out;
  for (const Diagnostic& d : diagnostics) out.push_back(d.code);
  return out;
}

/// The ClusterQueue that many articles show: three resources covered, one named by the flavor, no preemption.
ClusterQueue from_the_article() {
  ClusterQueue q;
  q.meta.name = "team-a";
  q.cohort = "gpus";
  q.namespace_selector = LabelSelector{};
  q.resource_groups = {{{"cpu", "memory", "nvidia.com/gpu"},
                        {{"h200",
                          {{.resource = "nvidia.com/gpu",
                            .nominal = Quantity::units(32),
                            .borrowing_limit = Quantity::units(16)}}}}}};
  return q;
}

TEST(KueueRules, TheArticlesClusterQueueIsRefused) {
  const Diagnostics found = refusals(from_the_article());
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().code, "kueue-flavor-resources");
  EXPECT_THAT(found.front().message,
              testing::HasSubstr("flavors must have the same number of resources as the coveredResources"));
}

TEST(KueueRules, TheRightOneHasAGroupForEachKindOfFlavor) {
  const std::string right = right_resource_groups(from_the_article());
  EXPECT_THAT(right,
              testing::HasSubstr("{coveredResources: [nvidia.com/gpu], flavors: [{name: h200, resources: "
                                 "[{name: nvidia.com/gpu, nominalQuota: 32, borrowingLimit: 16}]}]}"));
  EXPECT_THAT(right, testing::HasSubstr("{coveredResources: [cpu, memory], flavors: [{name: default-flavor"));
}

TEST(KueueRules, LentQuotaThatCannotComeBackIsRemarked) {
  LintInput input;
  input.queues.cluster_queues.push_back(from_the_article());
  Diagnostics out;
  lint_kueue(input, out);
  EXPECT_THAT(codes(out), testing::Contains("kueue-no-reclaim"));
  input.queues.cluster_queues[0].preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
  out.clear();
  lint_kueue(input, out);
  EXPECT_THAT(codes(out), testing::Not(testing::Contains("kueue-no-reclaim")));
}

TEST(KueueRules, LimitsNeedACohortAndNoMoreIsLentThanThereIs) {
  ClusterQueue q = from_the_article();
  q.resource_groups = {{{"cpu"},
                        {{"f",
                          {{.resource = "cpu",
                            .nominal = Quantity::units(4),
                            .borrowing_limit = {},
                            .lending_limit = Quantity::units(5)}}}}}};
  EXPECT_THAT(codes(refusals(q)), testing::ElementsAre("kueue-lending-limit"));
  q.cohort.clear();
  EXPECT_THAT(codes(refusals(q)), testing::ElementsAre("kueue-limit-without-cohort", "kueue-lending-limit"));
}

TEST(KueueRules, ClusterQueueWithoutSelectorAdmitsNothing) {
  LintInput input;
  input.queues.cluster_queues.push_back(from_the_article());
  input.queues.cluster_queues[0].namespace_selector.reset();
  Diagnostics out;
  lint_kueue(input, out);
  EXPECT_THAT(codes(out), testing::Contains("kueue-null-namespace-selector"));
}

}  // namespace
}  // namespace etiage::explain
