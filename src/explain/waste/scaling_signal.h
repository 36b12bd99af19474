#pragma once
// Which metrics a model server must not be scaled on, and what to scale it on instead.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/autoscaler.h"

namespace etiage::explain {

struct WrongSignal {
  std::string metric;
  std::string reason;
  std::optional<double> target;  ///< of that metric
  bool of_cpu = false;           ///< wrong only where the work is done by a GPU
};

/// The first metric that follows no queue: how busy or full a GPU looks always counts, since an autoscaler
/// takes the largest answer; CPU and memory count where nothing better stands beside them.
std::optional<WrongSignal> wrong_signal(const Autoscaler& autoscaler);

/// The metrics or triggers to put in its place, line by line, by what the engine (`PodLife::engine`) exports.
std::vector<std::string> right_signal(const Autoscaler& autoscaler, std::string_view engine);

}  // namespace etiage::explain
