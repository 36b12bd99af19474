#include "formats/text/text_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "formats/testing/sample_log.h"

namespace etiage::formats {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct Read {
  std::vector<std::string> lines;
  ReadReport report;
};

Read read(std::string_view text, std::size_t piece = std::string_view::npos,
          std::set<std::string> wanted = {}) {
  SampleLog log(std::move(wanted));
  TextReader reader(log, {.scrape_ms = 7});
  for (std::size_t at = 0; at < text.size(); at += piece) {
    // A copy of its own: nothing may point into a piece that is gone.
    const std::string bytes(text.substr(at, piece));
    reader.feed(bytes);
    if (piece == std::string_view::npos) break;
  }
  ReadReport report = reader.finish();
  return {log.lines(), std::move(report)};
}

std::vector<std::string> reasons(const ReadReport& report) {
  std::vector<std::string> out;
  for (const Dropped& d : report.dropped) out.push_back(std::to_string(d.first.line) + ": " + d.reason);
  return out;
}

TEST(TextReader, ReadsOneScrape) {
  const auto got = read(
      "# HELP up Whether it is up.\n# TYPE up gauge\nup 1\n"
      "DCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"GPU-1\",pod=\"\"} 4 \n"
      "x{a=\"say \\\"hi\\\"\\n\",b=\"c:\\\\d\\q\",} +Inf 1790812800123\n");
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"up\"} 1@7",
                                     "{UUID=\"GPU-1\",__name__=\"DCGM_FI_DEV_FB_USED\",gpu=\"0\"} 4@7",
                                     "{__name__=\"x\",a=\"say \"hi\"\n\",b=\"c:\\d\\q\"} inf@1790812800123"));
  EXPECT_THAT(got.report.dropped, IsEmpty());
  EXPECT_EQ(got.report.samples, 3U);
}

TEST(TextReader, ReadsADumpInBatches) {
  const auto got = read(
      "m{a=\"b\"} 1 1790812800.000\nm{a=\"b\"} 2.5 1790812860.001\nm{a=\"c\"} 1e+06 1790812800.000\n# EOF\n");
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"m\",a=\"b\"} 1@1790812800000 2.5@1790812860001",
                                     "{__name__=\"m\",a=\"c\"} 1000000@1790812800000"));
  EXPECT_TRUE(got.report.complete);
  EXPECT_TRUE(got.report.timed);
  EXPECT_EQ(got.report.first_ms, 1790812800000);
  EXPECT_EQ(got.report.last_ms, 1790812860001);
}

TEST(TextReader, ReadsTheOtherDumpOfPromtoolAndUtf8Names) {
  const auto got =
      read("{__name__=\"up\", job=\"x\"} 1 1790812800000\n{\"my.metric\", a=\"b\"} 2 1790812800000\n");
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"up\",job=\"x\"} 1@1790812800000",
                                     "{__name__=\"my.metric\",a=\"b\"} 2@1790812800000"));
}

TEST(TextReader, GoesOnAfterDamage) {
  const auto got = read(
      "\r\n  up 1\r\n\tup{a=\"\xff\"} 2\nup{a=\"b} 3\nup{a=\"b\",a=\"c\"} 4\nup x\nup\nup 1 2 3\n"
      "up{a=\"b\"}5\n9up 1\nup 1 # {trace=\"x\"} 1\nup{a=\"\xc3\xa9\"} 6");
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"up\"} 1@7", "{__name__=\"up\",a=\"b\"} 5@7",
                                     "{__name__=\"up\"} 1@7", "{__name__=\"up\",a=\"\xc3\xa9\"} 6@7"));
  EXPECT_THAT(reasons(got.report),
              ElementsAre("3: a label is not UTF-8", "4: a quote is not closed", "5: a label stands twice",
                          "6: not a number", "7: no value", "8: more on the line than a value and a time",
                          "10: no metric name"));
}

TEST(TextReader, DropsTheCutEndOfADump) {
  const auto got = read("up 1 1790812800.000\nup 2 17908");
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"up\"} 1@1790812800000"));
  EXPECT_THAT(reasons(got.report), ElementsAre("2: the text ends in the middle of a line"));
  EXPECT_FALSE(got.report.complete);
}

TEST(TextReader, SurvivesBinaryAndOverlongLines) {
  const std::string zeros(4 << 20, '\0');
  const auto got = read(zeros + "\nup 1\n", 65536);
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"up\"} 1@7"));
  EXPECT_THAT(reasons(got.report), ElementsAre("1: a line longer than 1 MiB"));
}

TEST(TextReader, SkipsWhatNobodyWants) {
  const auto got = read("a{x=\"broken} 1\nb 2\nb{x=\"y\"} 3\na 1\n", std::string_view::npos, {"b"});
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"b\"} 2@7", "{__name__=\"b\",x=\"y\"} 3@7"));
  EXPECT_THAT(got.report.dropped, IsEmpty());
}

TEST(TextReader, TellsSecondsFromMilliseconds) {
  const auto got =
      read("a 1 1790812800\na 2 1790812800000\na 3 1.7908128e9\na 4 -1.5\na 5 1790812800.1239\n");
  EXPECT_THAT(
      got.lines,
      ElementsAre(
          "{__name__=\"a\"} 1@1790812800000 2@1790812800000 3@1790812800000 4@-1500 5@1790812800123"));
}

RC_GTEST_PROP(TextReader, ReadsTheSameInPiecesOfAnySize, ()) {
  static const std::vector<std::string> kLines = {"up 1\n",
                                                  "up{a=\"b\",c=\"d\"} 2 1790812800.5\n",
                                                  "up{a=\"b\",c=\"d\"} 3 1790812801.5\n",
                                                  "# comment\n",
                                                  "\n",
                                                  "broken{\n",
                                                  "x{a=\"\\n\"} nan\r\n",
                                                  "{\"q\"} 1 1\n",
                                                  "cut"};
  std::string text;
  for (const int i :
       *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, static_cast<int>(kLines.size()))))
    text += kLines[static_cast<std::size_t>(i)];
  const auto whole = read(text);
  const auto pieces = read(text, *rc::gen::inRange<std::size_t>(1, 40));
  RC_ASSERT(whole.report == pieces.report);
  RC_ASSERT(whole.lines == pieces.lines);
}

RC_GTEST_PROP(TextReader, ReadsTheSameInParts, (std::uint8_t parts)) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += i % 17 == 0 ? "broken{\n" : "m{i=\"" + std::to_string(i) + "\"} 1 1790812800\n";
  SampleLog log({});
  ReadReport report;
  std::string together;
  for (const std::string_view piece : split_at_lines(text, parts + 1U)) {
    TextReader reader(log);
    reader.feed(piece);
    report.append(reader.finish());
    together += piece;
  }
  const auto whole = read(text);
  RC_ASSERT(together == text);
  RC_ASSERT(report == whole.report);
  RC_ASSERT(log.lines() == whole.lines);
}

}  // namespace
}  // namespace etiage::formats
