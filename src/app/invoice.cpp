#include "app/invoice.h"

#include <filesystem>
#include <set>

#include "adapters/input_file.h"
#include "formats/foreign.h"
#include "formats/invoice/invoice_reader.h"
#include "formats/kind.h"

namespace etiage::app {
namespace {

using formats::ContentKind;

Result<Provenance> read_invoice(const std::string& path, ledger::InvoiceAccount& account,
                                Diagnostics& diagnostics) {
  auto input = adapters::InputFile::open(path);
  if (!input) return std::unexpected(input.error());
  if (const auto foreign = formats::foreign_content(input->head()))
    return failure("not an invoice: it is " + std::string(foreign->what), {path}, std::string(foreign->hint));
  const ContentKind kind = formats::recognise(input->head(), input->tail());
  if (kind != ContentKind::kInvoiceFocus && kind != ContentKind::kInvoiceCur)
    return failure("not an invoice: it reads as " + std::string(to_string(kind)), {path},
                   "give FOCUS 1.2 to 1.4 (Cost and Usage) or AWS CUR 2.0 as CSV");
  formats::InvoiceReader reader([&](const InvoiceLine& line) { account.add(line); });
  const auto read = input->each_chunk([&](std::string_view bytes) { return reader.feed(bytes); });
  if (!read) diagnostics.push_back(as_diagnostic(read.error(), "damaged"));
  const auto report = reader.finish(path);
  if (!report) return std::unexpected(report.error());
  Provenance file{path, std::string(to_string(kind)), report->samples, {}};
  for (const formats::Dropped& d : report->dropped) {
    file.dropped.emplace_back(d.reason, d.count);
    diagnostics.push_back({Severity::kWarning,
                           "dropped",
                           {path, d.first.line},
                           std::to_string(d.count) + " dropped: " + d.reason,
                           ""});
  }
  return file;
}

}  // namespace

Result<ledger::InvoiceBill> read_invoices(std::span<const std::string> paths, const Evidence& evidence,
                                          const ledger::Ledger& ledger, std::vector<Provenance>& files,
                                          Diagnostics& diagnostics) {
  ledger::InvoiceAccount account(evidence, ledger);
  std::set<std::filesystem::path> read;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!read.insert(std::filesystem::weakly_canonical(path, ignored)).second) {
      diagnostics.push_back({Severity::kInfo, "given-twice", {path}, "this invoice was given before", ""});
      continue;
    }
    auto file = read_invoice(path, account, diagnostics);
    if (!file) return std::unexpected(file.error());
    files.push_back(std::move(*file));
  }
  return account.settle();
}

}  // namespace etiage::app
