#include "app/read_samples.h"

#include <bit>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>

#include "adapters/input_file.h"
#include "adapters/tsdb_blocks.h"
#include "app/inspect.h"
#include "app/sample_table.h"
#include "formats/document.h"
#include "formats/text/number.h"

namespace etiage::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kSets = ETIAGE_SOURCE_DIR "/tests/conformance/tsdb/";

/// Numbers by their bits, all NaN alike but for the stale marker.
std::string value_of(const Tree& value) {
  if (!value.is_string()) {
    std::string out = "{";
    for (const auto& [name, member] : value.members()) {
      out += name + ':' + member.text();
      for (const Tree& item : member.items()) {
        out += ' ' + item.text();
        for (const Tree& number : item.items()) out += '/' + number.text();
      }
      out += ',';
    }
    return out + '}';
  }
  const std::string& text = value.text();
  if (text == "StaleNaN" || text.starts_with("NaN")) return text.substr(0, text.find('('));
  return std::to_string(std::bit_cast<std::uint64_t>(formats::text::parse_float(text).value()));
}

using Samples = std::map<std::string, std::vector<std::string>>;

Samples samples_of(std::string_view json_lines) {
  Diagnostics diagnostics;
  Samples out;
  for (const Tree& line : formats::read_documents(json_lines, "samples", diagnostics)) {
    std::map<std::string, std::string> labels;
    for (const auto& [name, value] : line["labels"].members()) labels[name] = value.text();
    std::string key;
    for (const auto& [name, value] : labels) key.append(name).append(1, '=').append(value).append(1, '\n');
    for (const Tree& s : line["samples"].items())
      out[key].push_back(s.at(0).text() + ' ' + value_of(s.at(1)));
  }
  EXPECT_THAT(diagnostics, IsEmpty());
  return out;
}

Samples recorded(const std::string& set) {
  auto file = adapters::InputFile::open(kSets + set + "/expected.jsonl.gz");
  return samples_of(file.value().whole().bytes);
}

/// Stamps for which blocks hold different values: any of them may be returned.
std::set<std::string> free_stamps(const std::string& set) {
  std::set<std::string> out;
  auto file = adapters::InputFile::open(kSets + set + "/duplicates.jsonl.gz");
  Diagnostics diagnostics;
  if (file)
    for (const Tree& line : formats::read_documents(file->whole().bytes, set, diagnostics))
      out.insert(line["ms"].text());
  return out;
}

std::pair<Samples, Diagnostics> read(const std::string& set) {
  std::ostringstream out;
  const std::string path = kSets + set;
  Diagnostics diagnostics = write_merged_samples({&path, 1}, 0, out);
  std::erase_if(diagnostics, [](const Diagnostic& d) { return d.code == "no-samples"; });
  return {samples_of(out.str()), std::move(diagnostics)};
}

class RecordedBlocks : public testing::TestWithParam<const char*> {};

TEST_P(RecordedBlocks, AreReadAsPrometheusReadsThem) {
  const Samples want = recorded(GetParam());
  const auto [got, diagnostics] = read(GetParam());
  const auto free = free_stamps(GetParam());
  EXPECT_THAT(diagnostics, IsEmpty());
  ASSERT_EQ(got.size(), want.size());
  for (const auto& [labels, samples] : want) {
    const auto& ours = got.at(labels);
    ASSERT_EQ(ours.size(), samples.size()) << labels;
    for (std::size_t i = 0; i < samples.size(); ++i)
      if (!free.contains(samples[i].substr(0, samples[i].find(' ')))) {
        EXPECT_EQ(ours[i], samples[i]) << labels;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(ReadSamples, RecordedBlocks,
                         testing::Values("encodings/xor2", "encodings/histogramst", "overlap",
                                         "tombstones/one"));

TEST(ReadSamples, NamesDamageAndUsesTheRest) {
  const auto [got, diagnostics] = read("damaged-chunk");
  EXPECT_EQ(got.size(), 9U);  // the tenth has that chunk only
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].message, "a chunk does not match its checksum");
  EXPECT_THAT(diagnostics[0].place.file, testing::EndsWith("/chunks/000001"));
}

TEST(ReadSamples, SharesTheSeriesOfBlocksBetweenThreads) {
  const std::vector<std::string> folders = [] {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(kSets + "overlap"))
      if (entry.is_directory()) out.push_back(entry.path());
    return out;
  }();
  Diagnostics diagnostics;
  std::ostringstream whole, parts;
  SampleTable all;
  const auto report = read_block_folders(folders, {}, all, diagnostics);
  all.write(whole);
  SampleTable shared;
  std::uint64_t samples = 0;
  for (std::size_t i = 0; i < 3; ++i)
    samples += read_block_folders(folders, {.share = {i, 3}}, shared, diagnostics).samples;
  shared.write(parts);
  EXPECT_EQ(samples, report.samples);
  EXPECT_EQ(parts.str(), whole.str());
}

TEST(ReadSamples, BlocksOfSeveralTenantsSayWhoseTheyAre) {
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(kSets + "overlap"))
    if (entry.is_directory()) folders.push_back(entry.path());
  std::ranges::sort(folders);
  ASSERT_GE(folders.size(), 2U);
  auto blocks = adapters::open_tsdb_blocks(folders).blocks;
  for (auto& b : blocks) b.meta.tenant = "a";
  tell_origins_apart(blocks, {});
  EXPECT_THAT(blocks[0].meta.external_labels, IsEmpty()) << "one tenant";
  blocks[1].meta.tenant = "b";
  tell_origins_apart(blocks, {});
  EXPECT_THAT(blocks[0].meta.external_labels, ElementsAre(std::pair("__tenant_id__", "a")));
  EXPECT_THAT(blocks[1].meta.external_labels, ElementsAre(std::pair("__tenant_id__", "b")));
}

}  // namespace
}  // namespace etiage::app
