#include "formats/kubectl_text.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "formats/nvidia_smi.h"

namespace etiage::formats {
namespace {

std::string_view trimmed(std::string_view s) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = s.find_first_not_of(kBlank);
  return first == s.npos ? std::string_view() : s.substr(first, s.find_last_not_of(kBlank) - first + 1);
}

template <class F>
void each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    f(trimmed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Where the lines of a description belong.
enum class Part { kNone, kLabels, kTaints, kCapacity, kAllocatable, kConditions };

struct Heading {
  std::string_view word;
  Part part;
};
constexpr auto kHeadings = std::to_array<Heading>({{"Labels:", Part::kLabels},
                                                   {"Taints:", Part::kTaints},
                                                   {"Capacity:", Part::kCapacity},
                                                   {"Allocatable:", Part::kAllocatable},
                                                   {"Conditions:", Part::kConditions},
                                                   {"Annotations:", Part::kNone},
                                                   {"Addresses:", Part::kNone},
                                                   {"Unschedulable:", Part::kNone},
                                                   {"Lease:", Part::kNone},
                                                   {"System Info:", Part::kNone},
                                                   {"PodCIDR:", Part::kNone},
                                                   {"Non-terminated Pods:", Part::kNone},
                                                   {"Allocated resources:", Part::kNone},
                                                   {"Resource ", Part::kNone},
                                                   {"Events:", Part::kNone},
                                                   {"Name:", Part::kNone},
                                                   {"Roles:", Part::kNone}});

/// Keys that stand in a list of capacities and in no list of labels.
bool names_amount(std::string_view key) {
  for (std::string_view known : {"cpu", "memory", "pods", "ephemeral-storage", "nvidia.com/gpu",
                                 "nvidia.com/gpu.shared", "amd.com/gpu", "google.com/tpu"})
    if (key == known) return true;
  return key.starts_with("nvidia.com/mig-") && (key.ends_with("gb") || key.ends_with(".me"));
}

/// `"key": "value",` of a JSON text that may be cut anywhere.
std::pair<std::string_view, std::string_view> json_pair(std::string_view line) {
  if (!line.starts_with('"')) return {};
  const std::size_t close = line.find('"', 1);
  if (close == line.npos) return {};
  std::string_view rest = trimmed(line.substr(close + 1));
  if (!rest.starts_with(':')) return {};
  rest = trimmed(rest.substr(1));
  if (rest.ends_with(',')) rest.remove_suffix(1);
  if (rest.size() >= 2 && rest.starts_with('"') && rest.ends_with('"'))
    rest = rest.substr(1, rest.size() - 2);
  return {line.substr(1, close - 1), rest};
}

bool is_key(std::string_view key) {
  return !key.empty() && key.find_first_of(" {}[]()\"'") == key.npos;
}

void add_taint(Node& node, std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos) return;
  const std::string_view effect = text.substr(colon + 1), pair = text.substr(0, colon);
  Taint taint{.key = std::string(pair.substr(0, pair.find('=')))};
  if (const auto equals = pair.find('='); equals != pair.npos) taint.value = pair.substr(equals + 1);
  if (effect == "PreferNoSchedule")
    taint.effect = TaintEffect::kPreferNoSchedule;
  else if (effect == "NoExecute")
    taint.effect = TaintEffect::kNoExecute;
  else if (effect != "NoSchedule")
    return;
  node.taints.push_back(std::move(taint));
}

void add_amount(ResourceList& list, std::string_view key, std::string_view value) {
  if (const auto amount = Quantity::parse(value)) list[std::string(key)] = *amount;
}

class Description {
 public:
  explicit Description(std::string name) : name_(std::move(name)) {}

  void read(std::string_view line) {
    if (line.starts_with("Name:")) return begin(trimmed(line.substr(5)));
    if (const auto [key, value] = json_pair(line); !key.empty()) return add_pair(key, value);
    std::string_view rest = line;
    for (const Heading& h : kHeadings)
      if (line.starts_with(h.word)) part_ = h.part, rest = trimmed(line.substr(h.word.size()));
    if (line.starts_with("Unschedulable:")) node().unschedulable = rest == "true";
    read_in_part(rest);
  }

  std::vector<Node> take() {
    std::erase_if(nodes_, [](const Node& n) {
      return n.capacity.empty() && n.allocatable.empty() && !shows_device(n);
    });
    return std::move(nodes_);
  }

