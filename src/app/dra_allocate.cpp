#include "app/dra_allocate.h"

#include "base/json_writer.h"

namespace etiage::app {
namespace {

void write_device(const dra::PodDevice& pod_device, JsonWriter& out) {
  const AllocatedDevice& d = pod_device.device;
  out.begin_object();
  out.member("claim", pod_device.claim).member("request", d.request);
  out.member("driver", d.driver).member("pool", d.pool).member("device", d.device);
  if (!d.consumed.empty()) {
    out.key("consumedCapacity").begin_object();
    for (const auto& [name, amount] : d.consumed) out.member(name, amount.canonical());
    out.end_object();
  }
  if (d.admin_access) out.member("adminAccess", true);
  if (d.share_id) out.member("shared", true);
  if (!d.binding_conditions.empty()) out.member("bindingConditions", d.binding_conditions);
  out.end_object();
}

void write_pod(const dra::PodPlacement& pod, JsonWriter& out) {
  out.begin_object();
  out.member("namespace", pod.ns).member("name", pod.name).member("outcome", to_string(pod.outcome));
  if (!pod.node.empty()) out.member("node", pod.node);
  out.key("results").begin_array();
  for (const dra::PodDevice& device : pod.devices) write_device(device, out);
  out.end_array();
  out.member("message", pod.message);
  out.end_object();
}

void write_pods(const std::vector<dra::PodPlacement>& pods, JsonWriter& out) {
  out.key("pods").begin_array();
  for (const dra::PodPlacement& pod : pods) write_pod(pod, out);
  out.end_array();
}

std::string devices_of(const dra::PodPlacement& pod) {
  std::string out;
  for (const dra::PodDevice& d : pod.devices) out += (out.empty() ? "" : ", ") + d.device.device;
  return out;
}

}  // namespace

dra::Placements allocate_devices(const DraInput& input, const dra::Behaviour& behaviour) {
  return dra::place_pods(input.objects, behaviour);
}

std::string to_json(const dra::Placements& placements, const dra::Behaviour& behaviour) {
  JsonWriter out;
  out.begin_object();
  out.member("kubernetesVersion", "1." + std::to_string(behaviour.version.minor));
  out.member("allocator", to_string(behaviour.variant));
  write_pods(placements.pods, out);
  out.member("deterministic", placements.alternatives.empty());
  if (!placements.alternatives.empty()) {
    out.key("alternatives").begin_array();
    for (const auto& pods : placements.alternatives) {
      out.begin_object();
      write_pods(pods, out);
      out.end_object();
    }
    out.end_array();
  }
  out.end_object();
  return out.take() + "\n";
}

render::Table to_table(const dra::Placements& placements) {
  render::Table table{"", {{"namespace"}, {"pod"}, {"outcome"}, {"node"}, {"devices"}, {"message"}}};
  for (const dra::PodPlacement& pod : placements.pods) {
    const bool allocated = pod.outcome == dra::PodPlacement::Outcome::kAllocated;
    const auto tone = allocated ? render::Tone::kGood : render::Tone::kWarning;
    table.rows.push_back(
        {{render::text(pod.ns), render::text(pod.name), render::text(to_string(pod.outcome), tone),
          render::text(pod.node), render::text(devices_of(pod)), render::text(pod.message)}});
  }
  if (!placements.alternatives.empty())
    table.notes.push_back("This release leaves the order of pools to chance: " +
                          std::to_string(placements.alternatives.size()) +
                          " other outcomes are possible (-o json lists them).");
  return table;
}

}  // namespace etiage::app
