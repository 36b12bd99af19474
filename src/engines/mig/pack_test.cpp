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
  const std::vector<std::vector<Instance>> existing{{{"3g.40gb", 0}}, {{"3g.40gb", 0}}};
  const auto change = repack(h100(), existing, {{"3g.40gb", 2}});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->packing.gpus, 1);
  EXPECT_EQ(change->moved, 1);
  const auto still = repack(h100(), existing, {{"3g.40gb", 2}}, 0);
  EXPECT_EQ(still->packing.gpus, 2);
  EXPECT_EQ(still->moved, 0);
}

TEST(Repack, ChoosesWhichInstancesMoveSoThatFewestDo) {
  // 1g at 0 is in the way of a 4g; the second card has the room for both without a move.
  const auto change = repack(h100(), {{{"1g.10gb", 0}, {"3g.40gb", 4}}, {{"3g.40gb", 4}}},
                             {{"4g.40gb", 1}, {"3g.40gb", 2}, {"1g.10gb", 1}});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->packing.gpus, 2);
  EXPECT_EQ(change->moved, 0);
  EXPECT_TRUE(change->proven_fewest);
}

TEST(Repack, RefusesCardsThatCannotBe) {
  EXPECT_THAT(repack(h100(), {{{"3g.40gb", 2}}}, {}).error().message, testing::HasSubstr("slice 2"));
  EXPECT_THAT(repack(h100(), {{{"3g.40gb", 0}, {"1g.10gb", 3}}}, {}).error().message,
              testing::HasSubstr("slice 3"));
  EXPECT_THAT(repack(h100(), {{{"3g.40gb", 0}, {"3g.40gb", 4}, {"1g.10gb", 0}}}, {}).error().message,
              testing::HasSubstr("card 0"));
  EXPECT_FALSE(repack(h100(), {}, {{"1g.10gb", 1}}, -1));
}

Demand some_demand(const MigGeometry& g, int most) {
  Demand demand;
  for (const auto& p : g.profiles)
    if (p.name.find('+') == std::string::npos) demand[p.name] = *rc::gen::inRange(0, most);
  return demand;
}

/// Instances of each profile in all layouts.
Demand held(const std::vector<Layout>& layouts) {
  Demand out;
  for (const auto& l : layouts)
    for (const auto& i : l.instances) out[i.profile] += l.count;
  return out;
}

RC_GTEST_PROP(Repack, KeepsItsAccountsAndNeedsNoMoreCardsThanAFreshPacking, ()) {
  const auto g = h100();
  const auto full = layouts(g);
  std::vector<std::vector<Instance>> existing;
  const int cards = *rc::gen::inRange(0, 6);
  for (int c = 0; c < cards; ++c) {
    auto card = *rc::gen::elementOf(full);
    while (!card.empty() && *rc::gen::inRange(0, 3) == 0) card.pop_back();
    existing.push_back(card);
  }
  std::size_t there = 0;
  for (const auto& c : existing) there += c.size();
  const auto demand = some_demand(g, 6);
  const auto fresh = pack(g, demand);
  const auto change = repack(g, existing, demand), still = repack(g, existing, demand, 0);
  RC_ASSERT(change.has_value() && still.has_value());
  for (const auto* c : {&*change, &*still}) {
    for (const auto& l : c->packing.layouts) RC_ASSERT(sound(g, l));
    auto holds = held(c->packing.layouts);
    for (const auto& [profile, n] : demand) RC_ASSERT(holds[profile] == n);
    RC_ASSERT(c->kept + c->removed == static_cast<int>(there));
    RC_ASSERT(c->moved >= 0 && c->moved <= std::min(c->created, c->removed));
  }
  RC_ASSERT(change->packing.gpus == fresh->gpus);
  RC_ASSERT(still->moved == 0 && still->packing.gpus >= fresh->gpus);
}

/// Fewest cards by trying every pattern for the next card.
int brute_force(const std::vector<std::vector<Instance>>& cards, const Demand& left,
                std::map<Demand, int>& known) {
  if (std::ranges::all_of(left, [](const auto& d) { return d.second == 0; })) return 0;
  if (const auto found = known.find(left); found != known.end()) return found->second;
  int best = 1000;
  for (const auto& card : cards) {
    auto rest = left;
    bool used = false;
    for (const auto& i : card)
      if (auto& n = rest[i.profile]; n > 0) --n, used = true;
    if (used) best = std::min(best, 1 + brute_force(cards, rest, known));
  }
  return known[left] = best;
}

RC_GTEST_PROP(Pack, IsOptimal, ()) {
  const auto g = h100();
  Demand demand;
  for (const auto* p : {"1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb"})
    demand[p] = *rc::gen::inRange(0, 4);
  std::map<Demand, int> known;
  RC_ASSERT(pack(g, demand)->gpus == brute_force(layouts(g), demand, known));
}

RC_GTEST_PROP(Pack, HoldsTheDemandWithoutOverlapAndIsProven, ()) {
  const auto g = h100();
  const auto demand = some_demand(g, 40);
  const auto p = pack(g, demand);
  RC_ASSERT(p.has_value());
  auto holds = held(p->layouts);
  for (const auto& l : p->layouts) RC_ASSERT(sound(g, l));
  for (const auto& [profile, n] : demand) RC_ASSERT(holds[profile] == n);
  RC_ASSERT(p->gpus == p->lower_bound);
}

}  // namespace
}  // namespace etiage::mig
