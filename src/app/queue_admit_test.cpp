// Recorded decisions of the real Kueue: the part in tests/conformance, and all of them where the data lies
// beside the repository.

#include "app/queue_admit.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "app/queue_objects.h"
#include "formats/document.h"
#include "formats/kube/kueue.h"

namespace etiage::app {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> texts(const Tree& list, std::initializer_list<const char*> fields) {
  std::vector<std::string> out;
  for (const Tree& item : list.items()) {
    std::string& text = out.emplace_back();
    for (const char* f : fields) text += item[f].text() + " ";
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Field by field, in whatever order; what is empty may be absent.
bool same(const Tree& a, const Tree& b) {
  if (a.text() != b.text() || a.items().size() != b.items().size() ||
      a.members().size() != b.members().size())
    return false;
  for (std::size_t i = 0; i < a.items().size(); ++i)
    if (!same(a.at(i), b.at(i))) return false;
  return std::all_of(a.members().begin(), a.members().end(),
                     [&](const Tree::Member& m) { return same(m.second, b[m.first]); });
}

bool said(const Tree& wanted, const std::string& message) {
  if (wanted["message"].text() == message) return true;
  const auto& also = wanted["alsoMessages"].items();
  return std::any_of(also.begin(), also.end(), [&](const Tree& t) { return t.text() == message; });
}

/// The first difference; empty: none.
std::string difference(const Tree& wanted, const Tree& got) {
  const auto &cycles = wanted["cycles"].items(), &ours = got["cycles"].items();
  for (std::size_t i = 0; i < std::min(cycles.size(), ours.size()); ++i) {
    const std::string at = "cycle " + std::to_string(i + 1) + ": ";
    if (texts(cycles[i]["admitted"], {"workload", "clusterQueue"}) !=
        texts(ours[i]["admitted"], {"workload", "clusterQueue"}))
      return at + "admitted";
    if (texts(cycles[i]["preempted"], {"workload", "reason", "by"}) !=
        texts(ours[i]["preempted"], {"workload", "reason", "by"}))
      return at + "preempted";
    if (texts(cycles[i]["pending"], {"workload", "status"}) !=
        texts(ours[i]["pending"], {"workload", "status"}))
      return at + "pending";
  }
  if (cycles.size() != ours.size()) return "number of cycles";
  for (const Tree& w : wanted["workloads"].items()) {
    const auto& all = got["workloads"].items();
    const auto is_it = [&](const Tree& o) {
      return o["name"].text() == w["name"].text() && o["namespace"].text() == w["namespace"].text();
    };
    const auto own = std::find_if(all.begin(), all.end(), is_it);
    if (own == all.end()) return "no workload " + w["name"].text();
    for (const char* field : {"outcome", "flavors", "topologyAssignment", "counts"})
      if (!same(w[field], (*own)[field])) return w["name"].text() + ": " + field;
    if (!said(w, (*own)["message"].text())) return w["name"].text() + ": " + (*own)["message"].text();
  }
  for (const Tree& queue : wanted["clusterQueues"].items()) {
    const auto& all = got["clusterQueues"].items();
    const auto own = std::find_if(all.begin(), all.end(),
                                  [&](const Tree& o) { return o["name"].text() == queue["name"].text(); });
    if (own == all.end() || !same(queue["usage"], (*own)["usage"])) return queue["name"].text() + ": usage";
  }
  return "";
}

Result<quota::AdmissionRun> decide(const Tree& line) {
  Diagnostics diagnostics;
  QueueConfiguration configuration;
  if (line.has("configuration")) {
    Tree document = line["configuration"];
    document.set("apiVersion", Tree::string("config.kueue.x-k8s.io/v1beta2"));
    document.set("kind", Tree::string("Configuration"));
    auto read = formats::read_queue_configuration(document, "case");
    if (!read) return std::unexpected(read.error());
    configuration = *read;
  }
  for (const auto& [gate, on] : line["featureGates"].members())
    configuration.feature_gates[gate] = *on.as_bool();
  const auto release = quota::release(line["kueueVersion"].text(), configuration.feature_gates);
  if (!release) return std::unexpected(release.error());
  const ReadQueueObjects read = read_queue_objects(line["objects"].items(), "case");
  return quota::run(read.objects, configuration, *release, *parse_instant(line["now"].text()),
                    static_cast<int>(*line["cycles"].as_int()));
}

void check_file(const fs::path& path) {
  std::ifstream in(path);
  ASSERT_TRUE(in) << path;
  std::string text;
  for (int number = 1; std::getline(in, text); ++number) {
    Diagnostics diagnostics;
    const auto documents = formats::read_documents(text, path.string(), diagnostics);
    ASSERT_EQ(documents.size(), 1U) << path << ":" << number;
    const Tree& line = documents.front();
    const auto run = decide(line);
    ASSERT_TRUE(run) << line["id"].text() << ": " << run.error().message;
    const auto got = formats::read_documents(to_json(*run), "answer", diagnostics);
    std::vector<Tree> wanted{line["expected"]};
    for (const Tree& other : line["alternatives"].items()) wanted.push_back(other);
    const bool right = std::any_of(wanted.begin(), wanted.end(),
                                   [&](const Tree& w) { return difference(w, got.front()).empty(); });
    EXPECT_TRUE(right) << line["id"].text() << ": " << difference(wanted.front(), got.front());
  }
}

TEST(QueueAdmit, DecidesAsRecorded) {
  check_file(fs::path(ETIAGE_SOURCE_DIR) / "tests/conformance/kueue/recorded.jsonl");
}

TEST(QueueAdmit, DecidesAsAllThatIsRecorded) {
  const char* data = std::getenv("ETIAGE_DATA");
  const fs::path folder =
      (data ? fs::path(data) : fs::path(ETIAGE_SOURCE_DIR) / "../shared/data") / "oracles/kueue";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no recorded decisions in " << folder;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".jsonl") check_file(entry.path());
}

}  // namespace
}  // namespace etiage::app
