// Recorded answers of the real allocator: the part in tests/conformance, and all of them where the data
// folder is there.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "app/dra_allocate.h"
#include "app/dra_objects.h"
#include "formats/document.h"

namespace etiage::app {
namespace {

namespace fs = std::filesystem;

/// One result as a line, as far as the recordings tell it.
std::string line_of(const Tree& result) {
  std::string out;
  for (const char* field : {"claim", "request", "driver", "pool", "device"})
    out += result[field].text() + " ";
  for (const auto& [name, amount] : result["consumedCapacity"].members())
    out += name + "=" + amount.text() + " ";
  return out + (result["adminAccess"].as_bool().value_or(false) ? "admin" : "");
}

std::string outcome_of(const Tree& pod) {
  std::multiset<std::string> results;
  for (const Tree& r : pod["results"].items()) results.insert(line_of(r));
  const std::string outcome = pod["outcome"].text();
  std::string out = pod["namespace"].text() + "/" + pod["name"].text() + ": " + outcome;
  if (outcome == "allocated") out += " on " + pod["node"].text();
  for (const std::string& r : results) out += "\n  " + r;
  return out + "\n";
}

std::string outcomes_of(const Tree& answer) {
  std::set<std::string> pods;
  for (const Tree& pod : answer["pods"].items()) pods.insert(outcome_of(pod));
  std::string out;
  for (const std::string& pod : pods) out += pod;
  return out;
}

std::string gates_of(const Tree& gates) {
  std::string out;
  for (const auto& [name, on] : gates.members()) out += name + "=" + on.text() + ",";
  return out;
}

/// Empty where ours is one of the recorded answers.
std::string difference(const Tree& recorded) {
  const DraInput input = read_dra_objects(recorded["objects"].items(), "case");
  Diagnostics diagnostics;
  const auto behaviour =
      read_behaviour(recorded["kubernetesVersion"].text(), gates_of(recorded["featureGates"]), diagnostics);
  if (!behaviour) return to_string(behaviour.error());
  const std::string json = to_json(allocate_devices(input, *behaviour), *behaviour);
  const auto ours = formats::read_documents(json, "ours", diagnostics);
  const std::string got = outcomes_of(ours.at(0)), wanted = outcomes_of(recorded["expected"]);
  if (got == wanted) return {};
  for (const Tree& other : recorded["alternatives"].items())
    if (outcomes_of(other) == got) return {};
  return "wanted\n" + wanted + "got\n" + got;
}

std::pair<int, int> run_folder(const fs::path& folder) {
  int equal = 0, different = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream file(entry.path());
    std::stringstream text;
    text << file.rdbuf();
    Diagnostics diagnostics;
    for (const Tree& recorded : formats::read_documents(text.str(), entry.path().string(), diagnostics)) {
      const std::string why = difference(recorded);
      why.empty() ? ++equal : ++different;
      EXPECT_EQ(why, "") << recorded["id"].text();
    }
  }
  return {equal, different};
}

TEST(DraConformance, EqualsTheRecordedAnswers) {
  const auto [equal, different] = run_folder(fs::path(ETIAGE_SOURCE_DIR) / "tests/conformance/dra");
  EXPECT_GT(equal, 50);
  EXPECT_EQ(different, 0);
}

TEST(DraConformance, EqualsAllRecordedAnswers) {
  const char* given = std::getenv("ETIAGE_DATA");
  const fs::path folder =
      given ? fs::path(given) / "oracles/dra" : fs::path(ETIAGE_SOURCE_DIR) / "../shared/data/oracles/dra";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no recordings in " << folder << "; set ETIAGE_DATA";
  const auto [equal, different] = run_folder(folder);
  std::cout << "dra: " << equal << " equal, " << different << " different\n";
}

}  // namespace
}  // namespace etiage::app
