#include "evidence/fractions.h"

#include <algorithm>
#include <charconv>

#include "model/selector.h"

namespace etiage::evidence {
namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::optional<double> positive(const ResourceList& list, std::string_view name) {
  const auto it = list.find(name);
  if (it == list.end() || it->second.sign() <= 0) return {};
  return it->second.as_double();
}

std::optional<double> part(std::optional<double> percent) {
  if (!percent || *percent <= 0) return {};
  return std::min(1.0, *percent / 100);
}

std::string annotation(const ObjectMeta& meta, std::string_view key) {
  const auto it = meta.annotations.find(key);
  return it == meta.annotations.end() ? "" : it->second;
}

/// `UUID,NVIDIA,3000,30:UUID,...:;...`: containers by `;`, devices by `:`, memory in MiB, cores in percent.
std::vector<CardPart> allocated(std::string_view text) {
  std::vector<CardPart> out;
  for (std::string_view container : split(text, ';'))
    for (std::string_view device : split(container, ':')) {
      const auto fields = split(device, ',');
      if (fields.size() < 4) continue;
      const auto memory = number(fields[2]);
      out.push_back({.uuid = std::string(fields[0]),
                     .cores = part(number(fields[3])),
                     .memory_mib = memory && *memory > 0 ? memory : std::nullopt});
    }
  return out;
}

/// The value of `"key":` in a JSON object without nesting.
std::string_view field(std::string_view object, std::string_view key) {
  const std::size_t at = object.find("\"" + std::string(key) + "\"");
  if (at == object.npos) return {};
  std::string_view rest = object.substr(object.find(':', at) + 1);
  rest.remove_prefix(std::min(rest.find_first_not_of(" \""), rest.size()));
  return rest.substr(0, rest.find_first_of(",}\""));
}

/// HAMi writes the vendor before NVIDIA's own name: `NVIDIA-NVIDIA L40S`, `NVIDIA-Tesla T4`.
std::string product(std::string_view type) {
  constexpr std::string_view kVendor = "NVIDIA-";
  return std::string(type.starts_with(kVendor) ? type.substr(kVendor.size()) : type);
}

}  // namespace

double CardPart::share(double card_mib) const {
  if (cores) return *cores;
  if (memory) return *memory;
  if (memory_mib && card_mib > 0) return std::min(1.0, *memory_mib / card_mib);
  return 1;
}

std::vector<CardPart> hami_parts(const Pod& pod) {
  if (const std::string done = annotation(pod.meta, "hami.io/vgpu-devices-allocated"); !done.empty())
    if (auto out = allocated(done); !out.empty()) return out;
  return hami_parts(effective_requests(pod.spec));
}

std::vector<CardPart> hami_parts(const ResourceList& requests) {
  struct Names {
    std::string_view count, cores, memory, percent;
  };
  constexpr Names kNames[] = {
      {"nvidia.com/gpu", "nvidia.com/gpucores", "nvidia.com/gpumem", "nvidia.com/gpumem-percentage"},
      {"volcano.sh/vgpu-number", "volcano.sh/vgpu-cores", "volcano.sh/vgpu-memory",
       "volcano.sh/vgpu-memory-percentage"}};
  for (const Names& n : kNames) {
    const CardPart each{.uuid = "",
                        .cores = part(positive(requests, n.cores)),
                        .memory_mib = positive(requests, n.memory),
                        .memory = part(positive(requests, n.percent))};
    if (!each.cores && !each.memory_mib && !each.memory) continue;
    const auto count =
        static_cast<std::size_t>(std::clamp(positive(requests, n.count).value_or(1), 1.0, 1024.0));
    return std::vector<CardPart>(count, each);
  }
  return {};
}

std::vector<HamiCard> hami_cards(const Node& node) {
  const std::string text = annotation(node.meta, "hami.io/node-nvidia-register");
  std::vector<HamiCard> out;
  if (text.starts_with('[')) {
    for (std::string_view object : split(text, '{'))
      if (const std::string_view id = field(object, "id"); !id.empty())
        out.push_back(
            {std::string(id), product(field(object, "type")), number(field(object, "devmem")).value_or(0)});
    return out;
  }
  // The older form: `UUID,count,memory,cores,type,numa,healthy:`.
  for (std::string_view card : split(text, ':'))
    if (const auto fields = split(card, ','); fields.size() >= 5)
      out.push_back({std::string(fields[0]), product(fields[4]), number(fields[2]).value_or(0)});
  return out;
}

std::vector<CardPart> runai_parts(const Pod& pod) {
  CardPart each;
  if (const auto fraction = number(annotation(pod.meta, "gpu-fraction")); fraction && *fraction > 0)
    each.memory = std::min(1.0, *fraction);
  else if (const auto memory = number(annotation(pod.meta, "gpu-memory")); memory && *memory > 0)
    each.memory_mib = memory;
  else
    return {};
  const double count = number(annotation(pod.meta, "gpu-fraction-num-devices")).value_or(1);
  return std::vector<CardPart>(static_cast<std::size_t>(std::clamp(count, 1.0, 1024.0)), each);
}

bool reserves_card(const Pod& pod) {
  return pod.meta.labels.contains("runai-gpu-group") && runai_parts(pod).empty();
}

}  // namespace etiage::evidence
