#include "evidence/accelerators.h"

#include <algorithm>
#include <array>

namespace etiage::evidence {
namespace {

struct Vendor {
  std::string_view resource;  ///< a name, or the beginning of one where it ends in `/` or `-`
  std::string_view card;      ///< what to call its cards where nothing tells the product
};

constexpr auto kVendors = std::to_array<Vendor>({
    {"amd.com/gpu", "AMD GPU"},
    {"gpu.intel.com/i915", "Intel GPU"},
    {"gpu.intel.com/xe", "Intel GPU"},
    {"habana.ai/gaudi", "Intel Gaudi"},
    {"google.com/tpu", "Google TPU"},
    {"aws.amazon.com/neuron", "AWS Neuron"},
    {"aws.amazon.com/neurondevice", "AWS Neuron"},
    {"aws.amazon.com/neuroncore", "AWS Neuron"},
    {"huawei.com/Ascend", "Huawei Ascend"},
    {"cambricon.com/", "Cambricon MLU"},
    {"k8s.amazonaws.com/vgpu", "NVIDIA GPU"},
    {"volcano.sh/vgpu-number", "NVIDIA GPU"},
    {"nvidia.com/gpu", ""},
});

/// Generations of AWS accelerators by the families of instance types; no label names them.
constexpr auto kNeuronFamilies =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"inf1.", "AWS Inferentia"},
                                                                  {"inf2.", "AWS Inferentia2"},
                                                                  {"trn1.", "AWS Trainium"},
                                                                  {"trn1n.", "AWS Trainium"},
                                                                  {"trn2.", "AWS Trainium2"},
                                                                  {"trn2u.", "AWS Trainium2"},
                                                                  {"trn3.", "AWS Trainium3"}});

bool is_family(std::string_view pattern) {
  return pattern.ends_with('/') || pattern == "huawei.com/Ascend";
}

const Vendor* vendor_of(std::string_view resource) {
  if (!amd_mode(resource).empty()) return &kVendors.front();
  for (const Vendor& v : kVendors)
    if (is_family(v.resource) ? resource.starts_with(v.resource) : resource == v.resource) return &v;
  return nullptr;
}

/// Amounts of a device (memory, cores) and not devices.
bool is_amount(std::string_view resource) {
  for (std::string_view word : {"gpumem", "gpucores", "memory", "vgpu-cores", "priority", "millicores"})
    if (resource.contains(word)) return true;
  return false;
}

constexpr std::string_view kNvidia = "nvidia.com/", kMig = "nvidia.com/mig-";

/// Cards may be offered under names of their own: nvidia.com/a100, nvidia.com/gpu.shared.
bool is_device(std::string_view resource) {
  return !is_amount(resource) && (vendor_of(resource) || resource.starts_with(kNvidia));
}

std::string label(const LabelMap& labels, std::string_view name) {
  const auto it = labels.find(name);
  return it == labels.end() ? "" : it->second;
}

/// GPU feature discovery appends how a card is shared to its name: -SHARED, -MIG-1g.10gb.
std::string product(const LabelMap& labels) {
  std::string name = label(labels, "nvidia.com/gpu.product");
  for (std::string_view suffix : {"-SHARED", "-MIG-"})
    if (const auto at = name.find(suffix); at != std::string::npos) name.resize(at);
  if (!name.empty()) return name;
  for (std::string_view key :
       {"gpu.nvidia.com/model", "cloud.google.com/gke-accelerator", "k8s.amazonaws.com/accelerator",
        "amd.com/gpu.product-name", "cloud.google.com/gke-tpu-accelerator", "gpu.intel.com/product"})
    if (std::string other = label(labels, key); !other.empty()) return other;
  constexpr std::string_view kBeta =
      "beta.amd.com/gpu.product-name.";  // ends in the product, its value a count
  const auto beta = labels.lower_bound(kBeta);
  return beta != labels.end() && beta->first.starts_with(kBeta) ? beta->first.substr(kBeta.size()) : "";
}

std::string instance_type(const LabelMap& labels) {
  const std::string type = label(labels, "node.kubernetes.io/instance-type");
  return type.empty() ? label(labels, "beta.kubernetes.io/instance-type") : type;
}

/// Dashes and dots of a MIG profile were both written as `_`: 1g.10gb, 1g.10gb+me.
std::string profile_of(std::string_view mangled) {
  std::string out(mangled);
  for (auto at = out.find('_'); at != std::string::npos; at = out.find('_'))
    out[at] = out.find("me", at) == at + 1 ? '+' : '.';
  return out;
}

std::string mangled(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return out;
}

}  // namespace

