// The nodes: from objects, else from kube-state-metrics, else from whoever names them.

#include <algorithm>
#include <charconv>
#include <cmath>

#include "catalog/cards.h"
#include "catalog/mig_geometry.h"
#include "evidence/accelerators.h"
#include "evidence/claims.h"
#include "evidence/draft.h"
#include "evidence/kube_labels.h"

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

bool has_mig(const ResourceList& list) {
  return std::ranges::any_of(
      list, [](const auto& r) { return r.first.starts_with("nvidia.com/mig-") && r.second.sign() > 0; });
}

/// As many cards as the declared instances fill; there may be more, which rows tell.
int cards_of_instances(const NodeLife& node, const ResourceList& list, const LabelMap& labels) {
  double filled = 0;
  for (const auto& [name, quantity] : list)
    if (name.starts_with("nvidia.com/mig-"))
      filled += quantity.as_double() * catalog::mig_share(node.card, std::string_view(name).substr(15));
  // The single strategy names the profile in the product and counts instances as cards.
  const std::string product = label(labels, "nvidia.com/gpu.product");
  if (const auto at = product.find("-MIG-"); at != std::string::npos)
    filled += std::max(number_label(labels, "nvidia.com/gpu.count"),
                       static_cast<int>(amount(list, "nvidia.com/gpu"))) *
              catalog::mig_share(node.card, std::string_view(product).substr(at + 5));
  return static_cast<int>(std::ceil(std::min(filled, 1024.0) - 1e-9));
}

/// HAMi's plug-in offers each card many times over; the cards themselves stand in an annotation.
bool read_hami(NodeLife& node, const Node& object) {
  const auto cards = hami_cards(object);
  if (cards.empty()) return false;
  node.cards = static_cast<int>(cards.size());
  if (names_vendor_only(node.card)) node.card = cards.front().product;
  return true;
}

/// AMD's plug-in offers the parts of a card as devices, by their mode's name or all as amd.com/gpu. False:
/// no card is cut.
bool read_parts(NodeLife& node, const Node& object) {
  const ResourceList& list = object.capacity.empty() ? object.allocatable : object.capacity;
  const int parts = amd_parts(node.card, label(node.labels, "amd.com/compute-memory-partition"));
  double cards = static_cast<double>(amount(list, "amd.com/gpu")) / parts;
  node.replicas = parts;
  for (const auto& [name, quantity] : list) {
    const auto mode = amd_mode(name);
    if (mode.empty() || quantity.sign() <= 0) continue;
    cards += quantity.as_double() / amd_parts(node.card, mode);
    node.replicas = std::max(node.replicas, amd_parts(node.card, mode));
  }
  if (node.replicas == 1) return false;
  node.sharing = Sharing::kMig;
  node.cards = static_cast<int>(std::ceil(cards - 1e-9));
  return true;
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
  if (const int cores = cores_of_device(list); cores > 1) node.replicas = cores;
  const std::int64_t devices = declared_devices(list);
  if (node.sharing == Sharing::kMig) node.cards = cards_of_instances(node, list, labels);
  if (single_mig) return;
  const int labelled = number_label(labels, "nvidia.com/gpu.count");
  const int slices = node.sharing == Sharing::kWhole ? 1 : node.replicas;
  node.cards = labelled > 0 ? labelled : node.cards + static_cast<int>((devices + slices - 1) / slices);
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

NodeLife from_object(Node object, const std::string& cluster, Window window) {
  object.capacity = sane_amounts(std::move(object.capacity));
  object.allocatable = sane_amounts(std::move(object.allocatable));
  NodeLife node;
  node.cluster = cluster;
  node.name = object.meta.name;
  node.labels = object.meta.labels;
  node.instance_type = label(node.labels, "node.kubernetes.io/instance-type");
  if (node.instance_type.empty()) node.instance_type = label(node.labels, "beta.kubernetes.io/instance-type");
  node.card = card_name(node.labels, object.capacity.empty() ? object.allocatable : object.capacity);
  if (!read_hami(node, object) && !read_parts(node, object)) read_sharing(node, object);
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
  Node object;
  Instant first = Instant::max(), until = Instant::min();
};

void read_amount(ResourceList& list, const Series& s, double value) {
  const std::string name = resource_of(s.label("resource"));
  constexpr double kExact = 9e15;  // thousandths of it fit into 64 bits
  if (std::abs(value) < kExact) list[name] = Quantity::milli(std::llround(value * 1000));
}

void read(KubeNode& k, const Series& s) {
  const auto samples = s.samples();
  if (samples.empty()) return;
  const double value = samples.back().value;
  k.first = std::min(k.first, Instant::unix_millis(samples.front().ms));
  k.until = std::max(k.until, Instant::unix_millis(samples.back().ms) + hold_limit(samples));
  switch (s.meaning.role) {
    case Role::kNodeCreated:
      k.object.meta.created = Instant::unix_seconds(static_cast<std::int64_t>(value));
      break;
    case Role::kNodeLabels:
      for (auto& [key, text] : kube_labels(s)) k.object.meta.labels[key] = text;
      break;
    case Role::kNodeAllocatable:
      read_amount(k.object.allocatable, s, value);
      break;
    case Role::kNodeCapacity:
      read_amount(k.object.capacity, s, value);
      break;
    case Role::kNodeUnschedulable:
      k.object.unschedulable = value > 0;
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
    k.object.meta.name = key.second;
    NodeLife node = from_object(k.object, key.first, draft.out.window);
    node.life = {k.object.meta.created.value_or(k.first), k.until};
    add(draft, std::move(node));
  }
}

/// Memory of a node's cards in MiB: as HAMi registered it, else by the label, which some write in bytes, else
/// by the card.
double card_mib(const Node& object, const NodeLife& node) {
  if (const auto cards = hami_cards(object); !cards.empty()) return cards.front().memory_mib;
  const std::string text = label(object.meta.labels, "nvidia.com/gpu.memory");
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  if (value > 0) return value < 1e8 ? value : value / (1 << 20);
  const auto card = catalog::find_card(node.card, catalog::cards());
  return card ? card->visible_gib * 1024 : 0;
}

}  // namespace

void add_nodes(Draft& draft) {
  for (const NamedCluster& c : draft.sources.clusters)
    for (const Node& object : c.objects.nodes) {
      NodeLife node = from_object(object, draft.cluster_of(c.name), draft.out.window);
      const double mib = card_mib(object, node);
      const auto key = std::pair{node.cluster, node.name};
      add(draft, std::move(node));
      if (mib > 0) draft.card_mib[draft.nodes.at(key)] = mib;
    }
  add_kube_nodes(draft);
  add_sliced_cards(draft);
}

}  // namespace etiage::evidence
