#include "base/csv_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace etiage {
namespace {

using testing::ElementsAre;
using Record = std::vector<std::string>;

struct Read {
  std::vector<Record> records;
  std::vector<int> lines;
  std::string error;

  bool operator==(const Read&) const = default;
};

Read read(std::string_view text, std::size_t chunk = std::string_view::npos) {
  Read out;
  CsvRecords records([&](const std::vector<std::string_view>& cells, int line) {
    out.records.emplace_back(cells.begin(), cells.end());
    out.lines.push_back(line);
    return true;
  });
  for (; !text.empty(); text.remove_prefix(std::min(chunk, text.size()))) records.feed(text.substr(0, chunk));
  if (const auto end = records.finish("t.csv"); !end) out.error = to_string(end.error());
  return out;
}

TEST(CsvRecords, ReadsQuotesLineEndsAndMarks) {
  const Read got = read(
      "\xEF\xBB\xBF"
      "a,b\r\n\"x,\"\"y\"\"\n z\",\n\n1,2");
  EXPECT_THAT(got.records, ElementsAre(Record{"a", "b"}, Record{"x,\"y\"\n z", ""}, Record{"1", "2"}));
  EXPECT_THAT(got.lines, ElementsAre(1, 2, 5));
}

TEST(CsvRecords, TakesTheSeparatorFromTheFirstLine) {
  EXPECT_THAT(read("a;b\n1,5;2\n").records, ElementsAre(Record{"a", "b"}, Record{"1,5", "2"}));
  EXPECT_THAT(read("a\tb\n1\t2\n").records, ElementsAre(Record{"a", "b"}, Record{"1", "2"}));
  EXPECT_THAT(read("\"a;b\",c\n1,2\n").records, ElementsAre(Record{"a;b", "c"}, Record{"1", "2"}));
  EXPECT_THAT(read("alone\n1;2\n").records, ElementsAre(Record{"alone"}, Record{"1;2"}));
}

TEST(CsvRecords, NamesTheLineOfAQuoteThatNeverEnds) {
  const Read got = read("a,b\n1,2\n\"3,4\n5,6\n");
  EXPECT_THAT(got.records, ElementsAre(Record{"a", "b"}, Record{"1", "2"}));
  EXPECT_THAT(got.error, testing::StartsWith("t.csv:3: a quoted cell never ends"));
}

RC_GTEST_PROP(CsvRecords, DoNotDependOnTheChunks, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string(",;\n\r\"ab\t\xEF\xBB\xBF")));
  const auto chunk = *rc::gen::inRange<std::size_t>(1, 5);
  RC_ASSERT(read(text, chunk) == read(text));
}

}  // namespace
}  // namespace etiage
