#include "formats/foreign.h"

#include <gtest/gtest.h>
#include <string>

namespace etiage::formats {
namespace {

std::string what(std::string_view head) {
  const auto foreign = foreign_content(head);
  return foreign ? std::string(foreign->what) : "";
}

TEST(Foreign, IsToldByItsFirstBytes) {
  using namespace std::string_view_literals;
  EXPECT_EQ(what("\xff\xfe{\0\n\0"sv), "UTF-16 text");
  EXPECT_EQ(what("\xfe\xff\0{\0\n"sv), "UTF-16 text");
  EXPECT_EQ(what("a\0p\0i\0V\0e\0r\0s\0"sv), "UTF-16 text");
  EXPECT_EQ(what("\xff\xfe\0\0{\0\0\0"sv), "UTF-32 text");
  EXPECT_EQ(what("\xfd"
                 "7zXZ\0\0\0"sv),
            "an xz archive");
  EXPECT_EQ(what("PK\x03\x04\x14"), "a zip archive");
  EXPECT_EQ(what(std::string(257, '\0') + "ustar\0"), "a tar archive");
  EXPECT_EQ(what("\xba\xaa\xd7\x00\x02"sv), "a file of a Prometheus block");
}

TEST(Foreign, IsNoTextOfOurs) {
  for (const std::string_view text : {"", "{\"a\": 1}", "# TYPE up gauge\nup 1\n",
                                      "\xef\xbb\xbf"
                                      "a: 1\n",
                                      "name,hourly\n"})
    EXPECT_EQ(what(text), "") << text;
}

}  // namespace
}  // namespace etiage::formats
