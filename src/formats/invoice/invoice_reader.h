#pragma once
// Invoices as CSV: FOCUS 1.0 to 1.4 (Cost and Usage), and AWS's Cost and Usage Report, 2.0 and the legacy
// one.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/read_report.h"
#include "model/invoice.h"

namespace etiage::formats {

/// Takes an invoice in chunks of any size and hands out its lines; keeps one of them. A row that cannot be
/// read is counted with its reason, and the rest is used.
class InvoiceReader {
 public:
  using Take = std::function<void(const InvoiceLine&)>;

  explicit InvoiceReader(Take take);
  ~InvoiceReader();

  /// False where nothing more is wanted: the header lacks a column.
  bool feed(std::string_view chunk);
  /// `samples` counts lines, times are those of their periods. An error where it is no invoice, or a kind
  /// that is not read; `file` is for its place.
  Result<ReadReport> finish(const std::string& file);
  /// `FOCUS 1.3`, `CUR`; once the header has come.
  std::string dialect() const;

  class Columns;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace etiage::formats
