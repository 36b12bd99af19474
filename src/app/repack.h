#pragma once
// `etiage place --repack` and `--free-nodes`: the fewest moves that make room, each with what it costs.

#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/money.h"
#include "engines/placement/share/measures.h"
#include "engines/placement/share/repack.h"
#include "model/gpu_share.h"
#include "render/table.h"

namespace etiage::app {

struct RepackQuestion {
  std::size_t free_nodes = 0;  ///< 0: room for the pending pods
  int most_moves = 100;
  Duration cold_start = Duration::seconds(120);  ///< from the stop of a pod until it serves again elsewhere
  bool cold_start_given = false;                 ///< false: the two minutes are an assumption
  std::optional<HourlyPrice> gpu_hourly;         ///< of one GPU
};

/// What runs and what waits. The rows of nodes and pods give the names.
struct PlacedState {
  placement::RunningCluster cluster;
  std::vector<std::uint32_t> running_rows, pending_rows;  ///< rows of the pod file
  std::vector<std::uint32_t> class_of_row;
};

struct RepackAnswer {
  RepackQuestion question;
  struct Step {
    std::string pod, from, to;  ///< `from` empty: a pending pod starts
    placement::DeviceSet devices = 0;
    std::int64_t gpu_milli = 0;
    Duration gpu_time;          ///< for which GPUs are held and nothing is served
    std::optional<Money> cost;  ///< of it
  };
  std::vector<Step> steps;
  std::vector<std::string> freed;
  std::size_t pending = 0, without_place = 0;
  int moves = 0, lower_bound = 0;
  bool proven_fewest = false, nothing_missed = true;
  Duration gpu_time;
  std::optional<Money> cost;
  std::int64_t freed_gpus = 0;
  placement::Measures before, after;
};

RepackAnswer repack(const std::vector<ShareNode>& nodes, const std::vector<SharePod>& pods, PlacedState state,
                    const RepackQuestion& question);

/// The value of `repack` in the JSON of `place`.
void write_json(JsonWriter& json, const RepackAnswer& answer);
void write_json(JsonWriter& json, const placement::Measures& measures);
render::Table repack_table(const RepackAnswer& answer);
/// One sentence.
std::string in_words(const placement::Measures& measures);

}  // namespace etiage::app
