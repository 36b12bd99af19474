#pragma once
// Results of load generators: `vllm bench serve`, guidellm, genai-perf and aiperf, all JSON.

#include <optional>
#include <string>
#include <vector>

#include "base/tree.h"

namespace etiage::formats {

/// One run; means where the tool gives them, medians where it gives only those.
struct BenchResult {
  std::string tool, model;
  double input = 0, output = 0;  ///< tokens a request
  std::string engine = {};       ///< `vllm`, `sglang`, `trtllm`; empty: the result does not say
  std::optional<double> concurrency, first_token_ms, token_ms;

  bool operator==(const BenchResult&) const = default;
};

/// The runs in a document; none where it is no result of these tools.
std::vector<BenchResult> read_bench_results(const Tree& document);

}  // namespace etiage::formats
