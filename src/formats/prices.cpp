#include "formats/prices.h"

#include "formats/kind.h"
#include "formats/prices_shapes.h"

namespace etiage::formats {

PriceBook read_prices(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  PriceRows rows(file, diagnostics);
  if (recognise(text.substr(0, 64 << 10)) == ContentKind::kEmpty) {
    rows.refuse(0, "the price list is empty");
    return std::move(rows.book());
  }
  // A table's first line has separators and no colon; a document's first line that says anything has a colon,
  // or a bracket.
  std::string_view head = text;
  while (head.starts_with('#') || head.starts_with('\n') || head.starts_with('\r')) {
    const std::size_t end = head.find('\n');
    head = end == head.npos ? "" : head.substr(end + 1);
  }
  const std::string_view line = head.substr(0, head.find('\n'));
  const bool table = !line.contains(':') && (line.contains(',') || line.contains(';')) &&
                     !line.starts_with('{') && !line.starts_with('-');
  if (table) {
    read_price_table(text, file, rows);
  } else {
    read_price_document(text, file, rows, diagnostics);
  }
  return std::move(rows.book());
}

}  // namespace etiage::formats
