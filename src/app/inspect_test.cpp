#include "app/inspect.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etiage::app {
namespace {

namespace fs = std::filesystem;

/// As a line of tests/conformance/metrics-files.tsv.
std::string as_line(const InspectedFile& file) {
  std::vector<std::string> content = file.dialects, dropped, refused;
  for (const auto& [kind, n] : file.objects) content.push_back(fmt::format("{} {}", n, kind));
  for (const formats::Dropped& d : file.report.dropped)
    dropped.push_back(fmt::format("{} {}", d.count, d.reason));
  for (const Diagnostic& d : file.remarks)
    if (d.code == "not-used") refused.push_back(d.message + "; " + d.hint);
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}", fs::path(file.path).filename().string(), file.kind,
                     fmt::join(content, ", "), file.series, file.report.samples, fmt::join(dropped, "; "),
                     fmt::join(refused, "; "));
}

/// Recorded files of all exporters and tools: what each is taken for, and what of it was refused.
TEST(InspectFiles, TakesEachRecordedFileForWhatItIs) {
  const char* data = std::getenv("ETIAGE_DATA");
  const fs::path folder = fs::path(data != nullptr ? data : ETIAGE_SOURCE_DIR "/../shared/data") / "metrics";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no recordings at " << folder;
  std::ifstream table(ETIAGE_SOURCE_DIR "/tests/conformance/metrics-files.tsv");
  for (std::string line; std::getline(table, line);) {
    const std::string path = folder / line.substr(0, line.find('\t'));
    Diagnostics diagnostics;
    const auto files = inspect_files({&path, 1}, 0, diagnostics);
    ASSERT_EQ(files.size(), 1U) << path;
    EXPECT_EQ(as_line(files[0]), line);
  }
}

TEST(InspectFiles, SaysWhatOfADatabaseIsRead) {
  const fs::path folder = fs::path(testing::TempDir()) / "etiage-inspect";
  fs::remove_all(folder);
  fs::create_directories(folder / "01M8PSF4801CA9K2MYR165S82N" / "chunks");
  fs::create_directories(folder / "chunks_head");
  std::ofstream(folder / "readme") << "hello";
  const std::string path = folder;
  Diagnostics diagnostics;
  const auto files = inspect_files({&path, 1}, 0, diagnostics);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].kind, "Prometheus block");
  EXPECT_THAT(files[0].remarks.at(0).message, testing::HasSubstr("No such file"));
  EXPECT_EQ(files[1].kind, "Prometheus head");
  EXPECT_EQ(files[1].remarks.at(0).code, "head-not-read");
  EXPECT_EQ(files[2].kind, "unknown");
  EXPECT_THAT(to_json(files), testing::HasSubstr("\"kind\": \"Prometheus head\""));
}

}  // namespace
}  // namespace etiage::app
