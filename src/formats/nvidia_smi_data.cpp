// What nvidia-smi writes for programs: `-q -x`, as far as devices go, and CSV.

#include <algorithm>

#include "formats/nvidia_smi_parts.h"

namespace etiage::formats::smi {
namespace {

/// What the first element of that name holds; elements of one name do not nest in these texts.
std::string_view element(std::string_view xml, std::string_view name) {
  const std::string open = "<" + std::string(name) + ">", close = "</" + std::string(name) + ">";
  const std::size_t at = xml.find(open);
  if (at == xml.npos) return {};
  xml.remove_prefix(at + open.size());
  return trimmed(xml.substr(0, xml.find(close)));
}

/// Calls `f` with what each element of that name holds; attributes are passed over.
template <class F>
void each_element(std::string_view xml, std::string_view name, F&& f) {
  const std::string open = "<" + std::string(name), close = "</" + std::string(name) + ">";
  for (std::size_t at = xml.find(open); at != xml.npos; at = xml.find(open)) {
    xml.remove_prefix(at + open.size());
    if (xml.empty() || (xml.front() != '>' && xml.front() != ' ')) continue;  // a longer name
    const std::size_t begin = xml.find('>');
    if (begin == xml.npos) return;
    const std::size_t end = std::min(xml.find(close), xml.size());
    if (begin < end) f(xml.substr(begin + 1, end - begin - 1));
    xml.remove_prefix(end);
  }
}

/// On one node, so that rows of one moment lie no further apart.
constexpr std::size_t kMostCards = 64;

/// nvidia-smi quotes nothing and puts a blank behind each comma.
std::vector<std::string_view> fields(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t end = line.find(','); end != line.npos; end = line.find(',')) {
    out.push_back(trimmed(line.substr(0, end)));
    line.remove_prefix(end + 1);
  }
  out.push_back(trimmed(line));
  return out;
}

/// Finds columns by name; a unit may stand behind it: `utilization.gpu [%]`.
class Columns {
 public:
  explicit Columns(std::vector<std::string_view> header) : header_(std::move(header)) {}

  std::string_view get(const std::vector<std::string_view>& row,
                       std::initializer_list<std::string_view> names) const {
    for (std::string_view name : names)
      for (std::size_t i = 0; i < std::min(row.size(), header_.size()); ++i)
        if (header_[i].substr(0, header_[i].find(" [")) == name && !row[i].contains("N/A")) return row[i];
    return {};
  }

 private:
  std::vector<std::string_view> header_;
};

}  // namespace

std::vector<SmiDevice> xml_devices(std::string_view text) {
  std::vector<SmiDevice> out;
  each_element(text, "nvidia_smi_log", [&](std::string_view log) {
    const auto at = moment(element(log, "timestamp"));
    each_element(log, "gpu", [&](std::string_view gpu) {
      SmiDevice d{.uuid = std::string(element(gpu, "uuid")),
                  .name = std::string(element(gpu, "product_name")),
                  .utilization = percent(element(element(gpu, "utilization"), "gpu_util")),
                  .ms = at};
      each_element(gpu, "mig_device", [&](std::string_view mig) {
        d.instances.push_back(
            {std::string(element(mig, "gpu_instance_id")), "",
             mebibytes(element(element(mig, "fb_memory_usage"), "total")).value_or(0),
             static_cast<int>(leading_number(element(mig, "multiprocessor_count")).value_or(0))});
      });
      if (!d.uuid.empty()) out.push_back(std::move(d));
    });
  });
  return out;
}

/// A line of --query-gpu is a device, one of --query-compute-apps a process on one.
std::vector<SmiDevice> csv_devices(std::string_view text) {
  std::vector<SmiDevice> out;
  std::optional<Columns> columns;
  each_line(text, [&](std::string_view line) {
    if (trimmed(line).empty()) return;
    const auto row = fields(line);
    if (!columns) {
      columns.emplace(row);
      return;
    }
    SmiDevice d{.uuid = std::string(columns->get(row, {"uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id"})),
                .name = std::string(columns->get(row, {"name", "gpu_name"})),
                .host = std::string(columns->get(row, {"hostname"})),
                .utilization = percent(columns->get(row, {"utilization.gpu"})),
                .ms = moment(columns->get(row, {"timestamp"}))};
    const std::size_t near = out.size() - std::min<std::size_t>(out.size(), kMostCards);
    const bool again = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(near), out.end(),
                                   [&](const SmiDevice& o) { return o.uuid == d.uuid && o.ms == d.ms; });
    if (!d.uuid.empty() && !again) out.push_back(std::move(d));
  });
  return out;
}

}  // namespace etiage::formats::smi
