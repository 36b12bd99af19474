// The nodes: from objects, else from kube-state-metrics, else from whoever names them.

#include <algorithm>
#include <cmath>

#include "evidence/claims.h"
#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

std::int64_t amount(const ResourceList& list, std::string_view name) {
  const auto it = list.find(name);
  return it == list.end() ? 0 : it->second.value();
}

std::string label(const LabelMap& labels, std::string_view name) {
  const auto it = labels.find(name);
  return it == labels.end() ? "" : it->second;
}

int number_label(const LabelMap& labels, std::string_view name) {
  const std::string text = label(labels, name);
  return !text.empty() && text.size() < 7 && text.find_first_not_of("0123456789") == std::string::npos
             ? std::stoi(text)
             : 0;
}

void drop_suffix(std::string& text, std::string_view suffix) {
  if (const auto at = text.find(suffix); at != std::string::npos) text.resize(at);
}

/// GPU feature discovery appends how a card is shared to its name: -SHARED, -MIG-1g.10gb.
std::string card_of(const LabelMap& labels) {
  std::string product = label(labels, "nvidia.com/gpu.product");
  drop_suffix(product, "-SHARED");
  drop_suffix(product, "-MIG-");
  if (!product.empty()) return product;
  for (std::string_view key :
       {"gpu.nvidia.com/model", "cloud.google.com/gke-accelerator", "k8s.amazonaws.com/accelerator",
        "amd.com/gpu.product-name", "cloud.google.com/gke-tpu-accelerator"})
    if (const std::string other = label(labels, key); !other.empty()) return other;
  return "";
}

bool counts_devices(std::string_view resource) {
  for (std::string_view known :
       {"nvidia.com/gpu", "nvidia.com/gpu.shared", "amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe",
        "habana.ai/gaudi", "google.com/tpu", "aws.amazon.com/neuron", "aws.amazon.com/neuroncore"})
    if (resource == known) return true;
  return false;
}

std::int64_t declared_devices(const ResourceList& list) {
  std::int64_t most = 0;
  for (const auto& [name, quantity] : list)
    if (counts_devices(name)) most = std::max(most, quantity.value());
  return most;
}

bool has_mig(const ResourceList& list) {
  return std::ranges::any_of(
      list, [](const auto& r) { return r.first.starts_with("nvidia.com/mig-") && r.second.sign() > 0; });
}

/// Slices or clients of one card, and how many cards that makes.
void read_sharing(NodeLife& node, const Node& object) {
  const LabelMap& labels = object.meta.labels;
  const ResourceList& list = object.capacity.empty() ? object.allocatable : object.capacity;
  const int replicas = number_label(labels, "nvidia.com/gpu.replicas");
  const bool single_mig = label(labels, "nvidia.com/gpu.product").find("-MIG-") != std::string::npos;
  if (has_mig(list) || single_mig) {
    node.sharing = Sharing::kMig;
  } else if (replicas > 1) {
    node.sharing =
        label(labels, "nvidia.com/gpu.sharing-strategy") == "mps" ? Sharing::kMps : Sharing::kTimeSliced;
    node.replicas = replicas;
  }
  const std::int64_t devices = declared_devices(list);
  if (single_mig) return;  // the label counts instances there; the rows tell the cards
  const int labelled = number_label(labels, "nvidia.com/gpu.count");
  node.cards = labelled > 0 ? labelled : static_cast<int>((devices + node.replicas - 1) / node.replicas);
  // A device that the plug-in took out as unhealthy is in the capacity and no longer allocatable.
  const std::int64_t lost =
      amount(object.capacity, "nvidia.com/gpu") - amount(object.allocatable, "nvidia.com/gpu");
  if (node.sharing == Sharing::kWhole && !object.allocatable.empty() && lost > 0)
    node.unhealthy_cards = static_cast<int>(lost);
}

bool is_ready(const Node& object) {
  for (const Condition& c : object.conditions)
    if (c.type == "Ready") return c.status == "True";
  return true;  // nothing says otherwise
}

