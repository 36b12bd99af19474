#pragma once
// An invoice with other names.

#include <string>
#include <string_view>

#include "formats/bundle/names.h"
#include "model/invoice.h"

namespace etiage::formats::bundle {

/// The header line of what `disguised_line` writes: AWS CUR 2.0, whatever the invoice was.
std::string_view invoice_header();

/// One line with its amounts, its period, its kind and, where `instance_type` is not empty, that; all words
/// are left out. Reading it gives the same amounts.
std::string disguised_line(const InvoiceLine& line, std::string_view instance_type, const Rename& rename);

}  // namespace etiage::formats::bundle