std::string resource_of(std::string_view name) {
  constexpr std::string_view kMangledMig = "nvidia_com_mig_", kMangledNvidia = "nvidia_com_";
  if (name.starts_with(kMangledMig)) return std::string(kMig) + profile_of(name.substr(kMangledMig.size()));
  for (const Vendor& v : kVendors)
    if (name == mangled(v.resource)) return std::string(v.resource);
  if (name.starts_with("amd_com_") && name.contains("_nps"))
    return "amd.com/" + std::string(name.substr(std::string_view("amd_com_").size()));
  for (std::string_view more :
       {"nvidia.com/gpumem-percentage", "volcano.sh/vgpu-memory", "volcano.sh/vgpu-cores"})
    if (name == mangled(more)) return std::string(more);
  if (!name.starts_with(kMangledNvidia)) return std::string(name);
  std::string rest(name.substr(kMangledNvidia.size()));
  std::ranges::replace(rest, '_', '.');
  return std::string(kNvidia) + rest;
}

bool is_absurd(std::string_view resource, const Quantity& amount) {
  constexpr double kDevices = 1 << 14, kCores = 1 << 20, kBytes = 1e18;
  const double most = is_device(resource) ? kDevices : resource == "cpu" ? kCores : kBytes;
  return amount.sign() < 0 || amount.as_double() > most;
}

ResourceList sane_amounts(ResourceList list) {
  std::erase_if(list, [](const auto& r) { return is_absurd(r.first, r.second); });
  return list;
}

std::vector<DeviceDemand> device_demands(const ResourceList& requests) {
  std::vector<DeviceDemand> out;
  for (const auto& [name, quantity] : requests)
    if (quantity.sign() > 0 && is_device(name) && !is_absurd(name, quantity))
      out.push_back({name, name.starts_with(kMig) ? name.substr(kMig.size()) : "", quantity.value()});
  return out;
}

std::int64_t declared_devices(const ResourceList& list) {
  std::int64_t most = 0;
  for (const auto& [name, quantity] : list) {
    const bool counts = vendor_of(name) || name == "nvidia.com/gpu.shared";
    if (counts && !is_amount(name))
      most = std::max(most, quantity.value() / (name.ends_with("neuroncore") ? cores_of_device(list) : 1));
  }
  return most;
}

int cores_of_device(const ResourceList& list) {
  const auto amount = [&](std::string_view name) {
    const auto it = list.find(name);
    return it == list.end() ? std::int64_t{0} : it->second.value();
  };
  const std::int64_t cores = amount("aws.amazon.com/neuroncore");
  const std::int64_t devices =
      std::max(amount("aws.amazon.com/neuron"), amount("aws.amazon.com/neurondevice"));
  return devices > 0 && cores > devices ? static_cast<int>(cores / devices) : 1;
}

std::string card_name(const LabelMap& labels, const ResourceList& list) {
  if (std::string name = product(labels); !name.empty()) return name;
  const std::string type = instance_type(labels);
  for (const auto& [family, name] : kNeuronFamilies)
    if (type.starts_with(family)) return std::string(name);
  for (const auto& [resource, quantity] : list)
    if (const Vendor* v = vendor_of(resource); v && quantity.sign() > 0 && !is_amount(resource))
      return std::string(v->card);
  return "";
}

bool names_vendor_only(std::string_view card) {
  return card.empty() || std::ranges::any_of(kVendors, [&](const Vendor& v) { return v.card == card; });
}

int amd_parts(std::string_view card, std::string_view mode) {
  mode = mode.substr(0, mode.find('_'));
  if (mode == "dpx") return 2;
  if (mode == "tpx") return 3;
  if (mode == "qpx") return 4;
  // One part for each accelerator die.
  return mode != "cpx" ? 1 : card.contains("MI300A") ? 6 : 8;
}

std::string_view amd_mode(std::string_view resource) {
  constexpr std::string_view kAmd = "amd.com/";
  return resource.starts_with(kAmd) && resource.contains("_nps") ? resource.substr(kAmd.size()) : "";
}

bool is_of_other_vendor(std::string_view card) {
  for (std::string_view word :
       {"tpu", "AWS ", "Intel", "Gaudi", "Ascend", "Cambricon", "TPU", "Flex_", "Max_"})
    if (card.contains(word)) return true;
  return false;
}

std::string exporter_for(std::string_view card) {
  if (card.contains("tpu") || card.contains("TPU"))
    return "the TPU device plugin's own metrics (PodMonitoring on port 2112 of kube-system's "
           "tpu-device-plugin)";
  if (card.contains("Gaudi")) return "Habana's metric exporter (port 41611)";
  const bool intel = card.contains("Intel") || card.contains("Flex_") || card.contains("Max_");
  return intel ? "Intel's XPU Manager (port 29999)" : "";
}

std::string_view unread_exporter(std::string_view card) {
  if (card.contains("AWS ")) return "neuron-monitor tells how busy NeuronCores are, without pods";
  if (card.contains("Ascend")) return "npu-exporter tells npu_chip_info_utilization";
  return card.contains("Cambricon") ? "mlu-exporter tells mlu_utilization" : "its maker's tools may tell";
}

}  // namespace etiage::evidence
