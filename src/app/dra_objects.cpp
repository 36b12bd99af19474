#include "app/dra_objects.h"

#include <charconv>
#include <set>

#include "adapters/files.h"
#include "adapters/input_file.h"
#include "formats/document.h"
#include "formats/kube/dra.h"
#include "formats/kube/node.h"
#include "formats/kube/pod.h"

namespace etiage::app {
namespace {

bool scores_most_allocated(const Tree& configuration) {
  for (const Tree& profile : configuration["profiles"].items())
    for (const Tree& plugin : profile["pluginConfig"].items())
      if (plugin["args"]["scoringStrategy"]["type"].text() == "MostAllocated") return true;
  return false;
}

void read_object(const Tree& object, const std::string& file, DraInput& into) {
  if (formats::read_dra_object(object, file, into.objects.dra, into.diagnostics)) return;
  const std::string& kind = object["kind"].text();
  if (kind == "KubeSchedulerConfiguration" && scores_most_allocated(object))
    into.most_allocated.push_back({file, object.line, 0, {}});
  if (object["apiVersion"].text() != "v1") return;
  if (kind == "Node") into.objects.nodes.push_back(formats::read_node(object, file, into.diagnostics));
  if (kind == "Pod") into.objects.pods.push_back(formats::read_pod(object, file, into.diagnostics));
}

void read_file(const std::string& path, DraInput& into) {
  auto file = adapters::InputFile::open(path);
  if (!file) {
    into.diagnostics.push_back(as_diagnostic(file.error(), "unreadable"));
    return;
  }
  into.files.push_back(path);
  const auto whole = file->whole();
  if (whole.damage) into.diagnostics.push_back(as_diagnostic(*whole.damage, "damaged"));
  auto documents = formats::read_documents(whole.bytes, path, into.diagnostics);
  for (const Tree& object : formats::kubernetes_objects(std::move(documents), path, into.diagnostics))
    read_object(object, path, into);
}

}  // namespace

DraInput read_dra_objects(const std::vector<std::string>& paths) {
  DraInput out;
  adapters::FoundFiles found = adapters::find_files(paths);
  out.diagnostics = std::move(found.diagnostics);
  for (const adapters::FoundFile& file : found.files)
    if (file.kind == adapters::FoundFile::Kind::kFile) read_file(file.path, out);
  return out;
}

DraInput read_dra_objects(const std::vector<Tree>& objects, const std::string& file) {
  DraInput out;
  for (const Tree& object : objects) read_object(object, file, out);
  return out;
}

void add_nodes_of_slices(DraInput& input) {
  if (!input.objects.nodes.empty()) return;
  std::set<std::string> names;
  const auto add = [&](const NodeReach& reach) {
    if (reach.node_name && !reach.node_name->empty()) names.insert(*reach.node_name);
  };
  for (const ResourceSlice& slice : input.objects.dra.slices) {
    add(slice.reach);
    for (const Device& device : slice.devices) add(device.reach);
  }
  for (const std::string& name : names) {
    Node node;
    node.meta.name = name;
    node.meta.labels.emplace("kubernetes.io/hostname", name);
    input.objects.nodes.push_back(std::move(node));
  }
}

Result<KubernetesVersion> read_kubernetes_version(std::string_view text) {
  const std::string hint = "1.34, 1.35, 1.36 or 1.37";
  std::string_view rest = text;
  if (rest.starts_with('v')) rest.remove_prefix(1);
  if (!rest.starts_with("1."))
    return failure("\"" + std::string(text) + "\" is no Kubernetes release", {}, hint);
  int minor = 0;
  const auto [end, fault] = std::from_chars(rest.data() + 2, rest.data() + rest.size(), minor);
  if (fault != std::errc{} || (end != rest.data() + rest.size() && *end != '.') || minor < 34 || minor > 37)
    return failure("Kubernetes " + std::string(text) + " is not known here", {}, hint);
  return KubernetesVersion{minor};
}

Result<dra::Behaviour> read_behaviour(const std::string& version, const std::string& gates,
                                      Diagnostics& diagnostics) {
  const auto release = version.empty() ? KubernetesVersion{} : read_kubernetes_version(version);
  if (!release) return std::unexpected(release.error());
  Diagnostics remarks;
  const dra::Gates chosen = dra::with_gates(dra::default_gates(*release), gates, remarks);
  for (Diagnostic& remark : remarks) {
    if (remark.severity == Severity::kError) return failure(remark.message);
    diagnostics.push_back(std::move(remark));
  }
  return dra::behaviour_of(*release, chosen);
}

}  // namespace etiage::app
