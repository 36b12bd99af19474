#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/testing/block_writer.h"
#include "formats/testing/sample_log.h"
#include "formats/tsdb/block.h"

namespace etiage::formats::tsdb {
namespace {

using formats::testing::aggregate_chunk;
using formats::testing::write_block;
using formats::testing::WrittenBlock;
using formats::testing::xor_chunk;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kDay = 86'400'000;

std::string meta(std::int64_t from, std::int64_t to, int resolution, const std::string& labels = "") {
  return R"({"version":1,"ulid":"01M8PSF4801CA9K2MYR165S82N","minTime":)" + std::to_string(from) +
         R"(,"maxTime":)" + std::to_string(to) + R"(,"thanos":{"labels":{)" + labels +
         R"(},"downsample":{"resolution":)" + std::to_string(resolution) + "}}}";
}

/// Takes series whose name begins with `once` for such that only samples tell of.
class Log : public SampleLog {
 public:
  Log() : SampleLog({}) {}
  Downsampled downsampled(std::string_view metric) override {
    if (metric.starts_with("once")) return Downsampled::kNever;
    return metric.starts_with("created") ? Downsampled::kMaximum : downsampled_by_name(metric);
  }
};

struct Read {
  std::vector<std::string> lines;
  ReadReport report;
};

Read read(const std::vector<WrittenBlock>& written) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < written.size(); ++i) {
    auto block = open_block(written[i].files("b" + std::to_string(i)));
    EXPECT_TRUE(block) << (block ? "" : block.error().message);
    if (block) blocks.push_back(std::move(*block));
  }
  Log log;
  ReadReport report = read_blocks(blocks, log);
  return {log.lines(), std::move(report)};
}

TEST(Downsampled, GaugesAreAveragesFromTheBeginningOfTheirSpan) {
  // Two spans of 300 s: 20 samples that sum to 10, one that is 3.
  const auto got = read({write_block(
      meta(0, kDay, 300'000),
      {{{{"__name__", "g"}},
        {aggregate_chunk({{{299'999, 20}, {599'999, 1}}, {{299'999, 10}, {599'999, 3}}, {}, {}, {}})}}})});
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"g\"} 0.5@0 3@300000"));
  EXPECT_THAT(got.report.dropped, IsEmpty());
}

TEST(Downsampled, CountersGoOnFromChunkToChunk) {
  // The first chunk ends with its last raw value, 130, at the stamp before; the second begins at 20, after a
  // reset.
  const auto got = read(
      {write_block(meta(0, kDay, 300'000),
                   {{{{"__name__", "c_total"}},
                     {aggregate_chunk({{}, {}, {}, {}, {{0, 100}, {299'999, 150}, {299'999, 130}}}),
                      aggregate_chunk({{}, {}, {}, {}, {{300'000, 20}, {599'999, 50}, {599'999, 50}}}),
                      aggregate_chunk({{}, {}, {}, {}, {{600'000, 60}, {899'999, 90}, {899'999, 90}}})}}})});
  EXPECT_THAT(
      got.lines,
      ElementsAre("{__name__=\"c_total\"} 100@0 150@299999 170@300000 200@599999 210@600000 240@899999"));
}

TEST(Downsampled, WhatNeedsItsSamplesIsRefusedByName) {
  const auto chunk = aggregate_chunk({{{299'999, 5}}, {{299'999, 10}}, {{299'999, 1}}, {{299'999, 3}}, {}});
  const auto got = read({write_block(meta(0, kDay, 300'000), {{{{"__name__", "created"}}, {chunk}},
                                                              {{{"__name__", "once_ready"}}, {chunk}}})});
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"created\"} 3@0", "{__name__=\"once_ready\"}"));
  ASSERT_EQ(got.report.dropped.size(), 1U);
  EXPECT_EQ(got.report.dropped[0].reason,
            "of once_ready the block holds aggregates by 300 s only, and its samples are needed");
}

TEST(Downsampled, FinerBlocksSpeakForTheirTime) {
  const std::vector<formats::testing::WrittenSeries> coarse = {
      {{{"__name__", "g"}},
       {aggregate_chunk(
           {{{299'999, 1}, {kDay + 299'999, 1}}, {{299'999, 7}, {kDay + 299'999, 8}}, {}, {}, {}})}}};
  const std::vector<formats::testing::WrittenSeries> raw = {
      {{{"__name__", "g"}}, {xor_chunk({{0, 1}, {60'000, 2}})}}};
  const auto got =
      read({write_block(meta(0, 2 * kDay, 300'000), coarse), write_block(meta(0, kDay, 0), raw)});
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"g\"} 1@0 2@60000 8@" + std::to_string(kDay)));
}

TEST(Downsampled, DamageIsNamed) {
  auto chunk = aggregate_chunk({{{299'999, 1}}, {{299'999, 7}}, {}, {}, {}});
  chunk.data.resize(chunk.data.size() - 20);
  const auto got = read({write_block(meta(0, kDay, 300'000), {{{{"__name__", "g"}}, {chunk}}})});
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"g\"}"));
  ASSERT_EQ(got.report.dropped.size(), 1U);
  EXPECT_EQ(got.report.dropped[0].reason, "a downsampled chunk is damaged");
}

TEST(ExternalLabels, KeepClustersApartAndLeaveOutWhatMimirAdds) {
  const std::vector<formats::testing::WrittenSeries> series = {{{{"__name__", "g"}}, {xor_chunk({{0, 1}})}}};
  const auto got = read(
      {write_block(meta(0, kDay, 0, R"("cluster":"a","__org_id__":"t","__compactor_shard_id__":"1_of_2")"),
                   series),
       write_block(meta(0, kDay, 0, R"("cluster":"b")"), series)});
  EXPECT_THAT(got.lines,
              ElementsAre("{__name__=\"g\",cluster=\"a\"} 1@0", "{__name__=\"g\",cluster=\"b\"} 1@0"));
}

}  // namespace
}  // namespace etiage::formats::tsdb
