#include "render/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sstream>

#include "render/width.h"

namespace etiage::render {
namespace {

using testing::HasSubstr;
using testing::Not;

Table bill() {
  Table table{.title = "Bill by model",
              .columns = {{.name = "model"},
                          {.name = "team", .show = Show::kIfRoom},
                          {.name = "cost", .unit = "EUR", .align = Align::kRight},
                          {.name = "share", .align = Align::kRight, .show = Show::kWide},
                          {.name = "currency", .show = Show::kData}}};
  table.rows = {
      {{text("llama-3.1-70b"), text("search"), money({61'824'123'456}), percent(0.462), text("EUR")}},
      {{text("all"), text(""), money({61'824'123'456}), percent(1), text("EUR")}, true}};
  return table;
}

TEST(Cells, AreRoundedForPeopleAndExactForPrograms) {
  EXPECT_EQ(money({61'824'123'456}).shown, "61,824.12");
  EXPECT_EQ(money({61'824'123'456}).exact, "61824.123456");
  EXPECT_EQ(money({-5'000}).shown, "-0.01");
  EXPECT_EQ(money({-4'999}).shown, "0.00");
  EXPECT_EQ(count(-1234567).shown, "-1,234,567");
  EXPECT_EQ(count(999).shown, "999");
  EXPECT_EQ(short_count(12'345'678).shown, "12.3M");
  EXPECT_EQ(short_count(999'999).shown, "1.00M");
  EXPECT_EQ(short_count(42).shown, "42");
  EXPECT_EQ(price(0.01234).shown, "0.0123");
  EXPECT_EQ(price(1234.5).shown, "1,234.50");
  EXPECT_EQ(price(0).shown, "0.00");
  EXPECT_EQ(percent(0.4621).shown, "46.2%");
  EXPECT_EQ(number(-0.0001, 2).shown, "0.00");
  EXPECT_EQ(bar(0.5, 4).shown, "██");
  EXPECT_EQ(none().exact, "");
}

TEST(Table, LeavesOutColumnsBeforeItCutsNumbers) {
  const std::string full = to_text(bill());
  EXPECT_EQ(full,
            "Bill by model\n"
            "MODEL          TEAM         COST\n"
            "                             EUR\n"
            "llama-3.1-70b  search  61,824.12\n"
            "────────────────────────────────\n"
            "all                    61,824.12\n");
  const std::string narrow = to_text(bill(), {.width = 24});
  EXPECT_THAT(narrow, HasSubstr("61,824.12"));
  EXPECT_THAT(narrow, HasSubstr("room: team (-o wide)."));
  EXPECT_THAT(narrow, Not(HasSubstr("search")));
  EXPECT_THAT(to_text(bill(), {.width = 24, .wide = true}), HasSubstr("46.2%"));
}

TEST(Table, FoldsSentencesAndCutsNothing) {
  Table table{.columns = {{.name = "check"}, {.name = "effect"}}};
  table.rows = {{{text("devices are measured by different signals"),
                  text("models with different signals are not compared")}}};
  EXPECT_EQ(to_text(table, {.width = 50}),
            "CHECK                     EFFECT\n"
            "devices are measured by   models with different\n"
            "different signals         signals are not compared\n");
}

TEST(Table, BreaksNamesOnlyWhereTheScreenWould) {
  Table table{.columns = {{.name = "model"}, {.name = "cost", .align = Align::kRight}}};
  table.rows = {{{text("meta-llama/Llama-3.1-70B-Instruct"), money({1'000'000})}}};
  EXPECT_EQ(to_text(table, {.width = 20}),
            "MODEL                              COST\n"
            "meta-llama/Llama-3.1-70B-Instruct  1.00\n");
  EXPECT_EQ(to_text(table, {.width = 20, .terminal = true}),
            "MODEL           COST\n"
            "meta-llama/     1.00\n"
            "Llama-3.1-70B-\n"
            "Instruct\n");
}

TEST(Table, PaintsOnlyOnATerminal) {
  EXPECT_THAT(to_text(bill()), Not(HasSubstr("\x1b")));
  EXPECT_THAT(to_text(bill(), {.colour = true}), HasSubstr("\x1b[1mMODEL\x1b[0m"));
}

TEST(Table, WithoutRowsKeepsTitleAndNotes) {
  EXPECT_EQ(to_text({.title = "Waste", .columns = {{.name = "id"}}, .notes = {"Nothing found."}}),
            "Waste\nNothing found.\n");
}

RC_GTEST_PROP(Table, NeverPassesItsWidthWhereTextsCanGiveWay,
              (const std::vector<std::string>& names, std::int64_t amount)) {
  Table table{.columns = {{.name = "a"}, {.name = "b"}, {.name = "cost", .align = Align::kRight}}};
  for (const auto& name : names) table.rows.push_back({{text(name), text(name + name), money({amount})}});
  std::istringstream lines(to_text(table, {.width = 60, .terminal = true}));
  for (std::string line; std::getline(lines, line);) RC_ASSERT(display_width(line) <= 60);
}

TEST(Csv, IsQuotedAndSafeFromFormulas) {
  Table table{.columns = {{.name = "name"}, {.name = "value"}}};
  for (const char* name :
       {"=1+1", "+SUM(A1)", "-2+3", "@cmd", "\tx", "-5.5", "+3", "a,b", "say \"hi\"", "two\nlines", "-"})
    table.rows.push_back({{text(name), number(-1.5, 1)}});
  EXPECT_EQ(to_csv(table),
            "name,value\n'=1+1,-1.5\n'+SUM(A1),-1.5\n'-2+3,-1.5\n'@cmd,-1.5\n'\tx,-1.5\n-5.5,-1.5\n+3,-1.5\n"
            "\"a,b\",-1.5\n\"say \"\"hi\"\"\",-1.5\n\"two\nlines\",-1.5\n'-,-1.5\n");
}

TEST(Csv, HasEveryColumnWithAllDigits) {
  EXPECT_EQ(to_csv(bill()), "model,team,cost,share,currency\nllama-3.1-70b,search,61824.123456,0.462,EUR\n");
}

TEST(Markdown, PastesAsATable) {
  EXPECT_EQ(to_markdown(bill()),
            "**Bill by model**\n\n| MODEL | TEAM | COST (EUR) | SHARE |\n| --- | --- | ---: | ---: |\n"
            "| llama-3.1-70b | search | 61,824.12 | 46.2% |\n| **all** |  | **61,824.12** | **100.0%** |\n");
  const Table odd{.columns = {{.name = "x"}}, .rows = {{{text("a|b <i> @team `c` \\")}}}};
  EXPECT_EQ(to_markdown(odd), "| X |\n| --- |\n| a\\|b &lt;i> &#64;team \\`c\\` \\\\ |\n");
}

TEST(Width, FoldsAtBlanksAndLongWordsAtTheirMarks) {
  using testing::ElementsAre;
  EXPECT_THAT(folded("a bc def", 4), ElementsAre("a bc", "def"));
  EXPECT_THAT(folded("llama-70b-5d8f7c9b4-x2v9k", 12), ElementsAre("llama-70b-", "5d8f7c9b4-", "x2v9k"));
  EXPECT_THAT(folded("日本語日本語", 5), ElementsAre("日本", "語日", "本語"));
  EXPECT_THAT(folded("日本", 1), ElementsAre("日", "本"));
  EXPECT_THAT(folded("", 5), ElementsAre(""));
}

TEST(Width, CountsColumnsOfATerminal) {
  EXPECT_EQ(display_width("日本"), 4);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(display_width("🚀"), 2);
  EXPECT_EQ(printable("a\x1b[31mb\u202e"), "a\\x1b[31mb\\u202e");
  EXPECT_EQ(printable("\xff"), "\ufffd");
}

}  // namespace
}  // namespace etiage::render
