#include "explain/waste/waste.h"

#include <gmock/gmock.h>
#include <map>

#include "ledger/booking.h"
#include "ledger/testing/random_evidence.h"

namespace etiage::explain {
namespace {

using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;

constexpr Instant kStart = Instant::unix_seconds(1'790'812'800);  // a full hour

/// Two days of a small cluster, put together piece by piece.
class Scene {
 public:
  Scene() {
    e.window = {kStart, kStart + Duration::hours(48)};
    prices.rows.push_back({PriceKey::kInstanceType, "big", {10'000'000'000'000}});
  }

  NodeId node(const std::string& name, int cards, const std::string& card = "NVIDIA-H100-80GB-HBM3") {
    NodeLife n{.name = name, .instance_type = "big", .card = card, .cards = cards};
    n.life = e.window;
    n.cores = 96, n.memory = Bytes::gib(960);
    n.taints_known = true;
    n.taints = {{"nvidia.com/gpu", "present", TaintEffect::kNoSchedule, {}}};
    e.nodes.push_back(n);
    return {static_cast<std::uint32_t>(e.nodes.size() - 1)};
  }
  PodId pod(NodeId on, const std::string& name, double cores = 4) {
    PodLife p{.ns = "ns", .name = name + "-0", .node = on, .life = {kStart, e.window.end}};
    p.workload = name, p.workload_kind = "Deployment", p.team = "red";
    p.cores = cores, p.memory = Bytes::gib(16);
    e.pods.push_back(p);
    return {static_cast<std::uint32_t>(e.pods.size() - 1)};
  }
  /// A device of the node, held by `pod` for the whole window, busy `u` of each hour.
  DeviceId hold(PodId pod, double u, BusySignal signal = BusySignal::kSmActive,
                const std::string& profile = "", double share = 1) {
    const NodeId on = e.pods[pod.index()].node;
    const DeviceId d{static_cast<std::uint32_t>(e.devices.size())};
    e.devices.push_back({on, "GPU-" + std::to_string(d.value), profile.empty() ? "" : "1", profile, share,
                         e.nodes[on.index()].card});
    const HoldingId h{static_cast<std::uint32_t>(e.holdings.size())};
    e.holdings.push_back({pod, on, d, share, e.pods[pod.index()].life});
    e.pods[pod.index()].devices = {"nvidia.com/gpu", profile, 1};
    for (const Window& w : ledger::cell_spans(e.pods[pod.index()].life, {}))
      e.work.push_back(
          {h, w, signal, grade_of(signal), w.length().as_seconds(), u * w.length().as_seconds()});
    return d;
  }

  Waste waste() {
    ledger = ledger::settle(e, prices);
    return find_waste(e, ledger, autoscalers);
  }

  Evidence e;
  PriceBook prices;
  std::vector<ClusterAutoscaler> autoscalers;
  ledger::Ledger ledger;
};

std::map<std::string, Finding> by_kind(const Waste& waste) {
  std::map<std::string, Finding> out;
  for (const Finding& f : waste.findings) out.emplace(std::string(f.kind), f);
  return out;
}

/// No leaf is claimed for more than it is, and the sums stay below the bill.
void expect_disjoint(const Waste& waste, const ledger::Ledger& ledger, std::uint64_t seed = 0) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Money> taken;
  Money total, weeks;
  for (const Finding& f : waste.findings) {
    Money amount;
    for (const Claim& c : f.claims) taken[{c.cell, c.leaf}] += c.amount, amount += c.amount;
    ASSERT_EQ(amount, f.amount) << "seed " << seed;
    ASSERT_FALSE(f.evidence.empty()) << "seed " << seed;
    ASSERT_FALSE(f.fix.empty()) << "seed " << seed;
    total += amount, weeks += f.per_week;
  }
  for (const auto& [at, amount] : taken)
    ASSERT_LE(amount, ledger.cells[at.first].leaves[at.second].amount) << "seed " << seed;
  ASSERT_LE(total, ledger.bill) << "seed " << seed;
  ASSERT_LE(waste.per_week, waste.bill_per_week) << "seed " << seed;
  ASSERT_EQ(weeks, waste.per_week) << "seed " << seed;
}

TEST(Waste, IsDisjointAndBelowTheBillOnRandomWorlds) {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    auto world = ledger::testing::random_world(seed);
    for (std::size_t i = 0; i < world.evidence.nodes.size(); ++i)
      world.evidence.nodes[i].taints_known = (seed + i) % 2 == 0;
    for (DeviceLife& d : world.evidence.devices) d.memory_peak = Bytes::gib((seed % 9) * 10);
    const std::vector<ClusterAutoscaler> scalers{
        {"",
         {.kind = "ScaledObject",
          .meta = {.ns = "ns1", .name = "s"},
          .target_kind = "",
          .target = "w1",
          .metrics = {{"prometheus", "", "avg(DCGM_FI_DEV_GPU_UTIL)", 50}}}}};
    const auto ledger = ledger::settle(world.evidence, world.prices);
    const Waste waste = find_waste(world.evidence, ledger, scalers);
    found += waste.findings.size();
    expect_disjoint(waste, ledger, seed);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(found, 2000u);
}

TEST(Waste, FewerCardsOfANodeWouldDo) {
  Scene s;
  const PodId p = s.pod(s.node("a", 4), "chat");
  for (int i = 0; i < 4; ++i) s.e.devices[s.hold(p, 0.1).index()].memory_peak = Bytes::gib(15);
  const Waste waste = s.waste();
  const auto found = by_kind(waste);
  ASSERT_TRUE(found.contains("oversized-card"));
  const Finding& f = found.at("oversized-card");
  EXPECT_THAT(f.fix.front(), HasSubstr("nvidia.com/gpu: 1}"));  // 60 GiB and 40 % of a card
  EXPECT_THAT(f.evidence, Contains(Field(&Proof::statement, HasSubstr("60.0 GiB of 4 cards"))));
  expect_disjoint(waste, s.ledger);
}

TEST(Waste, OneReplicaThatNeedsItsCardsKeepsThemForAll) {
  Scene s;
  const NodeId n = s.node("a", 8);
  const PodId small = s.pod(n, "chat"), full = s.pod(n, "chat");
  for (int i = 0; i < 4; ++i) s.e.devices[s.hold(small, 0.1).index()].memory_peak = Bytes::gib(15);
  for (int i = 0; i < 4; ++i) s.e.devices[s.hold(full, 0.1).index()].memory_peak = Bytes::gib(72);
  EXPECT_FALSE(by_kind(s.waste()).contains("oversized-card"));
}

TEST(Waste, OneReplicaThatNeedsItsSliceKeepsItForAll) {
  Scene s;
  const NodeId n = s.node("a", 2);
  const PodId small = s.pod(n, "embed"), full = s.pod(n, "embed");
  s.e.devices[s.hold(small, 0.1).index()].memory_peak = Bytes::gib(8);
  s.e.devices[s.hold(full, 0.1).index()].memory_peak = Bytes::gib(72);
  EXPECT_FALSE(by_kind(s.waste()).contains("oversized-slice"));
}

TEST(Waste, ACheaperCardOfTheClusterWouldDo) {
  Scene s;
  s.prices.rows.push_back({PriceKey::kNodeName, "cheap", {800'000'000'000}});
  s.node("cheap", 1, "NVIDIA-L4");
  // Without MIG on the card there is no smaller slice of it.
  const PodId p = s.pod(s.node("a", 1, "NVIDIA-L40S"), "embed");
  s.e.devices[s.hold(p, 0.05).index()].memory_peak = Bytes::gib(9);
  const PodId full = s.pod(s.node("b", 1, "NVIDIA-L40S"), "chat");
  s.e.devices[s.hold(full, 0.05).index()].memory_peak = Bytes::gib(40);
  const Waste waste = s.waste();
  const auto found = by_kind(waste);
  ASSERT_TRUE(found.contains("oversized-card"));
  EXPECT_EQ(found.at("oversized-card").subject.name, "embed");
  EXPECT_THAT(found.at("oversized-card").fix.front(), HasSubstr("NVIDIA-L4}"));
  EXPECT_EQ(std::ranges::count(waste.findings, std::string_view("oversized-card"), &Finding::kind), 1);
  expect_disjoint(waste, s.ledger);
}

TEST(Waste, AWellFedClusterHasNone) {
  Scene s;
  const NodeId n = s.node("a", 2);
  s.hold(s.pod(n, "chat"), 0.8);
  s.hold(s.pod(n, "search", 1), 0.65);
  EXPECT_THAT(s.waste().findings, ::testing::IsEmpty());
}

TEST(Waste, IdleHeldIsTheIdleMoneyOfAWorkload) {
  Scene s;
  const NodeId n = s.node("a", 2);
  s.hold(s.pod(n, "chat"), 0.2);
  s.hold(s.pod(n, "search"), 0.9);
  const Waste w = s.waste();
  ASSERT_EQ(w.findings.size(), 1u);
  const Finding& f = w.findings[0];
  EXPECT_EQ(f.kind, "idle-held");
  EXPECT_EQ(f.subject, (Subject{"Deployment", "ns", "chat", ""}));
  EXPECT_EQ(f.owner, "red");
  EXPECT_EQ(f.amount, s.ledger.pods[0].buckets[ledger::Bucket::kHeldIdle]);
  EXPECT_EQ(f.per_week.micro, f.amount.micro * 168 / 48);
  EXPECT_EQ(f.since, kStart);
  EXPECT_EQ(f.confidence, Confidence::kHigh);
}

TEST(Waste, AFullQueueIsNotIdleHoweverLittleTheCardComputes) {
  Scene s;
  const PodId p = s.pod(s.node("a", 1), "chat");
  s.hold(p, 0.3);
  for (int i = 0; i < 300; ++i) s.e.saturated.push_back({p, {}, 100});
  EXPECT_THAT(s.waste().findings, ::testing::IsEmpty());
}

TEST(Waste, NothingIsSaidWithoutEvidence) {
  Scene s;
  const PodId p = s.pod(s.node("a", 1), "chat");
  s.hold(p, 0);
  s.e.work.clear();
  EXPECT_THAT(s.waste().findings, ::testing::IsEmpty());
}

TEST(Waste, GpuUtilOfAMigInstanceSaysNothing) {  // dcgm-exporter#105, #216, #430
  Scene s;
  const NodeId n = s.node("a", 1);
  s.hold(s.pod(n, "chat"), 0, BusySignal::kGpuUtil, "7g.80gb");
  EXPECT_THAT(s.waste().findings, ::testing::IsEmpty());
  Scene with;
  const NodeId m = with.node("a", 1);
  with.hold(with.pod(m, "chat"), 0, BusySignal::kGrEngineActive, "7g.80gb");
  EXPECT_TRUE(by_kind(with.waste()).contains("zombie-pod"));
}

TEST(Waste, AZombieIsSilentForLongAndStillThere) {
  Scene s;
  const NodeId n = s.node("a", 2);
  const PodId p = s.pod(n, "old");
  s.hold(p, 0);
  s.hold(s.pod(n, "chat"), 0.9);
  s.e.pods[p.index()].counts_tokens = true;
  auto found = by_kind(s.waste());
  ASSERT_TRUE(found.contains("zombie-pod"));
  EXPECT_EQ(found["zombie-pod"].subject.name, "old");
  EXPECT_EQ(found["zombie-pod"].fix,
            std::vector<std::string>{"kubectl -n ns scale deployment/old --replicas=0"});
  expect_disjoint(s.waste(), s.ledger);

  for (Work& w : s.e.work)  // an hour of work in the last night: idle, and no zombie
    if (w.holding == HoldingId{0} && w.span.end == kStart + Duration::hours(40)) w.busy_seconds = 1800;
  found = by_kind(s.waste());
  EXPECT_FALSE(found.contains("zombie-pod"));
  EXPECT_TRUE(found.contains("idle-held"));
}

TEST(Waste, ASliceIsTooLargeWhereMemoryAndPeakFitASmallerOne) {
  Scene s;
  const NodeId n = s.node("a", 1);
  const PodId p = s.pod(n, "embed");
  const DeviceId d = s.hold(p, 0.1);
  s.e.devices[d.index()].memory_peak = Bytes::gib(8);
  const auto found = by_kind(s.waste());
  ASSERT_TRUE(found.contains("oversized-slice"));
  const Finding& f = found.at("oversized-slice");
  EXPECT_THAT(f.fix.front(), HasSubstr("nvidia.com/mig-1g.10gb: 1"));
  const double whole = s.ledger.pods[0].buckets[ledger::Bucket::kHeldIdle].units() / 0.9;
  EXPECT_NEAR(f.amount.units(), whole * (1 - (0.5 / 7 + 0.5 / 8)), 0.01);
  expect_disjoint(s.waste(), s.ledger);

  s.e.devices[d.index()].memory_peak = Bytes::gib(72);  // an engine that took the card
  EXPECT_FALSE(by_kind(s.waste()).contains("oversized-slice"));
}

TEST(Waste, AnAutoscalerOnGpuUtilGivesNothingBack) {
  Scene s;
  const NodeId n = s.node("a", 1);
  const PodId p = s.pod(n, "chat");
  s.hold(p, 0.2);
  s.e.pods[p.index()].counts_tokens = true;
  Autoscaler a{.kind = "HorizontalPodAutoscaler",
               .meta = {.ns = "ns", .name = "chat"},
               .target_kind = "Deployment",
               .target = "chat"};
  a.metrics = {{"Pods", "DCGM_FI_DEV_GPU_UTIL", "", 95}};
  s.autoscalers = {{"", a}};
  auto found = by_kind(s.waste());
  ASSERT_TRUE(found.contains("wrong-metric"));
  EXPECT_FALSE(found.contains("idle-held"));
  EXPECT_EQ(found["wrong-metric"].subject.kind, "HorizontalPodAutoscaler");

  s.autoscalers[0].autoscaler.metrics = {{"Pods", "vllm:num_requests_waiting", "", 5}};
  found = by_kind(s.waste());
  EXPECT_FALSE(found.contains("wrong-metric"));
  EXPECT_TRUE(found.contains("idle-held"));
}

TEST(Waste, AnEmptyNodeIsUnallocatedAndASmallPodPinsIt) {
  Scene s;
  s.hold(s.pod(s.node("busy", 1), "chat"), 0.9);
  const NodeId n = s.node("spare", 8);
  auto found = by_kind(s.waste());
  ASSERT_TRUE(found.contains("unallocated-node"));
  EXPECT_EQ(found["unallocated-node"].amount, s.ledger.nodes[n.index()].bill);
  EXPECT_EQ(found["unallocated-node"].confidence, Confidence::kMedium);  // no exporter saw its cards

  s.pod(n, "dns", 1);
  found = by_kind(s.waste());
  EXPECT_FALSE(found.contains("unallocated-node"));
  ASSERT_TRUE(found.contains("pinned-node"));
  EXPECT_EQ(found["pinned-node"].subject.name, "spare");
  expect_disjoint(s.waste(), s.ledger);

  s.e.pods.back().workload_kind = "DaemonSet";
  EXPECT_TRUE(by_kind(s.waste()).contains("unallocated-node"));
}

TEST(Waste, CardsThatWorkForNobodyWeKnowAreNotFree) {
  Scene s;
  s.hold(s.pod(s.node("busy", 1), "chat"), 0.9);
  const NodeId n = s.node("spare", 1);
  s.e.devices.push_back({n, "GPU-x", "", "", 1, "H100"});
  s.e.devices.back().free_seconds = 3600 * 48;
  s.e.devices.back().free_busy_seconds = 3600 * 20;
  EXPECT_THAT(s.waste().findings, ::testing::IsEmpty());
}

TEST(Waste, PodsWithoutAGpuOnAnOpenNodeStrandItsCards) {
  Scene s;
  const NodeId n = s.node("open", 2);
  s.e.nodes[n.index()].taints.clear();
  s.hold(s.pod(n, "chat", 40), 0.9);
  s.pod(n, "etl", 56);
  auto found = by_kind(s.waste());
  ASSERT_TRUE(found.contains("gpu-node-open"));
  const Finding f = found["gpu-node-open"];
  EXPECT_EQ(f.amount, s.ledger.buckets[ledger::Bucket::kStranded]);
  EXPECT_EQ(f.fix.front(), "kubectl taint nodes open nvidia.com/gpu=present:NoSchedule");

  s.e.nodes[n.index()].taints_known = false;
  found = by_kind(s.waste());
  EXPECT_FALSE(found.contains("gpu-node-open"));
  EXPECT_TRUE(found.contains("stranded-gpu"));
}

TEST(Waste, TheRestOfAMigCutIsStranded) {
  Scene s;
  const NodeId n = s.node("mig", 1);
  s.e.nodes[n.index()].sharing = Sharing::kMig;
  s.e.nodes[n.index()].rests = {{0, 1.0 / 14}};
  s.hold(s.pod(n, "a"), 0.9, BusySignal::kSmActive, "3g.40gb", 13.0 / 28);
  s.hold(s.pod(n, "b"), 0.9, BusySignal::kSmActive, "3g.40gb", 13.0 / 28);
  const auto found = by_kind(s.waste());
  ASSERT_TRUE(found.contains("stranded-mig"));
  EXPECT_EQ(found.at("stranded-mig").amount, s.ledger.buckets[ledger::Bucket::kStranded]);
  EXPECT_THAT(found.at("stranded-mig").fix.front(), HasSubstr("--demand 3g.40gb=2"));
}

}  // namespace
}  // namespace etiage::explain
