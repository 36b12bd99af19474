#pragma once
// `etiage place`: a trace of pods onto a cluster of shared GPUs, by one of the known policies, or one that is
// placed already; how fragmented it is then, and which moves would mend it.

#include <string>
#include <utility>
#include <vector>

#include "app/repack.h"
#include "base/result.h"
#include "engines/placement/share/bound.h"
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
  double defer_above = 0;  ///< percent of the GPUs allocated
  std::string placed;      ///< a file of running pods: nothing is replayed, the others are pending
  std::optional<RepackQuestion> repack;
};

/// What the replay did.
struct Replayed {
  std::string policy;
  std::pair<int, int> report_at;
  placement::LoadCurve curve;
  std::uint32_t arrived = 0, failed = 0, put_off = 0;
  double occupancy = 0;  ///< SOR
  placement::AllocationBound bound;
  bool may_refuse = false;  ///< pods that fit may be put off
};

struct PlaceAnswer {
  std::optional<Replayed> replayed;  ///< nothing for a file of running pods
  std::int64_t gpus = 0, gpus_touched = 0, milli_gpu = 0, milli_cpu = 0;
  double fragmented_milli = 0;  ///< FGD's F over all nodes
  placement::Measures measures;
  std::optional<RepackAnswer> repack;
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
