#pragma once
// How the columns of one invoice format make a line; private to this folder.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/invoice/invoice_reader.h"

namespace etiage::formats {

using Cells = std::vector<std::string_view>;

/// Which column has which name; names are compared by letters and digits only (`line_item_usage_type`,
/// `lineItem/UsageType`).
class Header {
 public:
  Header() = default;
  explicit Header(const Cells& cells);

  bool has(std::string_view plain) const { return columns_.contains(plain); }
  /// The cell under that name; empty where there is none.
  std::string_view cell(const Cells& cells, std::string_view plain) const;
  std::size_t size() const { return size_; }

 private:
  std::map<std::string, std::size_t, std::less<>> columns_;
  std::size_t size_ = 0;
};

/// What an invoice format is made of: functions of its header.
class InvoiceReader::Columns {
 public:
  virtual ~Columns() = default;
  virtual std::string dialect() const = 0;
  /// An error's words are the same for all rows with that fault.
  virtual Result<InvoiceLine> line(const Cells& cells) = 0;
};

/// Nothing where the header is not of that format; an error where it lacks what is needed.
Result<std::unique_ptr<InvoiceReader::Columns>> focus_columns(const Header& header);
Result<std::unique_ptr<InvoiceReader::Columns>> cur_columns(const Header& header);

/// An amount, 0 where the cell is empty.
Result<PicoAmount> amount_of(std::string_view cell);
/// The period from one cell to the other.
Result<Window> period_of(std::string_view start, std::string_view end);
/// The scalar under a key of a flat JSON object (`SkuPriceDetails`, `product`); keys are compared by letters
/// and digits.
std::string json_value(std::string_view json, std::string_view plain);

}  // namespace etiage::formats
