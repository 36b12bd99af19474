#pragma once
// The invoice that the user gave beside the bill.

#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ledger/invoice.h"
#include "model/provenance.h"

namespace etiage::app {

/// Reads each file as a stream. Fails where one is no invoice; rows that cannot be read become diagnostics.
Result<ledger::InvoiceBill> read_invoices(std::span<const std::string> paths, const Evidence& evidence,
                                          const ledger::Ledger& ledger, std::vector<Provenance>& files,
                                          Diagnostics& diagnostics);

}  // namespace etiage::app