NodeLife from_object(const Node& object, const std::string& cluster, Window window) {
  NodeLife node;
  node.cluster = cluster;
  node.name = object.meta.name;
  node.labels = object.meta.labels;
  node.instance_type = label(node.labels, "node.kubernetes.io/instance-type");
  if (node.instance_type.empty()) node.instance_type = label(node.labels, "beta.kubernetes.io/instance-type");
  node.card = card_of(node.labels);
  read_sharing(node, object);
  const ResourceList& has = object.allocatable.empty() ? object.capacity : object.allocatable;
  if (const auto cpu = has.find("cpu"); cpu != has.end()) node.cores = cpu->second.as_double();
  node.memory = Bytes{amount(has, "memory")};
  node.cordoned = object.unschedulable;
  node.healthy = is_ready(object);
  node.taints = object.taints;
  node.taints_known = true;
  node.life = {object.meta.created.value_or(window.start), window.end};
  return node;
}

void add(Draft& draft, NodeLife node) {
  node.life = overlap(node.life, draft.out.window);
  if (node.life.empty()) node.life = {draft.out.window.start, draft.out.window.start};
  const auto key = std::pair{node.cluster, node.name};
  if (draft.nodes.contains(key)) return;
  draft.nodes.emplace(key, NodeId{static_cast<std::uint32_t>(draft.out.nodes.size())});
  draft.out.nodes.push_back(std::move(node));
}

/// What kube-state-metrics tells of a node that no object shows.
struct KubeNode {
  NodeLife node;
  std::optional<Instant> created;
  Instant first = Instant::max(), until = Instant::min();
};

/// `label_nvidia_com_gpu_count` cannot be turned back into its key in general; the few that matter are looked
/// up.
void read_node_labels(NodeLife& node, const Series& s) {
  const auto get = [&](std::string_view name) { return std::string(s.label(name)); };
  node.instance_type = get("label_node_kubernetes_io_instance_type");
  node.card = get("label_nvidia_com_gpu_product");
  drop_suffix(node.card, "-SHARED");
  const LabelMap shared{{"r", get("label_nvidia_com_gpu_replicas")},
                        {"c", get("label_nvidia_com_gpu_count")}};
  node.replicas = std::max(1, number_label(shared, "r"));
  node.cards = std::max(node.cards, number_label(shared, "c"));
  if (node.replicas > 1)
    node.sharing =
        get("label_nvidia_com_gpu_sharing_strategy") == "mps" ? Sharing::kMps : Sharing::kTimeSliced;
}

void read_allocatable(NodeLife& node, const Series& s, double value) {
  const std::string_view resource = s.label("resource");
  if (resource == "cpu") node.cores = value;
  if (resource == "memory") node.memory = Bytes{static_cast<std::int64_t>(value)};
  if (resource == "nvidia_com_gpu" && node.cards == 0) node.cards = static_cast<int>(value);
  if (resource.starts_with("nvidia_com_mig_") && value > 0) node.sharing = Sharing::kMig;
}

void read(KubeNode& k, const Series& s) {
  const auto samples = s.samples();
  if (samples.empty()) return;
  const double value = samples.back().value;
  k.first = std::min(k.first, Instant::unix_millis(samples.front().ms));
  k.until = std::max(k.until, Instant::unix_millis(samples.back().ms) + hold_limit(samples));
  switch (s.meaning.role) {
    case Role::kNodeCreated:
      k.created = Instant::unix_seconds(static_cast<std::int64_t>(value));
      break;
    case Role::kNodeLabels:
      read_node_labels(k.node, s);
      break;
    case Role::kNodeAllocatable:
      read_allocatable(k.node, s, value);
      break;
    case Role::kNodeUnschedulable:
      k.node.cordoned = value > 0;
      break;
    default:
      break;
  }
}

bool of_node(Role role) {
  return role >= Role::kNodeInfo && role <= Role::kNodeUnschedulable;
}

void add_kube_nodes(Draft& draft) {
  std::map<std::pair<std::string, std::string>, KubeNode> found;
  for (const Series& s : draft.sources.series.all()) {
    if (!of_node(s.meaning.role) || !s.has("node")) continue;
    const std::pair key{draft.cluster_of(s.label("cluster")), std::string(s.label("node"))};
    if (!draft.nodes.contains(key)) read(found[key], s);
  }
  for (auto& [key, k] : found) {
    std::tie(k.node.cluster, k.node.name) = key;
    k.node.life = {k.created.value_or(k.first), k.until};
    add(draft, std::move(k.node));
  }
}

}  // namespace

void add_nodes(Draft& draft) {
  for (const NamedCluster& c : draft.sources.clusters)
    for (const Node& object : c.objects.nodes)
      add(draft, from_object(object, draft.cluster_of(c.name), draft.out.window));
  add_kube_nodes(draft);
  add_sliced_cards(draft);
}

}  // namespace etiage::evidence
