#include "adapters/output_archive.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

#include "adapters/files.h"
#include "adapters/input_file.h"

namespace etiage::adapters {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class OutputArchiveTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_ = fs::temp_directory_path() / ("etiage-output-" + std::to_string(::getpid()));
};

TEST_P(OutputArchiveTest, IsReadAgain) {
  const std::string path = folder_ / GetParam(), large(700'001, 'x');
  auto archive = OutputArchive::create(path);
  ASSERT_TRUE(archive);
  ASSERT_TRUE(archive->begin("1.txt"));
  archive->write("one");
  ASSERT_TRUE(archive->begin("2.txt"));
  archive->write(large);
  ASSERT_TRUE(archive->begin("3.txt"));
  ASSERT_TRUE(archive->finish());

  std::vector<std::string> contents;
  for (const FoundFile& f : find_files(std::vector{path}).files) {
    auto file = InputFile::open(f.path);
    ASSERT_TRUE(file) << f.path;
    contents.emplace_back(file->whole().bytes);
  }
  EXPECT_THAT(contents, ElementsAre("one", large, ""));
}

INSTANTIATE_TEST_SUITE_P(Names, OutputArchiveTest,
                         testing::Values("a.tar", "a.tar.gz", "a.tgz", "bundle", "folder/"));

using OutputFolderTest = OutputArchiveTest;

TEST_F(OutputFolderTest, IsNotWrittenIntoWhereSomethingIs) {
  std::ofstream(folder_ / "mine") << "x";
  const auto archive = OutputArchive::create(folder_);
  ASSERT_FALSE(archive);
  EXPECT_EQ(archive.error().message, "the folder is not empty");
}

TEST_F(OutputFolderTest, LeavesNothingUnfinished) {
  {
    auto archive = OutputArchive::create(folder_ / "a.tar");
    ASSERT_TRUE(archive && archive->begin("x"));
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(OutputFolderTest, SaysWhereAnArchiveIsCutOff) {
  const std::string path = folder_ / "a.tar";
  auto archive = OutputArchive::create(path);
  ASSERT_TRUE(archive && archive->begin("x"));
  archive->write(std::string(2000, 'x'));
  ASSERT_TRUE(archive->finish());
  fs::resize_file(path, 1000);
  auto file = InputFile::open(path + "/x");
  ASSERT_TRUE(file);
  const auto whole = file->whole();
  ASSERT_TRUE(whole.damage);
  EXPECT_EQ(whole.damage->message, "the archive is cut off");
}

}  // namespace
}  // namespace etiage::adapters
