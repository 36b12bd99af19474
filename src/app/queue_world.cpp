#include "app/queue_world.h"

#include "app/queue_objects.h"
#include "explain/lint/kueue_rules.h"

namespace etiage::app {

Result<QueueWorld> read_queue_world(const QueueQuestion& question) {
  QueueWorld out;
  if (!question.configuration.empty()) {
    auto read = read_queue_configuration_file(question.configuration);
    if (!read) return std::unexpected(read.error());
    out.configuration = std::move(*read);
  }
  for (const auto& [gate, on] : question.feature_gates) out.configuration.feature_gates[gate] = on;
  auto release = quota::release(question.kueue_version, out.configuration.feature_gates);
  if (!release) return std::unexpected(release.error());
  out.release = std::move(*release);
  ReadQueueObjects read = read_queue_objects(question.paths);
  if (read.objects.cluster_queues.empty() && read.objects.workloads.empty())
    return failure("no object of Kueue in the files",
                   read.diagnostics.empty() ? Place{} : read.diagnostics.front().place,
                   read.diagnostics.empty()
                       ? "give ClusterQueues, LocalQueues and Workloads as `kubectl get -o yaml` prints them"
                       : read.diagnostics.front().message);
  out.objects = std::move(read.objects);
  out.diagnostics = std::move(read.diagnostics);
  // What the API server would not have let in is decided on as it stands, but not without a word.
  for (const ClusterQueue& q : out.objects.cluster_queues)
    for (Diagnostic& d : explain::refusals(q)) out.diagnostics.push_back(std::move(d));
  out.now = question.now.value_or(latest_moment(out.objects));
  return out;
}

}  // namespace etiage::app
