#include "app/queue_objects.h"

#include <algorithm>

#include "adapters/files.h"
#include "adapters/input_file.h"
#include "formats/document.h"
#include "formats/kube/kueue.h"
#include "formats/kube/node.h"
#include "formats/kube/pod.h"

namespace etiage::app {
namespace {

void read_object(const Tree& object, const std::string& file, ReadQueueObjects& into) {
  if (formats::read_queue_object(object, file, into.objects, into.diagnostics)) return;
  if (object["apiVersion"].text() != "v1") return;
  if (object["kind"].text() == "Node")
    into.objects.nodes.push_back(formats::read_node(object, file, into.diagnostics));
  if (object["kind"].text() == "Pod")
    into.objects.pods.push_back(formats::read_pod(object, file, into.diagnostics));
}

Result<std::vector<Tree>> read_trees(const std::string& path, Diagnostics& diagnostics) {
  auto file = adapters::InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  const auto whole = file->whole();
  if (whole.damage) return std::unexpected(*whole.damage);
  return formats::read_documents(whole.bytes, path, diagnostics);
}

}  // namespace

ReadQueueObjects read_queue_objects(const std::vector<std::string>& paths) {
  ReadQueueObjects out;
  const adapters::FoundFiles found = adapters::find_files(paths);
  out.diagnostics = found.diagnostics;
  for (const adapters::FoundFile& file : found.files) {
    if (file.kind != adapters::FoundFile::Kind::kFile) continue;
    auto documents = read_trees(file.path, out.diagnostics);
    if (!documents) {
      out.diagnostics.push_back(as_diagnostic(documents.error(), "unreadable"));
      continue;
    }
    for (const Tree& object : formats::kubernetes_objects(std::move(*documents), file.path, out.diagnostics))
      read_object(object, file.path, out);
  }
  return out;
}

ReadQueueObjects read_queue_objects(const std::vector<Tree>& objects, const std::string& file) {
  ReadQueueObjects out;
  for (const Tree& object : objects) read_object(object, file, out);
  return out;
}

Result<QueueConfiguration> read_queue_configuration_file(const std::string& path) {
  Diagnostics diagnostics;
  auto documents = read_trees(path, diagnostics);
  if (!documents) return std::unexpected(documents.error());
  if (documents->empty())
    return failure(diagnostics.empty() ? "the file is empty" : diagnostics.front().message, {path, 0, 0, ""});
  return formats::read_queue_configuration(documents->front(), path);
}

Instant latest_moment(const QueueObjects& objects) {
  Instant out;
  const auto note = [&](const std::optional<Instant>& t) {
    if (t && *t > out) out = *t;
  };
  for (const Workload& w : objects.workloads) {
    note(w.meta.created);
    for (const Condition& c : w.conditions) note(c.since);
  }
  for (const ClusterQueue& q : objects.cluster_queues) note(q.meta.created);
  return out;
}

}  // namespace etiage::app
