#include "formats/bundle/labels.h"

#include <algorithm>
#include <cctype>

#include "formats/bundle/public_words.h"
#include "formats/cluster_labels.h"
#include "formats/kube/cluster.h"

namespace etiage::formats::bundle {
namespace {

bool contains(const auto& list, std::string_view word) {
  return std::ranges::find(list, word) != std::ranges::end(list);
}

/// As kube-state-metrics makes a label of a key.
std::string sanitized(std::string_view key) {
  std::string out(key);
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return out;
}

bool fits(std::string_view pattern, std::string_view key) {
  if (pattern.ends_with('*')) return key.starts_with(pattern.substr(0, pattern.size() - 1));
  return key == pattern;
}

bool is_public_domain(std::string_view domain) {
  return std::ranges::any_of(kPublicDomains, [&](std::string_view d) {
    return domain == d || (domain.ends_with(d) && domain[domain.size() - d.size() - 1] == '.');
  });
}

/// The same of a key that was made a label's name: `nvidia_com_gpu_product`.
bool is_public_sanitized(std::string_view key) {
  return std::ranges::any_of(kCommonKeys, [&](std::string_view k) { return sanitized(k) == key; }) ||
         std::ranges::any_of(kPublicDomains, [&](std::string_view d) {
           const std::string word = sanitized(d) + "_";
           const auto at = key.find(word);
           return at == 0 || (at != key.npos && key[at - 1] == '_');
         });
}

/// What the value of `label_KEY` is, told by its key.
std::string sanitized_label_value(std::string_view key, std::string_view value, const Rename& rename) {
  const auto is_it = [&](std::string_view pattern) {
    const bool open = pattern.ends_with('*');
    const std::string s = sanitized(pattern.substr(0, pattern.size() - (open ? 1 : 0)));
    return open ? key.starts_with(s) : key == s;
  };
  if (std::ranges::any_of(kInstanceTypes, is_it)) return disguised_instance_type(value, rename);
  if (std::ranges::any_of(kPublicLabelValues, is_it)) return std::string(value);
  return rename(value, NameOf::kAnything);
}

/// Of a device, by any exporter whose rows are read.
bool is_of_device(std::string_view metric) {
  constexpr std::string_view kBegin[] = {"DCGM_",       "dcgm_",      "nvidia_smi_", "nv_gpu_",
                                         "gpu_",        "amd_gpu_",   "GPU_",        "xpum_",
                                         "habanalabs_", "duty_cycle", "memory_used", "kubernetes_io:"};
  return std::ranges::any_of(kBegin, [&](std::string_view b) { return metric.starts_with(b); });
}

/// Labels of devices whose values are products.
constexpr std::string_view kProductLabels[] = {"model_name", "model", "name", "dev_name", "card_model"};

/// nvidia-smi's exporter leaves out what others write before a card's id.
bool is_bare_uuid(std::string_view name, std::string_view value) {
  constexpr std::size_t kLength = 36, kFirstDash = 8;
  return name == "uuid" && value.size() == kLength && value[kFirstDash] == '-';
}

/// `of_set`: a ReplicaSet is the owner that the series tells of.
std::string series_value(std::string_view name, std::string_view value, bool of_device, bool of_set,
                         const Rename& rename) {
  if (contains(kPublicValues, name) || (of_device && contains(kProductLabels, name)))
    return std::string(value);
  if (contains(kModelLabels, name)) return disguised_model(value, rename);
  if (name == "created_by_kind" || name == "owner_kind") return disguised_kind(value, rename);
  if (name == "resource")
    return contains(kCommonKeys, value) || is_public_sanitized(value) || value.starts_with("hugepages")
               ? std::string(value)
               : rename(value, NameOf::kAnything);
  if (of_set && (name == "created_by_name" || name == "owner_name"))
    return rename(value, NameOf::kReplicaSet);
  if (name == "replicaset") return rename(value, NameOf::kReplicaSet);
  if (name == "dra_driver_name") return disguised_key(value, {}, rename);
  const bool container =
      name == "pod" || name == "container" || name == "pod_name" || name == "container_name";
  return rename(value, container ? NameOf::kContainer : NameOf::kAnything);
}

}  // namespace

bool is_public_key(std::string_view key) {
  const auto slash = key.find('/');
  if (slash != key.npos) return is_public_domain(key.substr(0, slash));
  return contains(kCommonKeys, key) || key.starts_with("hugepages-") || is_public_domain(key);
}

std::string disguised_key(std::string_view key, const KeptKeys& kept, const Rename& rename) {
  return is_public_key(key) || contains(kept, key) ? std::string(key) : rename(key, NameOf::kAnything);
}

std::string disguised_value(std::string_view key, std::string_view value, const Rename& rename) {
  if (contains(kInstanceTypes, key)) return disguised_instance_type(value, rename);
  if (contains(kModelLabels, key)) return disguised_model(value, rename);
  const bool stays =
      std::ranges::any_of(kPublicLabelValues, [&](auto pattern) { return fits(pattern, key); });
  return stays ? std::string(value) : rename(value, NameOf::kAnything);
}

std::string disguised_kind(std::string_view kind, const Rename& rename) {
  return kind == "Node" || owns_pods(kind) ? std::string(kind) : rename(kind, NameOf::kAnything);
}

std::string disguised_instance_type(std::string_view type, const Rename& rename) {
  const auto has = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view w) { return type.contains(w); });
  };
  const auto dot = type.rfind('.');
  const std::string_view size = dot == type.npos ? "" : type.substr(dot + 1);
  const bool aws = dot <= 12 && (size.ends_with("large") || size.starts_with("metal") || size == "medium" ||
                                 size == "small" || size == "micro" || size == "nano");
  const bool google = has({"-standard-", "-highmem-", "-highcpu-", "-highgpu-", "-megagpu-", "-ultragpu-",
                           "-edgegpu-", "-hightpu-", "-maxgpu-"});
  return aws || google || type.starts_with("Standard_") ? std::string(type) : rename(type, NameOf::kAnything);
}

