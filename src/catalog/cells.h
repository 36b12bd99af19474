#pragma once
// Cells of our own tables to values; an empty cell is zero.

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv.h"

namespace etiage::catalog {

template <class T>
T number(const CsvRow& row, std::string_view column) {
  const auto cell = row[column];
  T value{};
  std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return value;
}

/// A whole number that is all of `text`.
std::optional<int> whole(std::string_view text);

/// The parts between `by`, without empty ones.
std::vector<std::string> split(std::string_view text, char by);

}  // namespace etiage::catalog
