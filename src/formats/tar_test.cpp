#include "formats/tar.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace etiage::formats {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string archive(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string out;
  for (const auto& [name, content] : files) {
    out += tar_header(name, content.size()) + content;
    out.resize((out.size() + kTarBlock - 1) / kTarBlock * kTarBlock);
  }
  return out + std::string(2 * kTarBlock, '\0');
}

RC_GTEST_PROP(TarListing, FindsEveryFileHoweverTheBytesCome, ()) {
  const auto contents = *rc::gen::container<std::vector<std::string>>(rc::gen::string<std::string>());
  std::vector<std::pair<std::string, std::string>> files;
  for (std::size_t i = 0; i < contents.size(); ++i) files.emplace_back("f" + std::to_string(i), contents[i]);
  const std::string bytes = archive(files);
  const auto step = *rc::gen::inRange<std::size_t>(1, 2000);
  TarListing listing;
  for (std::size_t at = 0; at < bytes.size(); at += step)
    listing.feed(std::string_view(bytes).substr(at, step));
  RC_ASSERT(listing.complete());
  RC_ASSERT(listing.members().size() == files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    const TarMember& m = listing.members()[i];
    RC_ASSERT(m.name == files[i].first);
    RC_ASSERT(bytes.substr(m.begin, m.size) == files[i].second);
  }
}

TEST(TarListing, KeepsWhatComesBeforeADamage) {
  std::string bytes = archive({{"a", "x"}, {"b", "y"}});
  bytes[2 * kTarBlock + 20] ^= 1;
  TarListing listing;
  listing.feed(bytes);
  EXPECT_FALSE(listing.complete());
  EXPECT_THAT(listing.members(), ElementsAre(TarMember{"a", kTarBlock, 1}));
}

TEST(TarListing, PassesOverHiddenFiles) {
  TarListing listing;
  listing.feed(archive({{"./.cache/x", "1"}, {".x", "2"}, {"a/.b", "3"}}));
  EXPECT_THAT(listing.members(), IsEmpty());
}

TEST(IsTar, TellsByTheSumOfTheHeader) {
  EXPECT_TRUE(is_tar(archive({{"a", "x"}})));
  std::string other = archive({{"a", "x"}});
  other[0] = 'b';
  EXPECT_FALSE(is_tar(other));
  EXPECT_FALSE(is_tar("ustar"));
}

}  // namespace
}  // namespace etiage::formats
