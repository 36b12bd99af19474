#include "catalog/published_devices.h"

#include "base/csv.h"

namespace etiage::catalog {
namespace {

constexpr std::string_view kTable =
#include "tables/published_devices.inc"
    ;

std::vector<PublishedDevice> read_table() {
  std::vector<PublishedDevice> out;
  const auto read = read_csv(kTable, "published_devices.csv", [&](const CsvRow& row) -> Result<void> {
    const auto memory = Quantity::parse(row["memory"]);
    if (!memory) return std::unexpected(memory.error());
    out.push_back({std::string(row["product"]), std::string(row["type"]), std::string(row["profile"]),
                   *memory, row["verified"] == "1"});
    return {};
  });
  return read ? out : std::vector<PublishedDevice>();
}

}  // namespace

const std::vector<PublishedDevice>& published_devices() {
  static const std::vector<PublishedDevice> table = read_table();
  return table;
}

}  // namespace etiage::catalog
