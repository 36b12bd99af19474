#pragma once
// Private to the readers of nvidia-smi's outputs.

#include "formats/nvidia_smi.h"

namespace etiage::formats::smi {

std::string_view trimmed(std::string_view text);

/// Calls `f` with each line, untrimmed.
template <class F>
void each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The number that the text begins with.
std::optional<double> leading_number(std::string_view text);
/// `12 %`, `12%` as 0.12; nothing of `N/A`.
std::optional<double> percent(std::string_view text);
/// `4864 MiB`, `4864MiB`.
std::optional<double> mebibytes(std::string_view text);
/// `Tue Jul 14 09:00:44 2026` and `2026/07/14 09:00:44.742`, in Unix milliseconds.
std::optional<std::int64_t> moment(std::string_view text);

std::vector<SmiDevice> list_devices(std::string_view text);
std::vector<SmiDevice> table_devices(std::string_view text);
std::vector<SmiDevice> query_devices(std::string_view text);
std::vector<SmiDevice> xml_devices(std::string_view text);
std::vector<SmiDevice> csv_devices(std::string_view text);

}  // namespace etiage::formats::smi
