#pragma once
// The CSV files of Alibaba's openb trace (cluster-trace-gpu-v2023) and the orders of its published replays.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/gpu_share.h"

namespace etiage::formats {

/// Columns `sn,cpu_milli,memory_mib,gpu,model`. At most 8 devices a node.
Result<std::vector<ShareNode>> read_openb_nodes(std::string_view text, const std::string& file);

/// Columns `name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec,...]`; others are ignored.
Result<std::vector<SharePod>> read_openb_pods(std::string_view text, const std::string& file);

/// One index a line, each below `limit`: the rows of the pod file in order of arrival, or the ranks of the
/// nodes.
Result<std::vector<std::uint32_t>> read_openb_indices(std::string_view text, const std::string& file,
                                                      std::size_t limit);

/// A pod that runs; `devices` empty where the file names none.
struct PlacedPod {
  std::uint32_t pod = 0, node = 0;  ///< rows of the pod and node files
  std::vector<int> devices;
  int line = 0;
};

/// Columns `name,node[,devices]`, devices as `0+1`. Refused: names that are not known, a pod named twice.
Result<std::vector<PlacedPod>> read_openb_placed(std::string_view text, const std::string& file,
                                                 const std::vector<ShareNode>& nodes,
                                                 const std::vector<SharePod>& pods);

}  // namespace etiage::formats
