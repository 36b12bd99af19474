#include "catalog/mig_slices.h"

#include <algorithm>
#include <fmt/format.h>

#include "catalog/cells.h"
#include "catalog/tables.h"

namespace etiage::catalog {

Result<std::vector<MigSlice>> read_mig_slices(std::string_view csv, const std::string& file) {
  std::vector<MigSlice> out;
  auto done = read_csv(csv, file, [&](const CsvRow& row) -> Result<void> {
    MigSlice s{std::string(row["card"]), std::string(row["profile"]), number<double>(row, "memory_gib"),
               number<int>(row, "sms"), row["verified"] == "1"};
    if (s.memory_gib <= 0)
      return failure(fmt::format("profile {} of {} lacks its memory", s.profile, s.card), {file, row.line()},
                     "fill memory_gib");
    out.push_back(std::move(s));
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

const std::vector<MigSlice>& mig_slices() {
  static const std::vector<MigSlice> kSlices =
      read_mig_slices(mig_slices_table(), "data/mig_slices.csv").value();
  return kSlices;
}

std::optional<MigSlice> mig_slice(std::string_view card, std::string_view profile,
                                  std::span<const MigSlice> known) {
  const auto found =
      std::ranges::find_if(known, [&](const MigSlice& s) { return s.card == card && s.profile == profile; });
  return found == known.end() ? std::nullopt : std::optional(*found);
}

}  // namespace etiage::catalog