 private:
  static bool shows_device(const Node& n) {
    return std::ranges::any_of(n.meta.labels, [](const auto& l) {
      return l.first == "nvidia.com/gpu.product" || l.first == "nvidia.com/gpu.count" ||
             l.first == "amd.com/gpu.product-name" || l.first == "cloud.google.com/gke-accelerator" ||
             l.first == "cloud.google.com/gke-tpu-accelerator";
    });
  }

  Node& node() {
    if (nodes_.empty()) nodes_.push_back({.meta = {.name = name_}});
    return nodes_.back();
  }

  void begin(std::string_view name) {
    nodes_.push_back({.meta = {.name = std::string(name)}});
    part_ = Part::kNone;
  }

  void add_pair(std::string_view key, std::string_view value) {
    if (names_amount(key))
      add_amount(node().capacity, key, value);
    else if (key.contains('/'))
      node().meta.labels.emplace(key, value);
  }

  void read_in_part(std::string_view line) {
    const std::size_t equals = line.find('='), colon = line.find(':');
    const bool is_label = equals != line.npos && is_key(line.substr(0, equals)) && line.contains('/');
    if (part_ == Part::kTaints && line.contains(':')) return add_taint(node(), line);
    if ((part_ == Part::kLabels || (part_ == Part::kNone && nodes_.empty()) || bare_) && is_label) {
      bare_ |= nodes_.empty();
      node().meta.labels.emplace(line.substr(0, equals), line.substr(equals + 1));
      return;
    }
    if (part_ == Part::kConditions && line.starts_with("Ready ")) {
      const std::string_view status = trimmed(line.substr(6));
      node().conditions.push_back(
          {.type = "Ready", .status = std::string(status.substr(0, status.find(' ')))});
    }
    if ((part_ != Part::kCapacity && part_ != Part::kAllocatable) || colon == line.npos) return;
    if (const std::string_view key = line.substr(0, colon); is_key(key))
      add_amount(part_ == Part::kCapacity ? node().capacity : node().allocatable, key,
                 trimmed(line.substr(colon + 1)));
  }

  std::string name_;
  std::vector<Node> nodes_;
  Part part_ = Part::kNone;
  bool bare_ = false;  ///< label lines without a heading
};

/// Of other kinds than Node: `Kind: ClusterQueue`, or words that only one kind has.
std::string described_kind(std::string_view text) {
  std::string kind;
  each_line(text, [&](std::string_view line) {
    if (line.starts_with("Kind:") && kind.empty()) kind = trimmed(line.substr(5));
  });
  if (!kind.empty()) return kind;
  if (text.contains("Min replicas:") || text.contains("ScalingActive")) return "HorizontalPodAutoscaler";
  if (text.contains("Controlled By:") || text.contains("QoS Class:")) return "Pod";
  return "";
}

}  // namespace

std::vector<Node> described_nodes(std::string_view text, const std::string& name) {
  const std::string kind = described_kind(text);
  if (!kind.empty() && kind != "Node") return {};
  Description description(name);
  each_line(text, [&](std::string_view line) { description.read(line); });
  return description.take();
}

UnusedText unused_kubectl_text(std::string_view text) {
  if (const std::string kind = described_kind(text); !kind.empty())
    return {"kubectl describe of a " + kind, "give kubectl get " + lower_case(kind) + " -A -o yaml"};
  const std::string_view body = trimmed(text.substr(std::min(text.find_first_not_of(" \n"), text.size())));
  if (body.starts_with("Normal ") || body.starts_with("Warning ") || body.starts_with("LAST SEEN"))
    return {"a table of kubectl get events",
            "events carry no amounts; give kubectl get pods,nodes -A -o json"};
  return {"a table that kubectl printed for people", "the same command with -o yaml has all that is there"};
}

UnusedText unused_smi_text(std::string_view text) {
  constexpr const char* kHint =
      "give nvidia-smi --query-gpu=timestamp,hostname,uuid,name,utilization.gpu --format=csv -l 15";
  switch (smi_form(text)) {
    case SmiForm::kMonitor:
      return {"nvidia-smi dmon or pmon, which name no device", kHint};
    case SmiForm::kTopology:
      return {"nvidia-smi topo, which shows how cards are linked", kHint};
    default:
      return {"an output of nvidia-smi without devices in it", kHint};
  }
}

}  // namespace etiage::formats
