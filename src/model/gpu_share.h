#pragma once
// A cluster of shared GPUs in its plainest form, as published traces write it: nodes with numbered devices,
// pods that ask for a part of one device or for several whole ones.

#include <cstdint>
#include <string>
#include <vector>

namespace etiage {

/// Thousandths of one device; a whole device is 1000.
inline constexpr std::int32_t kWholeDevice = 1000;

struct ShareNode {
  std::string name;
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int32_t gpus = 0;
  std::string model;  ///< of all its devices; empty for a node without

  bool operator==(const ShareNode&) const = default;
};

struct SharePod {
  std::string name;
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int32_t gpus = 0;
  std::int32_t gpu_milli = 0;  ///< of each of its devices; below 1000 only with one device
  std::string models;          ///< `A|B`: devices it accepts; empty: any

  std::int64_t total_gpu_milli() const { return std::int64_t{gpus} * gpu_milli; }
  bool operator==(const SharePod&) const = default;
};

}  // namespace etiage
