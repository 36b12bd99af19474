#include "formats/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace etiage::formats {
namespace {

using testing::HasSubstr;

/// Writes tokens as one line of text, so that a stream can be compared at a glance.
struct Recorder : JsonVisitor {
  bool token(const JsonToken& t) override {
    constexpr std::string_view kNames[] = {"{", "}", "[", "]", "k:", "s:", "n:", "true", "false", "null"};
    const bool named = t.kind == JsonToken::Kind::kKey || t.kind == JsonToken::Kind::kString ||
                       t.kind == JsonToken::Kind::kNumber;
    seen += kNames[static_cast<int>(t.kind)];
    if (named) seen += t.text;
    seen += ' ';
    return --left != 0;
  }
  std::string seen;
  int left = -1;
};

std::string tokens(std::string_view text) {
  Recorder recorder;
  const auto result = read_json(text, recorder);
  return result ? recorder.seen : to_string(result.error());
}

TEST(JsonReader, Tokens) {
  EXPECT_EQ(tokens(R"({"a":[1,-2.5e3,true,false,null,"x"],"b":{}})"),
            "{ k:a [ n:1 n:-2.5e3 true false null s:x ] k:b { } } ");
  EXPECT_EQ(tokens("  12345678901234567890123 "), "n:12345678901234567890123 ");
  EXPECT_EQ(tokens(""), "");
  EXPECT_EQ(tokens("\xef\xbb\xbf[]"), "[ ] ");
}

TEST(JsonReader, SeveralValuesOneAfterAnother) {
  EXPECT_EQ(tokens("{}\n{}\n"), "{ } { } ");
  EXPECT_EQ(tokens("{}{}[1]2 3"), "{ } { } [ n:1 ] n:2 n:3 ");
}

TEST(JsonReader, Escapes) {
  EXPECT_EQ(tokens(R"("\"\\\/\b\f\n\r\té😀")"), "s:\"\\/\b\f\n\r\t\xc3\xa9\xf0\x9f\x98\x80 ");
  EXPECT_EQ(tokens(R"("\ud83d-\udc00")"), "s:\xef\xbf\xbd-\xef\xbf\xbd ");
  EXPECT_EQ(tokens(R"("\x41")"), "line 1, column 1: unknown escape `\\x` in a string");
}

TEST(JsonReader, Faults) {
  EXPECT_THAT(tokens("{\"a\": 1,\n  \"b\" 2}"), HasSubstr("line 2, column 7: `2` where `:` is due"));
  EXPECT_THAT(tokens("{\"a\": 1,}"), HasSubstr("`}` where a key in double quotes is due"));
  EXPECT_THAT(tokens("[1,]"), HasSubstr("`]` where a value is due"));
  EXPECT_THAT(tokens("[1 2]"), HasSubstr("`2` where `,` or `]` is due"));
  EXPECT_THAT(tokens("{} }"), HasSubstr("column 4: `}` where a JSON value is due"));
  EXPECT_THAT(tokens("[NaN]"), HasSubstr("`NaN` is no JSON number"));
  EXPECT_THAT(tokens("[-Infinity]"), HasSubstr("`-Infinity` is no JSON number"));
  EXPECT_THAT(tokens("[01]"), HasSubstr("malformed number `01`"));
  EXPECT_THAT(tokens("[1.]"), HasSubstr("malformed number `1.`"));
  EXPECT_THAT(tokens("[nul]"), HasSubstr("unknown word `nul`"));
  EXPECT_THAT(tokens("[\"a\nb\"]"), HasSubstr("a line ends inside a string"));
  EXPECT_THAT(tokens("[\"\x80\"]"), HasSubstr("not UTF-8"));
  EXPECT_THAT(tokens(std::string(300, '[')), HasSubstr("nested deeper than 200 levels"));
}

TEST(JsonReader, CutOffTextSaysSo) {
  const std::string whole = R"({"a":["bc",{"d":12.5,"e":tru)";
  for (std::size_t n = 1; n <= whole.size(); ++n) {
    Recorder recorder;
    const auto result = read_json(whole.substr(0, n), recorder);
    ASSERT_FALSE(result) << n;
    EXPECT_EQ(result.error().kind, JsonFault::Kind::kTruncated) << n;
  }
}

TEST(JsonReader, VisitorMayStop) {
  Recorder recorder;
  recorder.left = 3;
  JsonReader reader(recorder);
  EXPECT_FALSE(reader.feed("[1, 2, oops"));
  EXPECT_TRUE(reader.stopped());
  EXPECT_EQ(recorder.seen, "[ n:1 n:2 ");
}

TEST(JsonReader, PlacesOfTokens) {
  struct Places : JsonVisitor {
    bool token(const JsonToken& t) override {
      EXPECT_EQ(text.substr(t.begin, t.end - t.begin), expected[n].first);
      EXPECT_EQ(t.line, expected[n++].second);
      return true;
    }
    std::string_view text = "{\n \"k\": [10,\n\"v\"]}";
    std::vector<std::pair<std::string_view, int>> expected{{"{", 1},     {"\"k\"", 2}, {"[", 2}, {"10", 2},
                                                           {"\"v\"", 3}, {"]", 3},     {"}", 3}};
    std::size_t n = 0;
  } places;
  ASSERT_TRUE(read_json(places.text, places));
  EXPECT_EQ(places.n, places.expected.size());
}

RC_GTEST_PROP(JsonReaderProperty, ChunksDoNotMatter, ()) {
  const std::string text =
      R"({"metric":{"a":"\u00e9\\x","b":"é"},"values":[[1700000000.123,"12.5"],[-1e5,null]],"t":true} {"z":[]} 77)";
  Recorder whole, parts;
  RC_ASSERT(read_json(text, whole).has_value());
  JsonReader reader(parts);
  for (std::size_t at = 0; at < text.size();) {
    const auto size = *rc::gen::inRange<std::size_t>(1, 9);
    RC_ASSERT(reader.feed(std::string_view(text).substr(at, size)));
    at += size;
  }
  RC_ASSERT(reader.finish());
  RC_ASSERT(parts.seen == whole.seen);
}

RC_GTEST_PROP(JsonReaderProperty, AnyBytesEndWithAnAnswer, (const std::string& text)) {
  Recorder recorder;
  const auto result = read_json(text, recorder);
  RC_ASSERT(result.has_value() || !result.error().message.empty());
}

TEST(JsonReader, AByteOrderMarkMayComeInPieces) {
  for (const std::string text : {"\xef\xbb\xbf {}", "\xef\xbb\xbf ", "\xef\xbb", "\xef{}"}) {
    Recorder whole, pieces;
    const bool good = read_json(text, whole).has_value();
    JsonReader reader(pieces);
    for (char c : text) reader.feed({&c, 1});
    EXPECT_EQ(reader.finish(), good) << text;
    EXPECT_EQ(good, text.starts_with("\xef\xbb\xbf")) << text;
  }
}

}  // namespace
}  // namespace etiage::formats
