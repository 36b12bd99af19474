// Recorded decisions of the real Volcano.

#include "app/queue_schedule.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

#include "formats/document.h"

namespace etiage::app {
namespace {

using Places = std::map<std::string, std::string>;

Tree parse(const std::string& text) {
  Diagnostics diagnostics;
  auto documents = formats::read_documents(text, "test", diagnostics);
  return documents.empty() ? Tree() : std::move(documents.front());
}

Tree config_map(const std::string& text) {
  Tree data = Tree::map(), out = Tree::map();
  data.set("volcano-scheduler.conf", Tree::string(text));
  out.set("kind", Tree::string("ConfigMap"));
  out.set("data", std::move(data));
  return out;
}

Places places_of(const QueueScheduleAnswer& answer) {
  const placement::Snapshot& snapshot = answer.nodes.snapshot();
  Places out;
  for (const auto& group : answer.outcomes)
    for (const auto& [pod, choice] : group.pods)
      out[snapshot.pod(pod).meta.ns + "/" + snapshot.pod(pod).meta.name] = snapshot.node_name(choice.node);
  return out;
}

void check_case(const Tree& recorded) {
  std::vector<LocatedObject> objects;
  for (const Tree& object : recorded["objects"].items()) objects.push_back({object, "recorded"});
  objects.push_back({config_map(recorded["conf"].text()), "recorded"});
  Diagnostics diagnostics;
  const auto answer = schedule_in_queues(objects, QueueScheduler::kVolcano, "", diagnostics);
  ASSERT_TRUE(answer) << to_string(answer.error());
  Places want;
  for (const auto& [pod, node] : recorded["bound"].members()) want[pod] = node.text();
  EXPECT_EQ(places_of(*answer), want) << recorded["id"].text();
}

TEST(VolcanoSchedule, DecidesAsRecorded) {
  std::ifstream file(std::filesystem::path(ETIAGE_SOURCE_DIR) / "tests/conformance/volcano/recorded.jsonl");
  std::size_t cases = 0;
  for (std::string line; std::getline(file, line); ++cases) check_case(parse(line));
  EXPECT_GE(cases, 60u);
}

}  // namespace
}  // namespace etiage::app
