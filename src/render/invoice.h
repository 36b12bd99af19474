#pragma once
// An invoice beside the bill.

#include "base/json_writer.h"
#include "ledger/invoice.h"
#include "render/table.h"

namespace etiage::render {

/// The member `invoice` of `scan`.
void write_invoice(JsonWriter& json, const ledger::InvoiceBill& invoice);
Table invoice_table(const ledger::InvoiceBill& invoice, const std::string& currency);

}  // namespace etiage::render
