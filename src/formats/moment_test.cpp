#include "formats/moment.h"

#include <gtest/gtest.h>

namespace etiage::formats {
namespace {

TEST(Moment, IsReadAsLogsWriteIt) {
  const Instant noon = *parse_instant("2026-10-06T12:00:00Z");
  for (const char* text :
       {"2026-10-06T12:00:00Z", "2026-10-06T14:00:00+02:00", "2026-10-06 12:00:00", "2026-10-06 12:00",
        "2026-10-06 12:00:00 UTC", "2026-10-06 14:00:00.000000+0200", "2026-10-06 14:00:00+02", "1791288000",
        "1791288000.0", "1791288000000", "1791288000000000", "1791288000000000000", " 1791288000 "})
    EXPECT_EQ(parse_moment(text), (Window{noon, noon})) << text;
  const Instant later = noon + Duration::millis(250);
  for (const char* text : {"2026-10-06T12:00:00.25Z", "1791288000.25", "1791288000250"})
    EXPECT_EQ(parse_moment(text), (Window{later, later})) << text;
}

TEST(Moment, OfADateIsTheDay) {
  const Instant day = *parse_instant("2026-10-06T00:00:00Z");
  EXPECT_EQ(parse_moment("2026-10-06"), (Window{day, day + Duration::hours(24)}));
}

TEST(Moment, IsNotReadOutOfAnythingElse) {
  for (const char* text :
       {"", "soon", "2026-10-06T", "2026-13-06", "2026-10-06T25:00:00Z", "2026-10-06 12:00:00 CEST", "1.2.3",
        ".5", "99999999999999999999", "-5", "2026-10-06T12:00:00+2"})
    EXPECT_EQ(parse_moment(text), std::nullopt) << text;
}

}  // namespace
}  // namespace etiage::formats
