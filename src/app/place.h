#pragma once
// `etiage place`: a trace of pods onto a cluster of shared GPUs, by one of the known policies.

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engines/placement/share/replay.h"
#include "render/table.h"

namespace etiage::app {

struct PlaceQuestion {
  std::string nodes, pods;       ///< CSV files of the openb trace
  std::string order, node_rank;  ///< files; empty: as in the CSV, and by name
  std::string policy = "fgd";
  std::pair<int, int> report_at = {0, 130};  ///< loads in percent of the cluster's GPUs
  std::uint64_t seed = 0;                    ///< of the random policy
  std::size_t look_ahead = 1;
  bool defer = false;
};

struct PlaceAnswer {
  std::string policy;
  std::pair<int, int> report_at;
  placement::LoadCurve curve;
  std::uint32_t arrived = 0, failed = 0;
  std::int64_t gpus = 0, gpus_touched = 0, milli_gpu = 0, milli_cpu = 0;
  std::int64_t bound_milli_gpu = 0;  ///< no policy can allocate more
};

/// `0..130` or `100`.
Result<std::pair<int, int>> parse_loads(std::string_view text);
std::vector<std::string> place_policies();
Result<PlaceAnswer> place(const PlaceQuestion& question);

/// `{policy, allocationPercent, fragmentationPercent, failed, gpusTouched, milliGpu, ...}`; loads that never
/// came up are null.
std::string to_json(const PlaceAnswer& answer);
std::vector<render::Table> tables(const PlaceAnswer& answer);

}  // namespace etiage::app
