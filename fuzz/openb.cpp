// The CSV files of openb: what is read obeys the limits that placement relies on.

#include "formats/openb.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace etiage;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  if (const auto nodes = formats::read_openb_nodes(input, "nodes"))
    for (const ShareNode& n : *nodes)
      if (n.gpus < 0 || n.gpus > 8 || n.cpu_milli < 0 || n.memory_mib < 0) std::abort();
  if (const auto pods = formats::read_openb_pods(input, "pods"))
    for (const SharePod& p : *pods)
      if (p.gpus < 0 || p.gpus > 8 || p.gpu_milli < 0 || p.gpu_milli > kWholeDevice ||
          (p.gpus > 1 && p.gpu_milli != kWholeDevice))
        std::abort();
  if (const auto indices = formats::read_openb_indices(input, "order", 100))
    for (const auto i : *indices)
      if (i >= 100) std::abort();
  return 0;
}
