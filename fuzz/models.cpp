// Headers and configs of models, logs and results of engines: never a crash, a hang or a gigabyte, and no
// negative size out of any of them.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engines/serving/parameters.h"
#include "formats/bench_result.h"
#include "formats/document.h"
#include "formats/engine_log.h"
#include "formats/models/hf_config.h"
#include "formats/models/tensors.h"

using namespace etiage;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto m = formats::read_gguf(input, "fuzz"))
    for (const auto bytes : *m->checkpoint)
      if (bytes < 0) std::abort();
  CheckpointBytes bytes{};
  (void)formats::add_safetensors(input, "fuzz", 0, bytes);
  (void)formats::read_engine_log(input);
  Diagnostics faults;
  for (const auto& tree : formats::read_documents(input, "fuzz", faults)) {
    (void)formats::read_bench_results(tree);
    if (const auto m = formats::read_hf_config(tree, "fuzz", "fuzz");
        m && (m->full_layers < 0 || m->moe_layers < 0 || m->other_parameters < 0))
      std::abort();
  }
  return 0;
}
