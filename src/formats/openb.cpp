#include "formats/openb.h"

#include <charconv>
#include <map>

#include "base/csv.h"

namespace etiage::formats {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 50;  // keeps sums over a cluster inside int64

/// A whole number from 0 to `most` in a column.
Result<std::int64_t> whole(const CsvRow& row, const std::string& file, std::string_view column,
                           std::int64_t most) {
  const std::string_view text = row[column];
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0 || value > most)
    return failure(std::string(column) + ": '" + std::string(text) + "' is not a whole number from 0 to " +
                       std::to_string(most),
                   {file, row.line()});
  return value;
}

/// The numbers of several columns of one row, or the first fault.
struct Numbers {
  const CsvRow& row;
  const std::string& file;
  Result<void> state = {};

  std::int64_t take(std::string_view column, std::int64_t most = kLargest) {
    auto value = whole(row, file, column, most);
    if (!value && state) state = std::unexpected(value.error());
    return value.value_or(0);
  }
};

Result<void> check_share(const SharePod& pod, Place place) {
  if (pod.gpus > 1 && pod.gpu_milli != kWholeDevice)
    return failure("num_gpu " + std::to_string(pod.gpus) + " with gpu_milli " + std::to_string(pod.gpu_milli),
                   place, "a pod of several devices takes whole ones (gpu_milli 1000)");
  if (pod.gpus == 1 && pod.gpu_milli == 0) return failure("num_gpu 1 with gpu_milli 0", place);
  return {};
}

using Rows = std::map<std::string_view, std::uint32_t>;

template <class T>
Rows rows_by_name(const std::vector<T>& objects) {
  Rows out;
  for (std::uint32_t i = 0; i < objects.size(); ++i) out.try_emplace(objects[i].name, i);
  return out;
}

/// `0+1`: numbers of devices of one node.
Result<std::vector<int>> devices_of(std::string_view text, Place place) {
  std::vector<int> out;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find('+'));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    int device = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), device);
    if (error != std::errc{} || end != word.data() + word.size() || device < 0 || device > 7)
      return failure("devices: '" + std::string(word) + "' is not a device from 0 to 7", place,
                     "several are written as 0+1");
    out.push_back(device);
  }
  return out;
}

}  // namespace

Result<std::vector<ShareNode>> read_openb_nodes(std::string_view text, const std::string& file) {
  std::vector<ShareNode> out;
  auto done = read_csv(text, file, [&](const CsvRow& row) -> Result<void> {
    Numbers n{row, file};
    out.push_back({std::string(row["sn"]), n.take("cpu_milli"), n.take("memory_mib"),
                   static_cast<std::int32_t>(n.take("gpu", 8)), std::string(row["model"])});
    return n.state;
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

Result<std::vector<SharePod>> read_openb_pods(std::string_view text, const std::string& file) {
  std::vector<SharePod> out;
  auto done = read_csv(text, file, [&](const CsvRow& row) -> Result<void> {
    Numbers n{row, file};
    out.push_back({std::string(row["name"]), n.take("cpu_milli"), n.take("memory_mib"),
                   static_cast<std::int32_t>(n.take("num_gpu", 8)),
                   static_cast<std::int32_t>(n.take("gpu_milli", kWholeDevice)),
                   std::string(row["gpu_spec"])});
    if (out.back().gpus == 0) out.back().gpu_milli = 0;
    if (!n.state) return n.state;
    return check_share(out.back(), {file, row.line()});
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

Result<std::vector<PlacedPod>> read_openb_placed(std::string_view text, const std::string& file,
                                                 const std::vector<ShareNode>& nodes,
                                                 const std::vector<SharePod>& pods) {
  const Rows node_rows = rows_by_name(nodes);
  Rows pod_rows = rows_by_name(pods);
  std::vector<PlacedPod> out;
  auto done = read_csv(text, file, [&](const CsvRow& row) -> Result<void> {
    const Place place{file, row.line()};
    const auto pod = pod_rows.find(row["name"]);
    const auto node = node_rows.find(row["node"]);
    if (pod == pod_rows.end())
      return failure("name: no pod '" + std::string(row["name"]) + "' is left", place,
                     "each pod of the pod file once");
    if (node == node_rows.end()) return failure("node: no node '" + std::string(row["node"]) + "'", place);
    auto devices = devices_of(row["devices"], place);
    if (!devices) return std::unexpected(devices.error());
    out.push_back({pod->second, node->second, std::move(*devices), row.line()});
    pod_rows.erase(pod);
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

Result<std::vector<std::uint32_t>> read_openb_indices(std::string_view text, const std::string& file,
                                                      std::size_t limit) {
  std::vector<std::uint32_t> out;
  for (int line = 1; !text.empty(); ++line) {
    std::string_view word = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    while (!word.empty() && (word.back() == '\r' || word.back() == ' ')) word.remove_suffix(1);
    if (word.empty()) continue;
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || value >= limit)
      return failure("'" + std::string(word) + "' is not an index below " + std::to_string(limit),
                     {file, line});
    out.push_back(value);
  }
  return out;
}

}  // namespace etiage::formats
