#include "app/testing/small_cluster.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>

#include "formats/document.h"
#include "formats/kube/cluster.h"
#include "formats/prices.h"
#include "formats/text/text_reader.h"

namespace etiage::app::testing {
namespace {

constexpr std::int64_t kHour = 1791763200;  // 2026-10-12T00:00:00Z

std::string sample(const std::string& series, double value, int minute) {
  return fmt::format("{} {} {}.000\n", series, value, kHour + 60 * minute);
}

}  // namespace

Reading read(const SmallCluster& cluster) {
  Loaded loaded;
  formats::TextReader text(loaded.sources.series, {0, formats::TextTimes::kSeconds});
  text.feed(cluster.metrics);
  text.finish();
  loaded.sources.series.finish();
  auto documents = formats::read_documents(cluster.objects, "objects", loaded.diagnostics);
  Cluster objects;
  formats::add_objects(objects,
                       formats::kubernetes_objects(std::move(documents), "objects", loaded.diagnostics),
                       "objects", loaded.diagnostics);
  loaded.sources.clusters =
      evidence::group_clusters({{"objects", std::move(objects)}}, loaded.sources.series);
  loaded.prices = formats::read_prices(cluster.prices, "prices.csv", loaded.diagnostics);
  loaded.priced = true;
  auto reading = settle(loaded, {}, "");
  assert(reading);
  return std::move(*reading);
}

std::string gauge(const std::string& series, double value, int from, int to) {
  std::string out;
  for (int minute = from; minute < to; ++minute) out += sample(series, value, minute);
  return out;
}

std::string counter(const std::string& series, double first, double last, int from, int to) {
  std::string out;
  for (int minute = from; minute <= to; ++minute)
    out += sample(series, first + (last - first) * (minute - from) / (to - from), minute);
  return out;
}

std::string node(const std::string& name, const std::string& resources, const std::string& labels) {
  return fmt::format(R"(---
kind: Node
metadata: {{name: {0}, uid: {0}, creationTimestamp: "2026-10-01T00:00:00Z", labels: {{{2}}}}}
status: {{capacity: {{{1}}}, allocatable: {{{1}}}, conditions: [{{type: Ready, status: "True"}}]}}
)",
                     name, resources, labels);
}

std::string pod(const std::string& name, const std::string& node, const std::string& requests,
                const std::string& labels) {
  return fmt::format(R"(---
kind: Pod
metadata: {{name: {0}, namespace: prod, uid: {0}, creationTimestamp: "2026-10-11T20:00:00Z", labels: {{{3}}}}}
spec: {{nodeName: {1}, containers: [{{name: main, resources: {{requests: {{{2}}}, limits: {{{2}}}}}}}]}}
status:
  phase: Running
  conditions:
  - {{type: PodScheduled, status: "True", lastTransitionTime: "2026-10-11T20:00:00Z"}}
  - {{type: Ready, status: "True", lastTransitionTime: "2026-10-11T20:05:00Z"}}
)",
                     name, node, requests, labels);
}

const ledger::PodAccount& account(const Reading& reading, const std::string& pod) {
  const auto& pods = reading.evidence.pods;
  const auto it = std::ranges::find(pods, pod, &PodLife::name);
  assert(it != pods.end() && std::ranges::count(pods, pod, &PodLife::name) == 1);
  return reading.ledger.pods[static_cast<std::size_t>(it - pods.begin())];
}

bool has_check(const Reading& reading, const std::string& id) {
  return std::ranges::find(reading.checks, id, &Check::id) != reading.checks.end();
}

}  // namespace etiage::app::testing
