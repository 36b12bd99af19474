#include "engines/mig/pack.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "catalog/mig_geometry.h"

namespace etiage::mig {
namespace {

MigGeometry h100() {
  return *catalog::mig_geometry("h100-sxm-80gb");
}

bool sound(const MigGeometry& g, const Layout& l) {
  unsigned used = 0;
  int compute = 0;
  for (const auto& i : l.instances) {
    const auto* p = g.find(i.profile);
    const unsigned body = ((1U << p->memory) - 1) << i.start;
    if ((used & body) != 0 || std::ranges::find(p->starts, i.start) == p->starts.end()) return false;
    used |= body;
    compute += p->compute;
  }
  return compute <= g.compute_slices;
}

TEST(Pack, TheExampleOfTheContract) {
  const auto p = pack(h100(), {{"1g.10gb", 29}, {"3g.40gb", 16}});
  ASSERT_TRUE(p);
  EXPECT_EQ(p->gpus, 12);  // 3g+3g strands a compute slice; 3g with 1g x4 does not
  EXPECT_EQ(p->lower_bound, p->gpus);
}

TEST(Pack, SevenSmallOnesOrOneLargeFillACard) {
  EXPECT_EQ(pack(h100(), {{"1g.10gb", 7}})->gpus, 1);
  EXPECT_EQ(pack(h100(), {{"1g.10gb", 8}})->gpus, 2);
  EXPECT_EQ(pack(h100(), {{"7g.80gb", 3}})->gpus, 3);
  EXPECT_EQ(pack(h100(), {})->gpus, 0);
}

TEST(Pack, RefusesWhatMakesNoSense) {
  EXPECT_THAT(pack(h100(), {{"9g.90gb", 1}}).error().message, testing::HasSubstr("9g.90gb"));
  EXPECT_FALSE(pack(h100(), {{"1g.10gb", -1}}));
}

TEST(Repack, LeavesInPlaceWhatIsStillWanted) {
  const auto change =
      repack(h100(), {{{"3g.40gb", 0}, {"1g.10gb", 4}}, {{"3g.40gb", 4}}}, {{"3g.40gb", 2}, {"1g.10gb", 3}});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->kept, 3);
  EXPECT_EQ(change->moved, 0);
  EXPECT_EQ(change->packing.gpus, 2);
}

TEST(Repack, MovesWhereThatSavesACard) {
  const auto change = repack(h100(), {{{"3g.40gb", 0}}, {{"3g.40gb", 0}}}, {{"3g.40gb", 2}});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->packing.gpus, 1);
  EXPECT_EQ(change->moved, 1);
}

RC_GTEST_PROP(Pack, HoldsTheDemandWithoutOverlapAndNearItsBound, ()) {
  const auto g = h100();
  Demand demand;
  for (const auto& p : g.profiles)
    if (p.name.find('+') == std::string::npos) demand[p.name] = *rc::gen::inRange(0, 40);
  const auto p = pack(g, demand);
  RC_ASSERT(p.has_value());
  Demand held;
  int cards = 0;
  for (const auto& l : p->layouts) {
    RC_ASSERT(sound(g, l));
    cards += l.count;
    for (const auto& i : l.instances) held[i.profile] += l.count;
  }
  for (const auto& [profile, n] : demand) RC_ASSERT(held[profile] == n);
  RC_ASSERT(cards == p->gpus && p->lower_bound <= p->gpus && p->gpus <= p->lower_bound + 1);
}

}  // namespace
}  // namespace etiage::mig