std::string disguised_model(std::string_view model, const Rename& rename) {
  std::string out;
  for (;;) {
    const auto slash = std::min(model.find('/'), model.size());
    const std::string_view step = model.substr(0, slash);
    out += contains(kProviders, step) ? std::string(step) : rename(step, NameOf::kAnything);
    if (slash == model.size()) return out;
    out += '/';
    model.remove_prefix(slash + 1);
  }
}

std::vector<SeriesLabel> disguised_labels(Labels labels, const KeptKeys& kept, const Rename& rename) {
  const std::string_view metric = label_value(labels, "__name__");
  const bool of_device = is_of_device(metric), of_smi = metric.starts_with("nvidia_smi_");
  const bool of_set = label_value(labels, "created_by_kind") == "ReplicaSet" ||
                      label_value(labels, "owner_kind") == "ReplicaSet";
  std::vector<SeriesLabel> out;
  for (const Label& l : labels) {
    if (l.name.starts_with("label_")) {
      const std::string_view key = l.name.substr(6);
      const bool stays = is_public_sanitized(key) ||
                         std::ranges::any_of(kept, [&](const std::string& k) { return sanitized(k) == key; });
      out.push_back({"label_" + (stays ? std::string(key) : rename(key, NameOf::kAnything)),
                     sanitized_label_value(key, l.value, rename)});
      continue;
    }
    const std::string_view plain = l.name.starts_with("exported_") ? l.name.substr(9) : l.name;
    const bool stays = contains(kSeriesLabels, plain) || contains(kCommonKeys, plain) ||
                       contains(kClusterLabels, plain) || plain == kTenantLabel ||
                       plain.starts_with("dra_") || contains(kept, l.name);
    out.push_back({stays ? std::string(l.name) : rename(l.name, NameOf::kAnything),
                   of_smi && is_bare_uuid(l.name, l.value)
                       ? rename("GPU-" + std::string(l.value), NameOf::kAnything)
                       : series_value(plain, l.value, of_device, of_set, rename)});
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace etiage::formats::bundle
