#include "app/schedule.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <set>

#include "formats/document.h"
#include "formats/kube/scheduling.h"

namespace etiage::app {
namespace {

Tree parse(const std::string& text) {
  Diagnostics diagnostics;
  auto documents = formats::read_documents(text, "test", diagnostics);
  return documents.empty() ? Tree() : std::move(documents.front());
}

/// Members sorted, so that the order in a file does not matter.
std::string canonical(const Tree& tree) {
  if (tree.is_scalar() || tree.is_null()) return tree.is_null() ? "null" : "'" + tree.text() + "'";
  std::vector<std::string> parts;
  for (const auto& [key, value] : tree.members()) parts.push_back(key + ":" + canonical(value));
  std::ranges::sort(parts);
  for (const Tree& item : tree.items()) parts.push_back(canonical(item));
  std::string out = tree.is_map() ? "{" : "[";
  for (const auto& p : parts) out += p + ",";
  return out + (tree.is_map() ? "}" : "]");
}

/// Refusals by node: plugin and reason.
std::string refusals(const Tree& filtered) {
  Tree out = Tree::map();
  for (const auto& [node, refusal] : filtered.members())
    out.set(node, Tree::string(refusal["plugin"].text() + ": " + refusal["reason"].text()));
  return canonical(out);
}

void compare(const Tree& want, const Tree& got, const std::string& where) {
  for (const char* key : {"name", "outcome", "boundTo", "message", "nominatedNode"})
    EXPECT_EQ(got[key].text(), want[key].text()) << where << ' ' << key;
  for (const char* key : {"best", "scores", "victims"})
    EXPECT_EQ(canonical(got[key]), canonical(want[key])) << where << ' ' << key;
  EXPECT_EQ(refusals(got["filtered"]), refusals(want["filtered"])) << where;
}

void check_case(const Tree& recorded) {
  std::vector<LocatedObject> objects;
  for (const Tree& object : recorded["objects"].items()) objects.push_back({object, "recorded"});
  const auto configuration = formats::read_scheduler_configuration(recorded["config"], "recorded");
  ASSERT_TRUE(configuration) << to_string(configuration.error());
  Diagnostics diagnostics;
  const auto answer = schedule(objects, {*configuration}, placement::ScheduleOrder::kInput,
                               placement::Detail::kEverything, diagnostics);
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_TRUE(diagnostics.empty());
  const Tree got = parse(to_json(*answer));
  const auto& want = recorded["expected"]["pods"].items();
  ASSERT_EQ(got["pods"].items().size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i)
    compare(want[i], got["pods"].at(i), recorded["id"].text() + " " + want[i]["name"].text());
}

std::size_t check_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line); ++cases) check_case(parse(line));
  return cases;
}

TEST(Schedule, DecidesAsRecorded) {
  EXPECT_GT(
      check_file(std::filesystem::path(ETIAGE_SOURCE_DIR) / "tests/conformance/scheduler/recorded.jsonl"),
      20u);
}

/// What the real one noted of a pod: the node that it got or is promised, and the message.
void check_gang_pod(const Tree& noted, const Tree& got, const std::string& where) {
  const std::string& node = noted["node"].text();
  EXPECT_EQ(got["boundTo"].text(), node.empty() ? noted["nominated"].text() : node) << where;
  EXPECT_EQ(got["outcome"].text() == "bound", !node.empty()) << where;
  EXPECT_EQ(got["message"].text(), noted["message"].text()) << where;
}

void check_gang(const Tree& recorded) {
  std::vector<LocatedObject> objects;
  for (const Tree& object : recorded["objects"].items()) objects.push_back({object, "recorded"});
  Diagnostics diagnostics;
  const auto answer =
      schedule(objects, {}, placement::ScheduleOrder::kInput, placement::Detail::kEverything, diagnostics);
  ASSERT_TRUE(answer) << to_string(answer.error());
  std::set<std::string> victims, want;
  for (const Tree& v : recorded["victims"].items()) want.insert("default/" + v.text());
  const Tree got = parse(to_json(*answer));
  for (const Tree& pod : got["pods"].items()) {
    const std::string& name = pod["name"].text();
    check_gang_pod(recorded["pods"][name], pod, recorded["id"].text() + " " + name);
    for (const Tree& v : pod["victims"].items()) victims.insert(v.text());
  }
  EXPECT_EQ(victims, want) << recorded["id"].text();
}

TEST(Schedule, DecidesAboutGangsAsRecorded) {
  std::ifstream file(std::filesystem::path(ETIAGE_SOURCE_DIR) / "tests/conformance/scheduler/gangs.jsonl");
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line); ++cases) check_gang(parse(line));
  EXPECT_GE(cases, 40u);
}

TEST(Schedule, DecidesAsRecordedWithPodsThatArePromisedANode) {
  EXPECT_GT(
      check_file(std::filesystem::path(ETIAGE_SOURCE_DIR) / "tests/conformance/scheduler/nominated.jsonl"),
      20u);
}

TEST(Schedule, DecidesAsRecordedInTheSharedOracles) {
  const char* data = std::getenv("ETIAGE_DATA");
  const auto folder =
      std::filesystem::path(data ? data : std::string(ETIAGE_SOURCE_DIR) + "/../shared/data") /
      "oracles/scheduler";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".jsonl") check_file(entry.path());
}

TEST(Schedule, TheQuickChoiceIsTheFullOne) {
  std::vector<LocatedObject> objects;
  for (int n = 0; n < 30; ++n)
    objects.push_back(
        {parse(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n)" + std::to_string(n) +
               R"("},"status":{"allocatable":{"cpu":")" + std::to_string(8 + n % 5) +
               R"(","memory":"64Gi","pods":"20","nvidia.com/gpu":")" + std::to_string(n % 3 * 4) + R"("}}})"),
         "n"});
  for (int p = 0; p < 120; ++p)
    objects.push_back({parse(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p)" + std::to_string(p) +
                             R"("},"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":")" +
                             std::to_string(1 + p % 2) + R"("},"limits":{"nvidia.com/gpu":")" +
                             std::to_string(p % 3) + R"("}}}]}})"),
                       "p"});
  Diagnostics diagnostics;
  const auto full =
      schedule(objects, {}, placement::ScheduleOrder::kInput, placement::Detail::kEverything, diagnostics);
  const auto quick =
      schedule(objects, {}, placement::ScheduleOrder::kInput, placement::Detail::kNode, diagnostics);
  ASSERT_TRUE(full && quick);
  for (std::size_t i = 0; i < full->pods.size(); ++i) {
    EXPECT_EQ(full->pods[i].bound_to, quick->pods[i].bound_to) << i;
    EXPECT_EQ(full->pods[i].message, quick->pods[i].message) << i;
  }
}

TEST(Schedule, NamesAMissingPriorityClass) {
  Diagnostics diagnostics;
  const Tree pod = parse(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"priorityClassName":"gold"}})");
  const auto answer = schedule({{pod, "pods.yaml"}}, {}, placement::ScheduleOrder::kInput,
                               placement::Detail::kEverything, diagnostics);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, testing::HasSubstr("no PriorityClass with name gold"));
}

TEST(Schedule, WithoutNodesNothingIsAvailable) {
  Diagnostics diagnostics;
  const auto answer =
      schedule({{parse(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}})"), "pods.yaml"}}, {},
               placement::ScheduleOrder::kInput, placement::Detail::kEverything, diagnostics);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->pods.front().message, "no nodes available to schedule pods");
}

}  // namespace
}  // namespace etiage::app
