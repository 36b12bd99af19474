#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "cli/arguments.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/main.h"

namespace etiage::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::string>;

const std::vector<Command>& table() {
  static const std::vector<Command> kTable{
      {.name = "scan",
       .summary = "Bill of a cluster",
       .positional = "[PATH...]",
       .options = {output_option(),
                   {"namespace,n", "NAME", "only this one", true},
                   {"all-namespaces,A", "", "all"},
                   {"prices", "FILE", "prices"}}},
      {.name = "why", .summary = "Why", .positional = "KIND/NAME [PATH...]"},
      {.name = "sim", .summary = "Simulate", .positional = "SCENARIO"},
      {.name = "sim compare", .summary = "Compare", .positional = "A B"},
      {.name = "queue admit", .summary = "Admit", .positional = "FILE..."}};
  return kTable;
}

Arguments parsed(const Words& words) {
  const auto out = parse(table(), words);
  const Parsed* p = std::get_if<Parsed>(&out);
  EXPECT_TRUE(p) << (std::holds_alternative<WrongUsage>(out) ? std::get<WrongUsage>(out).message : "help");
  return p ? p->arguments : Arguments{};
}

std::string refused(const Words& words) {
  const auto out = parse(table(), words);
  const WrongUsage* wrong = std::get_if<WrongUsage>(&out);
  return wrong ? wrong->message : "was not refused";
}

std::vector<std::string> completed(const Words& words) {
  std::vector<std::string> out;
  for (const auto& c : complete(table(), words).candidates) out.push_back(c.word);
  return out;
}

TEST(Parse, TakesOptionsInEveryUsualForm) {
  for (const Words& words :
       {Words{"scan", "-o", "json", "-n", "chat", "dir"},
        Words{"scan", "dir", "--output=json", "--namespace", "chat"},
        Words{"scan", "-ojson", "-n=chat", "--", "dir"}, Words{"scan", "dir", "-nchat", "-o=json"}}) {
    const Arguments a = parsed(words);
    EXPECT_EQ(a.get("output"), "json");
    EXPECT_EQ(a.get("namespace"), "chat");
    EXPECT_THAT(a.positional(), ElementsAre("dir"));
  }
}

TEST(Parse, KeepsRepeatedValuesAndLetsTheLastOneWin) {
  const Arguments a = parsed({"scan", "-n", "a", "-n", "b", "-o", "csv", "-o", "md"});
  EXPECT_THAT(a.all("namespace"), ElementsAre("a", "b"));
  EXPECT_EQ(a.get("output"), "md");
}

TEST(Parse, TakesFlagsRunTogetherAndWithTruth) {
  EXPECT_TRUE(parsed({"scan", "-qA"}).has("all-namespaces"));
  EXPECT_EQ(parsed({"scan", "-Ao", "json"}).get("output"), "json");
  EXPECT_FALSE(parsed({"scan", "--all-namespaces=false"}).has("all-namespaces"));
  EXPECT_TRUE(parsed({"--no-color", "scan"}).has("no-color"));
}

TEST(Parse, WhatFollowsTwoDashesIsNoOption) {
  EXPECT_THAT(parsed({"scan", "--", "-o", "--x"}).positional(), ElementsAre("-o", "--x"));
  EXPECT_THAT(parsed({"scan", "-"}).positional(), ElementsAre("-"));
}

TEST(Parse, FindsCommandsOfTwoWordsFirst) {
  const auto words = Words{"sim", "compare", "a", "b"};
  EXPECT_EQ(std::get<Parsed>(parse(table(), words)).command->name, "sim compare");
  EXPECT_EQ(std::get<Parsed>(parse(table(), {"sim", "a.yaml"})).command->name, "sim");
}

