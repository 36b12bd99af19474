#pragma once
// What an instance of MIG sees of its card; where instances may lie is `mig_geometry`.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace etiage::catalog {

struct MigSlice {
  std::string card;  ///< key of its card
  std::string profile;
  double memory_gib = 0;
  int sms = 0;
  bool verified = false;  ///< false: in proportion to the card, not read from one

  bool operator==(const MigSlice&) const = default;
};

/// The built-in table, read once.
const std::vector<MigSlice>& mig_slices();

std::optional<MigSlice> mig_slice(std::string_view card, std::string_view profile,
                                  std::span<const MigSlice> known = mig_slices());

/// Reads a table of that form; `file` is only for messages.
Result<std::vector<MigSlice>> read_mig_slices(std::string_view csv, const std::string& file);

}  // namespace etiage::catalog
