#include "evidence/series_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace etiage::evidence {
namespace {

using formats::Label;
using formats::Sample;

constexpr std::int64_t kStart = 1'790'812'800'000;

void read(SeriesStore& store, const std::string& uuid, std::int64_t from, std::size_t count) {
  const std::vector<Label> labels{{"UUID", uuid}, {"__name__", "DCGM_FI_PROF_SM_ACTIVE"}};
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < count; ++i)
    samples.push_back({kStart + from + static_cast<std::int64_t>(i) * 30'000, static_cast<double>(i) / 1000});
  store.samples(*store.series(labels), samples);
}

std::vector<std::string> uuids(const SeriesStore& store) {
  std::vector<std::string> out;
  for (const Series& s : store.all()) out.emplace_back(s.label("UUID"));
  return out;
}

TEST(SeriesStore, TakesOverWhatIsAnnouncedOnce) {
  SeriesStore all({}, Announced::kOnce), part({}, Announced::kOnce);
  read(all, "b", 0, 300);
  read(all, "d", 0, 10);
  read(part, "a", 0, 300);
  read(part, "c", 0, 1);
  all.absorb(std::move(part));
  SeriesStore texts;
  read(texts, "c", 3'600'000, 2);
  texts.absorb(std::move(all));
  texts.finish(2);
  EXPECT_THAT(uuids(texts), testing::ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(texts.all()[0].samples().size(), 300u);
  const auto joined = texts.all()[2].samples();  // both knew of it
  ASSERT_EQ(joined.size(), 3u);
  EXPECT_EQ(joined[0].ms, kStart);
  EXPECT_EQ(joined[2].ms, kStart + 3'630'000);
}

TEST(SeriesStore, GathersSeriesThatComeByTurns) {
  SeriesStore store;
  for (int round = 0; round < 700; ++round)
    for (const char* uuid : {"a", "b"}) read(store, uuid, round * 30'000, 1);
  read(store, "a", 700 * 30'000, 5);
  store.finish();
  EXPECT_THAT(uuids(store), testing::ElementsAre("a", "b"));
  EXPECT_EQ(store.all()[0].samples().size(), 705u);
  EXPECT_EQ(store.all()[0].samples().back().value, 0.004);
  EXPECT_EQ(store.all()[1].samples().size(), 700u);
}

TEST(SeriesStore, TakesSamplesOfASeriesThatIsNotTheLastAnnounced) {
  SeriesStore store;
  const std::vector<Label> a{{"UUID", "a"}, {"__name__", "DCGM_FI_PROF_SM_ACTIVE"}},
      b{{"UUID", "b"}, {"__name__", "DCGM_FI_PROF_SM_ACTIVE"}};
  const auto first = *store.series(a), second = *store.series(b);
  store.samples(first, std::vector<Sample>{{kStart, 0.25}});
  store.samples(second, std::vector<Sample>{{kStart, 0.5}});
  store.samples(first, std::vector<Sample>{{kStart + 1, 0.75}});
  store.finish();
  EXPECT_EQ(store.all()[0].samples()[1].value, 0.75);
  EXPECT_EQ(store.all()[1].samples()[0].value, 0.5);
}

}  // namespace
}  // namespace etiage::evidence