TEST(Parse, SaysWhatWasWrong) {
  EXPECT_EQ(refused({"scna"}), "unknown command 'scna'; did you mean 'scan'?");
  EXPECT_EQ(refused({"frobnicate"}), "unknown command 'frobnicate'");
  EXPECT_EQ(refused({"queue", "admti"}), "unknown command 'queue admti'; did you mean 'queue admit'?");
  EXPECT_EQ(refused({"scan", "--namespce", "x"}), "unknown option --namespce; did you mean '--namespace'?");
  EXPECT_EQ(refused({"scan", "-o"}), "-o needs a value: -o FORMAT");
  EXPECT_EQ(refused({"scan", "-o", "xml"}), "-o is one of table, wide, json, yaml, csv, md, not 'xml'");
  EXPECT_EQ(refused({"scan", "-A=1"}), "unknown option -=");
  EXPECT_EQ(refused({"scan", "--all-namespaces=yes"}), "--all-namespaces takes no value");
  EXPECT_EQ(refused({"why"}), "why needs KIND/NAME [PATH...]");
  EXPECT_EQ(refused({"sim", "a", "b"}), "sim takes SCENARIO, and no 'b' after it");
  EXPECT_EQ(refused({"queue", "admit"}), "queue admit needs FILE...");
}

TEST(Parse, HelpWinsOverMissingArguments) {
  EXPECT_EQ(std::get<HelpWanted>(parse(table(), {"why", "--help"})).command, "why");
  EXPECT_EQ(std::get<HelpWanted>(parse(table(), {"queue", "-h"})).command, "queue");
  EXPECT_EQ(std::get<HelpWanted>(parse(table(), {"--help"})).command, "");
}

TEST(Help, GroupsAlonePrintTheirCommands) {
  const auto out = parse(table(), {"queue"});
  EXPECT_EQ(std::get<WrongUsage>(out).see, "queue");
  EXPECT_THAT(help_text(table(), "queue", "etiage"), HasSubstr("queue admit"));
}

TEST(Help, StaysWithinATerminal) {
  std::string all = help_text(all_commands(), "", "kubectl etiage");
  for (const Command& command : all_commands()) all += help_text(all_commands(), command.name, "etiage");
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    const bool example = line.starts_with("  $");
    EXPECT_TRUE(example || line.size() <= 100) << line;
  }
}

TEST(Completion, KnowsCommandsOptionsAndChoices) {
  EXPECT_THAT(completed({""}), ElementsAre("scan", "why", "sim", "queue"));
  EXPECT_THAT(completed({"s"}), ElementsAre("scan", "sim"));
  EXPECT_THAT(completed({"queue", ""}), ElementsAre("admit"));
  EXPECT_THAT(completed({"sim", "c"}), ElementsAre("compare"));
  EXPECT_THAT(completed({"scan", "--na"}), ElementsAre("--namespace"));
  EXPECT_THAT(completed({"scan", "-o", ""}), ElementsAre("table", "wide", "json", "yaml", "csv", "md"));
  EXPECT_THAT(completed({"scan", "--output=j"}), ElementsAre("--output=json"));
  EXPECT_TRUE(complete(table(), {"scan", ""}).files);
  EXPECT_TRUE(complete(table(), {"scan", "--prices", ""}).files);
  EXPECT_FALSE(complete(table(), {"scan", "-o", ""}).files);
}

TEST(Run, CompletesForKubectl) {
  std::ostringstream out, err;
  Streams io{out, err};
  EXPECT_EQ(run("kubectl_complete-etiage", {"vers"}, io), kDone);
  EXPECT_EQ(out.str(), "version\tPrint the version\n:4\n");
}

TEST(Run, UnknownCommandsExitWithTwo) {
  std::ostringstream out, err;
  Streams io{out, err};
  EXPECT_EQ(run("kubectl-etiage", {"verison"}, io), kUsage);
  EXPECT_EQ(err.str(),
            "etiage: unknown command 'verison'; did you mean 'version'?\nSee 'kubectl etiage --help'.\n");
  EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace etiage::cli
