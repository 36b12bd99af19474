#pragma once
// What `nvidia-smi` prints, as the devices that it shows: -L, the table, -q, -q -x, --query-gpu and
// --query-compute-apps as CSV with its header. Handed out in the words of the nvidia-smi exporter:
// nvidia_smi_gpu_info and nvidia_smi_utilization_gpu_ratio.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/read_report.h"

namespace etiage::formats {

enum class SmiForm : std::uint8_t { kList, kTable, kQuery, kXml, kCsv, kMonitor, kTopology, kOther };

SmiForm smi_form(std::string_view text);

/// A MIG instance. Only -L names its profile; the others show its size.
struct SmiInstance {
  std::string id, profile;
  double memory_mib = 0;
  int multiprocessors = 0;

  bool operator==(const SmiInstance&) const = default;
};

struct SmiDevice {
  std::string uuid;  ///< of the table, which has none: where the card sits on the bus
  std::string name;
  std::string host;                   ///< where the text names it
  std::optional<double> utilization;  ///< 0 to 1
  std::optional<std::int64_t> ms;     ///< when; nvidia-smi writes local time without its zone: taken for UTC
  std::vector<SmiInstance> instances;

  bool operator==(const SmiDevice&) const = default;
};

/// In the order of the text; of a text that repeats (`-l 15`) each device as often.
std::vector<SmiDevice> smi_devices(std::string_view text);

/// `host` names the node where the text does not; `scrape_ms` is the time of texts that bring none.
ReadReport read_nvidia_smi(std::string_view text, std::string_view host, std::int64_t scrape_ms,
                           SampleVisitor& visitor);

}  // namespace etiage::formats
