#include "evidence/claims.h"

#include <gtest/gtest.h>

#include "evidence/build.h"

namespace etiage::evidence {
namespace {

/// One node with a card behind DRA, measured at 0.5 by rows that name nobody, and a claim that `pods` share.
Sources shared_card(int pods) {
  Cluster c;
  c.nodes.push_back({.meta = {.name = "n1"}});
  ResourceSlice slice{.driver = "gpu.nvidia.com", .pool = {.name = "n1"}};
  slice.reach.node_name = "n1";
  slice.devices.push_back({.name = "gpu-0"});
  slice.devices.back().attributes["uuid"] = std::string("GPU-1");
  slice.devices.back().attributes["gpu.nvidia.com/productName"] = std::string("NVIDIA H100 80GB HBM3");
  c.dra.slices.push_back(slice);
  ResourceClaim claim{.meta = {.ns = "a", .name = "shared"}};
  claim.allocation =
      Allocation{{{.request = "gpu", .driver = "gpu.nvidia.com", .pool = "n1", .device = "gpu-0"}}};
  for (int i = 0; i < pods; ++i) {
    const std::string name = "p" + std::to_string(i);
    claim.reserved_for.push_back({"", "pods", name, name});
    Pod pod{.meta = {.ns = "a", .name = name, .uid = name, .created = Instant{}}};
    pod.spec.node_name = "n1";
    pod.spec.claims.push_back({"gpu", "shared", ""});
    c.pods.push_back(pod);
  }
  c.dra.claims.push_back(claim);
  SeriesStore store;
  const std::vector<formats::Label> labels{
      {"Hostname", "n1"}, {"UUID", "GPU-1"}, {"__name__", "DCGM_FI_PROF_SM_ACTIVE"}};
  const std::vector<formats::Sample> samples{{0, 0.5}, {60'000, 0.5}};
  const auto ref = store.series(labels);
  store.samples(*ref, samples);
  store.finish();
  return {{{"", c}}, std::move(store)};
}

TEST(Claims, ASharedClaimIsDividedEvenlyBetweenItsConsumers) {
  const Evidence e = build_evidence(shared_card(2), {});
  ASSERT_EQ(e.nodes.size(), 1u);
  EXPECT_EQ(e.nodes[0].cards, 1);
  EXPECT_EQ(e.nodes[0].card, "NVIDIA H100 80GB HBM3");
  ASSERT_EQ(e.holdings.size(), 2u);
  for (const Holding& h : e.holdings) {
    EXPECT_DOUBLE_EQ(h.share, 0.5);
    EXPECT_EQ(e.devices[h.device.index()].uuid, "GPU-1");
  }
  ASSERT_EQ(e.work.size(), 2u);
  EXPECT_DOUBLE_EQ(e.work[0].busy_seconds / e.work[0].measured_seconds, 0.5);
}

/// Shares of the holdings, in the order of pods.
std::vector<double> shares(const Sources& sources) {
  std::vector<double> out;
  for (const Holding& h : build_evidence(sources, {}).holdings) out.push_back(h.share);
  return out;
}

TEST(Claims, WhatWasConsumedByAmountIsDividedBetweenTheClaimsConsumers) {
  Sources sources = shared_card(2);
  DraObjects& dra = sources.clusters[0].objects.dra;
  dra.slices[0].devices[0].capacity["memory"].value = {"80Gi", *Quantity::parse("80Gi")};
  dra.slices[0].devices[0].capacity["shares"].value = {"4", *Quantity::parse("4")};
  auto& consumed = dra.claims[0].allocation->devices[0].consumed;
  consumed = {{"shares", *Quantity::parse("2")}};
  EXPECT_EQ(shares(sources), (std::vector{0.25, 0.25}));
  consumed["gpu.nvidia.com/memory"] = *Quantity::parse("20Gi");
  EXPECT_EQ(shares(sources), (std::vector{0.125, 0.125}));
}

TEST(Claims, APartitionIsItsPartOfItsOwnCard) {
  Sources sources = shared_card(1);
  sources.clusters[0].objects.dra.slices[0].devices[0].attributes["profile"] = std::string("3g.40gb");
  EXPECT_EQ(shares(sources), std::vector{3.0 / 14 + 4.0 / 16});
}

TEST(Claims, WhatIsReservedForAPodIsHeldThoughItsSpecNamesNoClaim) {
  Sources sources = shared_card(1);
  sources.clusters[0].objects.pods[0].spec.claims.clear();
  EXPECT_EQ(shares(sources), std::vector{1.0});
  sources.clusters[0].objects.dra.claims[0].reserved_for[0].uid = "an earlier pod of that name";
  EXPECT_TRUE(shares(sources).empty());
}

TEST(Claims, AdminAccessHoldsNothing) {
  Sources sources = shared_card(1);
  sources.clusters[0].objects.dra.claims[0].allocation->devices[0].admin_access = true;
  EXPECT_TRUE(build_evidence(sources, {}).holdings.empty());
}

TEST(Claims, ADeviceThatNoRowShowsIsUnmeasured) {
  Sources sources = shared_card(1);
  sources.series = SeriesStore();
  Request request;
  request.window.absolute = Window{Instant{}, Instant::unix_seconds(3600)};
  const Evidence e = build_evidence(sources, request);
  ASSERT_EQ(e.holdings.size(), 1u);
  EXPECT_TRUE(e.holdings[0].device.valid());
  EXPECT_TRUE(e.work.empty());
}

}  // namespace
}  // namespace etiage::evidence
