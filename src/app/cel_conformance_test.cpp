// Recorded answers of the real selector engine: the part in tests/conformance, and all of them where the data
// folder is there.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "app/dra_match.h"
#include "app/dra_objects.h"
#include "formats/document.h"

namespace etiage::app {
namespace {

namespace fs = std::filesystem;

std::vector<Tree> documents_of(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  Diagnostics diagnostics;
  return formats::read_documents(text.str(), path.string(), diagnostics);
}

bool lists(const Tree& numbers, std::int64_t n) {
  return std::ranges::any_of(numbers.items(), [&](const Tree& x) { return x.as_int() == n; });
}

std::string word(const cel::Verdict& v, bool with_cost) {
  const std::string outcome = v.outcome == cel::Outcome::kError  ? "error: " + v.message
                              : v.outcome == cel::Outcome::kTrue ? "true"
                                                                 : "false";
  return with_cost && v.cost ? outcome + ", cost " + std::to_string(*v.cost) : outcome;
}

std::string wanted_word(const Tree& recorded, std::size_t i, bool with_cost) {
  const Tree& result = recorded["results"].items()[i];
  std::string out = result.text();
  if (out == "error") out += ": " + recorded["errors"].items()[i].text();
  const Tree& cost = recorded["cost"].items()[i];
  return with_cost && !cost.is_null() ? out + ", cost " + cost.text() : out;
}

/// Empty where ours is the recorded answer.
std::string difference(const Tree& recorded, const MatchAnswer& ours) {
  const cel::Selector& s = ours.selector;
  const std::string refused = recorded["compileError"].is_null() ? "" : recorded["compileError"].text();
  if (s.compile_error.value_or("") != refused)
    return "wanted " + refused + "\ngot " + s.compile_error.value_or("");
  if (!s.ok()) return {};
  if (recorded["maxCost"].text() != std::to_string(s.max_cost))
    return "maxCost: wanted " + recorded["maxCost"].text() + ", got " + std::to_string(s.max_cost);
  const auto devices = recorded["devices"].items();
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const auto at = devices[i].as_int().value_or(0);
    if (lists(recorded["variesResult"], at)) continue;
    const bool with_cost = !lists(recorded["variesCost"], at) && !recorded["cost"].items()[i].is_null();
    const std::string wanted = wanted_word(recorded, i, with_cost);
    const std::string got = word(ours.devices.at(static_cast<std::size_t>(at)).verdict, with_cost);
    if (wanted != got) return "device " + std::to_string(at) + ": wanted " + wanted + ", got " + got;
  }
  return {};
}

std::pair<int, int> run_folder(const fs::path& folder) {
  int equal = 0, different = 0;
  for (const char* version : {"1.34", "1.35", "1.36", "1.37"}) {
    const fs::path base = folder / ("v" + std::string(version));
    const DraInput input = read_dra_objects(std::vector<std::string>{base.string() + ".devices.json"});
    const auto release = read_kubernetes_version(version);
    for (const Tree& recorded : documents_of(base.string() + ".jsonl")) {
      const auto answer = match_devices(recorded["expression"].text(), cel::default_environment(*release),
                                        input.objects.dra.slices);
      const std::string why = difference(recorded, answer);
      why.empty() ? ++equal : ++different;
      EXPECT_EQ(why, "") << recorded["id"].text() << ": " << recorded["expression"].text();
    }
  }
  return {equal, different};
}

TEST(CelConformance, EqualsTheRecordedAnswers) {
  const auto [equal, different] = run_folder(fs::path(ETIAGE_SOURCE_DIR) / "tests/conformance/cel");
  EXPECT_GT(equal, 300);
  EXPECT_EQ(different, 0);
}

TEST(CelConformance, EqualsAllRecordedAnswers) {
  const char* given = std::getenv("ETIAGE_DATA");
  const fs::path folder =
      given ? fs::path(given) / "oracles/cel" : fs::path(ETIAGE_SOURCE_DIR) / "../shared/data/oracles/cel";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no recordings in " << folder << "; set ETIAGE_DATA";
  const auto [equal, different] = run_folder(folder);
  std::cout << "cel: " << equal << " equal, " << different << " different\n";
}

}  // namespace
}  // namespace etiage::app
