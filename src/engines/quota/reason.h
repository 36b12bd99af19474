#pragma once
// Why a workload did not get what it asked for, kept as numbers and said in Kueue's words only when somebody
// reads it.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engines/quota/ids.h"

namespace etiage::quota {

struct Reason {
  enum class Kind : std::uint8_t {
    kText,         ///< `text` as it stands
    kUnavailable,  ///< no flavor of the ClusterQueue covers the resource
    kExceedsMax,   ///< a: requested by earlier pod sets, b: by this one, c: the most there could ever be
    kMoreNeeded,   ///< a: what is missing now
  };
  Kind kind = Kind::kText;
  FlavorId flavor;
  ResourceId resource;
  Amount a = 0, b = 0, c = 0;
  std::string text;

  bool operator==(const Reason&) const = default;
};

/// The text of the QuotaReserved condition of a pending workload.
struct StatusText {
  struct PodSetFault {
    std::uint32_t pod_set = 0;
    std::vector<Reason> reasons;
    std::string error;  ///< not empty: it alone is told

    bool operator==(const PodSetFault&) const = default;
  };
  std::string plain;  ///< where not empty, this is the text
  std::vector<PodSetFault> faults;
  std::int32_t preempting = 0;  ///< workloads whose preemption it waits for

  bool operator==(const StatusText&) const = default;
};

/// Whether the texts differ for sure, without making them.
bool plainly_differ(const StatusText& a, const StatusText& b);

/// Kueue's own words. `pod_set_names`: of the workload.
std::string to_text(const StatusText& status, const std::vector<std::string>& pod_set_names,
                    const Names<FlavorId>& flavors, const Names<ResourceId>& resources);

}  // namespace etiage::quota
