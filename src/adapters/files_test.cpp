#include "adapters/files.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace etiage::adapters {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class FindFiles : public testing::Test {
 protected:
  FindFiles() : root(fs::path(testing::TempDir()) / ("files-" + std::to_string(::getpid()))) {
    fs::create_directories(root);
  }
  ~FindFiles() override { fs::remove_all(root); }

  std::string put(const std::string& name) {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << "x";
    return root / name;
  }
  std::vector<std::string> found(const std::vector<std::string>& paths) {
    last = find_files(paths);
    std::vector<std::string> out;
    for (const FoundFile& f : last.files)
      out.push_back((f.kind == FoundFile::Kind::kFile        ? ""
                     : f.kind == FoundFile::Kind::kTsdbBlock ? "block "
                                                             : "wal ") +
                    (f.path == "-" ? f.path : fs::relative(f.path, root).string()));
    return out;
  }

  fs::path root;
  FoundFiles last;
};

TEST_F(FindFiles, FoldersInOrderOfNames) {
  put("b/2");
  put("b/10");
  put("a");
  put("c/.hidden");
  put(".git/config");
  EXPECT_THAT(found({root}), ElementsAre("a", "b/10", "b/2"));
  EXPECT_THAT(found({root / "b/2", "-", root}), ElementsAre("b/2", "-", "a", "b/10"));
  EXPECT_THAT(found({root / "c/.hidden"}), ElementsAre("c/.hidden"));
}

TEST_F(FindFiles, LinksAndLoopsCountOnce) {
  put("a/x");
  fs::create_directory_symlink("..", root / "a/up");
  fs::create_symlink("x", root / "a/y");
  fs::create_symlink("nowhere", root / "a/z");
  EXPECT_THAT(found({root}), ElementsAre("a/x"));
  ASSERT_EQ(last.diagnostics.size(), 1u);
  EXPECT_EQ(last.diagnostics[0].code, "unreadable");
}

TEST_F(FindFiles, PrometheusFolders) {
  put("data/01M8PSK17NM6MP65EBBEHDQPEY/index");
  put("data/01M8PSK17NM6MP65EBBEHDQPEY/chunks/000001");
  put("data/wal/00000003");
  put("data/copy/meta.json");
  put("data/copy/index");
  put("data/copy/chunks/000001");
  put("data/lock");
  EXPECT_THAT(found({root}), ElementsAre("block data/01M8PSK17NM6MP65EBBEHDQPEY", "block data/copy",
                                         "data/lock", "wal data/wal"));
}

TEST_F(FindFiles, WhatIsNotThereIsNamed) {
  const std::string a = put("a");
  EXPECT_THAT(found({root / "none", a, a}), ElementsAre("a"));
  ASSERT_EQ(last.diagnostics.size(), 2u);
  EXPECT_EQ(last.diagnostics[0].code, "no-such-file");
  EXPECT_EQ(last.diagnostics[0].severity, Severity::kError);
  EXPECT_EQ(last.diagnostics[1].code, "given-twice");
}

}  // namespace
}  // namespace etiage::adapters
