// The texts that nvidia-smi lays out for people: -L, the table, -q.

#include <algorithm>

#include "formats/nvidia_smi_parts.h"

namespace etiage::formats::smi {
namespace {

/// What stands between `from` and `to`; empty where either is not there.
std::string_view between(std::string_view text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == text.npos) return {};
  text.remove_prefix(at + from.size());
  const std::size_t end = text.find(to);
  return end == text.npos ? std::string_view() : trimmed(text.substr(0, end));
}

/// The cells of a row `| a | b |`.
std::vector<std::string_view> cells(std::string_view line) {
  std::vector<std::string_view> out;
  line = trimmed(line);
  if (!line.starts_with('|')) return out;
  line.remove_prefix(1);
  for (std::size_t end = line.find('|'); end != line.npos; end = line.find('|')) {
    out.push_back(trimmed(line.substr(0, end)));
    line.remove_prefix(end + 1);
  }
  return out;
}

bool is_index(std::string_view word) {
  return !word.empty() && word.size() < 4 &&
         std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find(' '));
}

/// `0  NVIDIA H100 80GB HBM3          On`: index, name, persistence mode.
std::string card_of(std::string_view cell) {
  if (!is_index(first_word(cell))) return "";
  cell = trimmed(cell.substr(first_word(cell).size()));
  const std::size_t last = cell.find_last_of(' ');
  return last == cell.npos ? "" : std::string(trimmed(cell.substr(0, last)));
}

/// `0    2   0   0`: card, GPU instance, compute instance, MIG device.
std::vector<std::string_view> indices(std::string_view cell) {
  std::vector<std::string_view> out;
  for (; !cell.empty(); cell = trimmed(cell.substr(first_word(cell).size()))) {
    if (!is_index(first_word(cell))) return {};
    out.push_back(first_word(cell));
  }
  return out;
}

}  // namespace

/// GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-...)
///   MIG 3g.40gb     Device  0: (UUID: MIG-...)
std::vector<SmiDevice> list_devices(std::string_view text) {
  std::vector<SmiDevice> out;
  each_line(text, [&](std::string_view line) {
    line = trimmed(line);
    const std::string uuid(between(line, "(UUID: ", ")"));
    if (uuid.empty()) return;
    if (line.starts_with("GPU ")) {
      out.push_back({.uuid = uuid, .name = std::string(between(line, ": ", " (UUID"))});
    } else if (line.starts_with("MIG ") && !out.empty()) {
      out.back().instances.push_back(
          {std::string(between(line, "Device", ":")), std::string(first_word(trimmed(line.substr(4))))});
    }
  });
  return out;
}

std::vector<SmiDevice> table_devices(std::string_view text) {
  std::vector<SmiDevice> out;
  std::vector<std::string_view> index;  // of each device; a table that comes again numbers them anew
  std::size_t first = 0;                // of the last table
  std::optional<std::int64_t> at;
  bool mig = false, processes = false;
  each_line(text, [&](std::string_view line) {
    if (const auto t = moment(line)) at = t, first = out.size(), mig = processes = false;
    mig |= line.contains("MIG devices:");
    processes |= line.contains("Processes:");
    const auto row = cells(line);
    if (row.size() < 3 || processes) return;
    if (mig) {
      const auto ids = indices(row[0]);
      const std::size_t slash = std::min(row[1].find('/'), row[1].size());
      const auto memory = mebibytes(row[1].substr(slash).substr(slash < row[1].size()));
      const auto card = std::find(index.begin() + static_cast<std::ptrdiff_t>(first), index.end(),
                                  ids.empty() ? std::string_view() : ids[0]);
      if (ids.size() == 4 && memory && card != index.end())
        out[static_cast<std::size_t>(card - index.begin())].instances.push_back(
            {std::string(ids[1]), "", *memory, static_cast<int>(leading_number(row[2]).value_or(0))});
    } else if (std::string name = card_of(row[0]); !name.empty()) {
      index.push_back(first_word(row[0]));
      out.push_back({.uuid = std::string(first_word(row[1])), .name = std::move(name), .ms = at});
    } else if (!out.empty() && !out.back().utilization) {
      out.back().utilization = percent(first_word(row[2]));
    }
  });
  return out;
}

/// Sections by indent, `Key : value` in them.
std::vector<SmiDevice> query_devices(std::string_view text) {
  std::vector<SmiDevice> out;
  std::optional<std::int64_t> at;
  std::string section;     // at one indent
  std::string subsection;  // at two
  bool in_mig = false;
  each_line(text, [&](std::string_view line) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t colon = line.find(" : ");
    const std::string_view key = trimmed(line.substr(0, colon));
    const std::string_view value = colon == line.npos ? std::string_view() : trimmed(line.substr(colon + 3));
    if (key == "Timestamp" && indent == 0) at = moment(value);
    if (indent == 0 && key.starts_with("GPU ") && value.empty()) out.push_back({.ms = at});
    if (out.empty()) return;
    SmiDevice& d = out.back();
    if (indent == 4) section = key, in_mig = key == "MIG Device";
    if (indent == 8 && value.empty()) subsection = key;
    if (indent == 4 && in_mig) d.instances.emplace_back();
    if (indent == 4 && key == "Product Name") d.name = value;
    if (indent == 4 && key == "GPU UUID") d.uuid = value;
    if (indent == 8 && section == "Utilization" && (key == "Gpu" || key == "GPU"))
      d.utilization = percent(value);
    if (!in_mig || d.instances.empty()) return;
    if (key == "GPU Instance ID") d.instances.back().id = value;
    if (key == "Multiprocessor count")
      d.instances.back().multiprocessors = static_cast<int>(leading_number(value).value_or(0));
    if (key == "Total" && subsection.contains("FB Memory Usage"))
      d.instances.back().memory_mib = mebibytes(value).value_or(0);
  });
  return out;
}

}  // namespace etiage::formats::smi
