#pragma once
// What engines call the series that findings point to: proofs and fixes name what the reader's own engine
// shows.

#include <string>
#include <string_view>

namespace etiage::explain {

/// One series: its name and, where it needs one, a matcher (`request_type="active"`).
struct SeriesName {
  std::string_view metric, matcher = {};

  /// With matchers in front of its own: `metric{more,matcher}`.
  std::string selector(std::string_view more) const;
};

struct EngineSeries {
  std::string_view engine;  ///< as `PodLife::engine` has it
  SeriesName output_tokens, running, waiting;
};

/// vLLM's where the engine is not known, or does not tell all three.
const EngineSeries& engine_series(std::string_view engine);

}  // namespace etiage::explain
