#pragma once
// Pods that the scheduler cannot tell apart share a shape, so that what depends on the shape is worked out
// once.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/pod.h"

namespace etiage::placement {

using ShapeIndex = std::uint32_t;
/// A number for a resource; the first three are fixed.
using ResourceIndex = std::uint32_t;
inline constexpr ResourceIndex kCpu = 0, kMemory = 1, kEphemeralStorage = 2;

/// Numbers the resources as they turn up. CPU counts in thousandths, everything else in whole units.
class ResourceNames {
 public:
  ResourceIndex number(std::string_view name);
  std::optional<ResourceIndex> find(std::string_view name) const;
  const std::string& name(ResourceIndex r) const { return names_[r]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_ = {"cpu", "memory", "ephemeral-storage"};
};

/// Extended resources, huge pages, attachable volumes: what the scheduler counts beside the three.
bool is_scalar_resource(std::string_view name);
/// With a domain that is not Kubernetes' own, as `nvidia.com/gpu`.
bool is_extended_resource(std::string_view name);
std::int64_t whole_amount(ResourceIndex resource, const Quantity& quantity);

struct HostPort {
  std::string ip, protocol;  ///< `0.0.0.0`: every address
  std::int32_t port = 0;

  bool conflicts(const HostPort& other) const;
  bool operator==(const HostPort&) const = default;
};

struct PodShape {
  Pod example;  ///< the first pod of the shape
  std::int32_t priority = 0;
  bool may_preempt = true;
  std::vector<std::pair<ResourceIndex, std::int64_t>> requests;
  /// CPU and memory as the node sums them for scoring: containers that say nothing count 100m and 200 MiB.
  std::int64_t scored_cpu = 0, scored_memory = 0;
  std::vector<HostPort> ports;

  std::int64_t request(ResourceIndex resource) const;
  const std::string& ns() const { return example.meta.ns; }
  const LabelMap& labels() const { return example.meta.labels; }
};

/// `priority` and `may_preempt` are for the caller to fill in.
PodShape make_shape(const Pod& pod, ResourceNames& resources);
/// Equal for the scheduler, wherever they run and whatever their names are.
bool same_shape(const Pod& a, const Pod& b);
std::size_t shape_hash(const Pod& pod);

/// Requests of the containers, with defaults where one says nothing, as NodeResourcesFit scores a pod.
ResourceList requests_for_scoring(const PodSpec& spec);

}  // namespace etiage::placement
