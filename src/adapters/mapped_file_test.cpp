#include "adapters/mapped_file.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace etiage::adapters {
namespace {

class MappedFileTest : public testing::Test {
 protected:
  MappedFileTest() : path_(std::filesystem::temp_directory_path() / ("mapped-" + std::to_string(getpid()))) {}
  ~MappedFileTest() override { std::filesystem::remove(path_); }

  void write(const std::string& text) const { std::ofstream(path_) << text; }

  std::filesystem::path path_;
};

TEST_F(MappedFileTest, StreamsAPartInPieces) {
  std::string text;
  while (text.size() < (5 << 19)) text += std::to_string(text.size()) + ' ';
  write(text);
  const auto file = MappedFile::open(path_);
  ASSERT_TRUE(file);
  for (const auto& [from, size] :
       {std::pair<std::size_t, std::size_t>{0, text.size()}, {17, 1 << 20}, {5, 0}}) {
    std::string read;
    EXPECT_TRUE(
        file->stream(file->bytes().substr(from, size), [&](std::string_view piece) { read += piece; }));
    EXPECT_EQ(read, text.substr(from, size));
  }
}

TEST_F(MappedFileTest, TellsOfAFileThatShrank) {
  write(std::string(9000, 'x'));
  const auto file = MappedFile::open(path_);
  ASSERT_TRUE(file);
  std::filesystem::resize_file(path_, 100);
  std::size_t read = 0;
  const auto done = file->stream(file->bytes(), [&](std::string_view piece) { read += piece.size(); });
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "became shorter while it was read");
  EXPECT_EQ(read, 100U);
}

}  // namespace
}  // namespace etiage::adapters
