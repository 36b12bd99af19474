#include <algorithm>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <set>
#include <string>

#include "formats/tsdb/bit_reader.h"
#include "formats/tsdb/block.h"
#include "formats/tsdb/chunk.h"
#include "formats/tsdb/crc32c.h"
#include "formats/tsdb/series_merge.h"

namespace etiage::formats::tsdb {
namespace {

TEST(Crc32c, KnowsThePublishedVectors) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c(""), 0u);
}

TEST(BitReader, StopsAtTheEnd) {
  const std::string bytes = std::string("\xa5\xff", 2) + std::string(BitReader::kPadding, '\0');
  BitReader bits(std::string_view(bytes).substr(0, 2));
  EXPECT_EQ(bits.read(4), 0xaU);
  EXPECT_EQ(bits.read(12), 0x5ffU);
  EXPECT_FALSE(bits.overrun());
  for (int i = 0; i < 1000; ++i) bits.read(64);
  EXPECT_TRUE(bits.overrun());
}

TEST(BitReader, ReadsDifferencesOfBothSigns) {
  EXPECT_EQ(centred(0x2000, 14), 8192);  // 10...0 is the largest positive one
  EXPECT_EQ(centred(0x2001, 14), -8191);
  EXPECT_EQ(centred(0x3fff, 14), -1);
}

RC_GTEST_PROP(Chunk, NeverReadsBeyondDamagedBytes, (const std::string& noise)) {
  for (const int encoding : {1, 2, 3, 4, 5, 6}) {
    std::string chunk;
    chunk += static_cast<char>(noise.size() % 128);
    const std::string body = static_cast<char>(encoding) + noise.substr(0, noise.size() % 128);
    const std::uint32_t sum = crc32c(body);
    chunk += body;
    for (const unsigned shift : {24u, 16u, 8u, 0u}) chunk += static_cast<char>(sum >> shift);
    ChunkSamples out;
    read_chunk(chunk, 0, true, out);
    RC_ASSERT(out.floats.size() < 65536u);
  }
}

TEST(Meta, ReadsWhatThanosAdds) {
  const auto meta = read_meta(
      R"({"version":1,"ulid":"01M8PSF4801CA9K2MYR165S82N","minTime":1,"maxTime":2,"thanos":{"labels":{"b":"2","a":"1","c":""},
                                  "downsample":{"resolution":300000}},"more":[]})");
  ASSERT_TRUE(meta.has_value());
  EXPECT_EQ(meta->downsampled_ms, 300000);
  EXPECT_EQ(meta->external_labels, (ExternalLabels{{"a", "1"}, {"b", "2"}}));
  const auto tenant_of = [](const std::string& label) {
    return read_meta(R"({"version":1,"ulid":"01ARZ3NDEKTSV4RRFFQ69G5FAV","thanos":{"labels":{)" + label +
                     "}}}")
        .value_or(BlockMeta{})
        .tenant;
  };
  EXPECT_EQ(tenant_of(R"("__org_id__":"acme")"), "acme");
  EXPECT_EQ(tenant_of(R"("tenant_id":"acme","replica":"a")"), "acme");
  EXPECT_EQ(tenant_of(R"("cluster":"a")"), "");
  EXPECT_FALSE(read_meta(R"({"version":2})").has_value());
  EXPECT_FALSE(read_meta(R"({"version":1,)").has_value());
  EXPECT_FALSE(read_meta("").has_value());
}

/// As Prometheus 0.316 answered for each of these files.
TEST(Meta, RefusesWhatGoWouldNotDecode) {
  const auto read = [](const char* text) { return read_meta(text).has_value(); };
  EXPECT_FALSE(read(R"({"version":1,"ulid":"01M8PSF4801CA9K2MYR165S82"})"));
  EXPECT_FALSE(read(R"({"version":1,"ulid":"81M8PSF4801CA9K2MYR165S82N"})"));
  EXPECT_TRUE(read(R"({"version":1,"ulid":"01M8PSF4801CA9K2MYR165S82/"})"));
  EXPECT_TRUE(read(R"({"VERSION":1,"minTime":null})"));
  EXPECT_FALSE(read(R"({"version":1,"minTime":1.0})"));
  EXPECT_FALSE(read(R"({"version":1,"stats":{"numSeries":-1}})"));
  EXPECT_FALSE(read(R"({"version":1,"stats":[]})"));
  EXPECT_FALSE(read(R"({"version":1,"compaction":{"sources":["01M8PSF4801CA9K2MYR165S82N",3]}})"));
  EXPECT_FALSE(read(R"({"version":1,"compaction":{"parents":[{"ulid":"U"}]}})"));
  EXPECT_FALSE(read(R"(version: 1)"));
}

RC_GTEST_PROP(MergeSamples, TakesEachStampOnceInOrder,
              (const std::vector<std::vector<std::uint8_t>>& stamps)) {
  std::set<std::int64_t> want;
  std::vector<BlockSamples> blocks;
  for (const auto& of_block : stamps) {
    const std::set<std::int64_t> sorted(of_block.begin(), of_block.end());
    want.insert(sorted.begin(), sorted.end());
    BlockSamples& block = blocks.emplace_back();
    for (const std::int64_t ms : sorted) block.push_back({ms, static_cast<double>(ms)});
  }
  const auto merged = merge_samples(blocks);
  RC_ASSERT(merged.size() == want.size());
  RC_ASSERT(std::ranges::equal(merged, want, {}, &MergedSample::ms));
}

}  // namespace
}  // namespace etiage::formats::tsdb
