#include "adapters/input_file.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace etiage::adapters {
namespace {

namespace fs = std::filesystem;

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

class InputFileTest : public testing::Test {
 protected:
  InputFileTest() : path(fs::path(testing::TempDir()) / ("input-" + std::to_string(::getpid()))) {}
  ~InputFileTest() override { fs::remove(path); }

  InputFile opened(const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    auto file = InputFile::open(path);
    EXPECT_TRUE(file) << (file ? "" : file.error().message);
    return std::move(*file);
  }

  fs::path path;
  std::string text = [] {
    std::string out;
    for (int i = 0; i < 200000; ++i) out += "line " + std::to_string(i) + "\n";
    return out;
  }();
};

TEST_F(InputFileTest, PlainAndPackedHoldTheSame) {
  for (const std::string& bytes :
       {text, gzip(text), zstd(text), gzip(text.substr(0, 1000)) + gzip(text.substr(1000)),
        zstd(text.substr(0, 7)) + zstd(text.substr(7))}) {
    InputFile file = opened(bytes);
    EXPECT_EQ(file.head(), text.substr(0, InputFile::kHead));
    const auto whole = file.whole();
    EXPECT_FALSE(whole.damage);
    EXPECT_TRUE(whole.bytes == text);
  }
}

TEST_F(InputFileTest, CutPackingGivesWhatCameBefore) {
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    InputFile file = opened(packed.substr(0, packed.size() - 9));
    const auto whole = file.whole();
    ASSERT_TRUE(whole.damage);
    EXPECT_TRUE(whole.damage->message.contains("cut off")) << whole.damage->message;
    EXPECT_TRUE(text.starts_with(whole.bytes));
    EXPECT_FALSE(whole.bytes.empty());
  }
}

TEST_F(InputFileTest, DamagedPackingIsNamed) {
  for (std::string packed : {gzip(text), zstd(text)}) {
    packed.replace(packed.size() / 2, 64, std::string(64, '\xaa'));
    EXPECT_TRUE(opened(packed).whole().damage);
  }
}

TEST_F(InputFileTest, TooLargeForOneBite) {
  const InputFile::Whole whole = opened(gzip(std::string(1 << 20, 'x'))).whole(1000);
  ASSERT_TRUE(whole.damage);
  EXPECT_TRUE(whole.damage->message.contains("more than 1000 bytes"));
}

TEST_F(InputFileTest, EmptyAndMissing) {
  EXPECT_EQ(opened("").whole().bytes, "");
  const auto missing = InputFile::open(path.string() + "-none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "No such file or directory");
}

TEST_F(InputFileTest, TailOfAPlainFile) {
  EXPECT_TRUE(opened(text).tail().ends_with("line 199999\n"));
}

/// Writes `bytes` into a pipe while `read` reads it.
template <class Read>
void through_pipe(const fs::path& path, const std::string& bytes, PipeHolds holds, Read read) {
  fs::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
  auto file = InputFile::open(path, holds);
  if (file) read(*file);
  writer.join();
  EXPECT_TRUE(file);
}

TEST_F(InputFileTest, PipesAreReadOnce) {
  for (const std::string& bytes :
       {text, gzip(text), zstd(text), gzip(text.substr(0, 9)) + gzip(text.substr(9))})
    through_pipe(path, bytes, PipeHolds::kOneContent, [&](InputFile& file) {
      EXPECT_EQ(file.head(), text.substr(0, InputFile::kHead));
      const auto whole = file.whole();
      EXPECT_FALSE(whole.damage);
      EXPECT_TRUE(whole.bytes == text);
      EXPECT_FALSE(file.next_content());
    });
}

TEST_F(InputFileTest, CutPackingOfAPipeGivesWhatCameBefore) {
  const std::string packed = gzip(text);
  through_pipe(path, packed.substr(0, packed.size() / 2), PipeHolds::kSeveral, [&](InputFile& file) {
    const auto whole = file.whole();
    ASSERT_TRUE(whole.damage);
    EXPECT_TRUE(text.starts_with(whole.bytes));
    EXPECT_GT(whole.bytes.size(), text.size() / 4);
  });
}

TEST_F(InputFileTest, APipeMayHoldSeveralContents) {
  std::string samples = "# TYPE up gauge\n";
  for (int i = 0; i < 50000; ++i) samples += "up{a=\"" + std::to_string(i) + "\"} 1\n";
  const std::vector<std::string> contents = {
      "{\n  \"apiVersion\": \"v1\", \"kind\": \"Pod\", \"x\": \"}\\n{\"\n}\n",
      samples + "# EOF\n",
      "instanceType,hourly\np5.48xlarge,55.04\n",
      "apiVersion: v1\nkind: Node\n---\napiVersion: v1\nkind: Pod\n",
      "{\"status\":\"success\",\"data\":{\"result\":[]}}",
      samples};
  std::string all;
  for (const std::string& c : contents) all += c;
  for (const std::string& bytes : {all, gzip(all)})
    through_pipe(path, bytes, PipeHolds::kSeveral, [&](InputFile& file) {
      std::vector<std::string> got;
      do got.emplace_back(file.whole().bytes);
      while (file.next_content());
      EXPECT_EQ(got.size(), contents.size());
      EXPECT_TRUE(got == contents);
    });
}

TEST_F(InputFileTest, WhatNobodyReadsIsPassedOver) {
  const std::string first = "{\"apiVersion\": \"v1\", \"x\": \"" + std::string(1 << 20, 'x') + "\"}\n";
  through_pipe(path, first + "# TYPE up gauge\nup 1\n", PipeHolds::kSeveral, [&](InputFile& file) {
    ASSERT_TRUE(file.next_content());
    EXPECT_EQ(file.whole().bytes, "# TYPE up gauge\nup 1\n");
    EXPECT_FALSE(file.next_content());
  });
}

}  // namespace
}  // namespace etiage::adapters
