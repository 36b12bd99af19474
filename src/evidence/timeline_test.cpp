#include "evidence/timeline.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace etiage::evidence {
namespace {

using formats::Sample;

Instant at(std::int64_t s) {
  return Instant::unix_seconds(s);
}
std::vector<Sample> every_minute(std::initializer_list<double> values) {
  std::vector<Sample> out;
  for (double v : values) out.push_back({static_cast<std::int64_t>(out.size()) * 60'000, v});
  return out;
}
const double kStale = std::bit_cast<double>(std::uint64_t{0x7ff0000000000002});

TEST(Timeline, ASampleHoldsToTheNextAndAtMostFiveMinutes) {
  const std::vector<Sample> samples{{0, 1}, {60'000, 2}, {60'000 * 60, 3}};
  const Segments s = held(samples, hold_limit(every_minute({1, 2, 3})));
  ASSERT_EQ(s.size(), 3u);
  EXPECT_EQ(s[0].span, (Window{at(0), at(60)}));
  EXPECT_EQ(s[1].span, (Window{at(60), at(360)}));
  EXPECT_EQ(s[2].span, (Window{at(3600), at(3900)}));
}

TEST(Timeline, TheLimitFollowsTheModalInterval) {
  const std::vector<Sample> slow{{0, 1}, {600'000, 1}, {1'200'000, 1}, {1'260'000, 1}};
  EXPECT_EQ(hold_limit(slow), Duration::seconds(1800));
  EXPECT_EQ(modal_interval(std::vector<Sample>{{0, 1}, {60'000, 1}, {180'000, 1}}), Duration::seconds(120))
      << "of two as common the longer";
  EXPECT_EQ(hold_limit(std::vector<Sample>{{0, 1}}), Duration::seconds(300));
}

TEST(Timeline, AStaleMarkerEndsAtOnce) {
  const auto s = held(every_minute({1, kStale, 1}), Duration::seconds(300));
  ASSERT_EQ(s.size(), 2u);
  EXPECT_EQ(s[0].span.end, at(60));
  EXPECT_EQ(s[1].span.start, at(120));
}

TEST(Timeline, EqualNeighboursBecomeOne) {
  EXPECT_EQ(held(every_minute({1, 1, 1}), Duration::seconds(300)).size(), 1u);
}

double grown(const std::vector<Growth>& growth) {
  double sum = 0;
  for (const auto& g : growth) sum += g.amount;
  return sum;
}

TEST(Timeline, AFallCountsTheNewValueWhole) {
  EXPECT_DOUBLE_EQ(grown(growth(every_minute({100, 160, 20, 50}), Duration::seconds(300), at(-1000), {})),
                   60 + 20 + 30);
}

TEST(Timeline, TheFirstValueCountsOnlyOfAFreshContainer) {
  const auto samples = every_minute({100, 160});
  const auto with = [&](std::int64_t begun, std::int64_t window) {
    const std::vector<Instant> list{at(begun)};
    return grown(growth(samples, Duration::seconds(300), at(window), list));
  };
  EXPECT_DOUBLE_EQ(with(-120, -1000), 160) << "started two minutes before: spread from there";
  EXPECT_DOUBLE_EQ(with(-300, -1000), 60) << "started as long before as a sample may speak";
  EXPECT_DOUBLE_EQ(with(-120, -60), 60) << "started before the window";
  EXPECT_DOUBLE_EQ(grown(growth(samples, Duration::seconds(300), at(-1000), {})), 60) << "nobody knows when";
}

TEST(Timeline, AdjoiningWindowsAddUp) {
  const Segments r = rates(growth(every_minute({0, 60, 90, 300}), Duration::seconds(300), at(-1000), {}));
  const auto in = [&](std::int64_t a, std::int64_t b) {
    double sum = 0;
    inside(r, {at(a), at(b)}, [&](Window w, double v) { sum += w.length().as_seconds() * v; });
    return sum;
  };
  EXPECT_DOUBLE_EQ(in(0, 180), 300);
  for (std::int64_t cut : {1, 59, 60, 61, 100, 179}) EXPECT_NEAR(in(0, cut) + in(cut, 180), 300, 1e-9) << cut;
}

TEST(Timeline, SumsWhereAnyHasEvidence) {
  const Segments a{{{at(0), at(60)}, 1}}, b{{{at(30), at(90)}, 2}};
  const Segments s = sum({a, b});
  ASSERT_EQ(s.size(), 3u);
  EXPECT_EQ(s[1], (Segment{{at(30), at(60)}, 3}));
  EXPECT_EQ(s[2], (Segment{{at(60), at(90)}, 2}));
}

}  // namespace
}  // namespace etiage::evidence
