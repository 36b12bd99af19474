#include "formats/bundle/invoice.h"

#include <fmt/format.h>

#include "formats/bundle/labels.h"
#include "formats/invoice/amount.h"

namespace etiage::formats::bundle {
namespace {

/// The line item types whose effective cost is their own or the net cost beside it.
std::string_view type_of(ChargeKind kind) {
  switch (kind) {
    case ChargeKind::kUsage:
      return "Usage";
    case ChargeKind::kUnused:
      return "SavingsPlanRecurringFee";
    case ChargeKind::kPurchase:
      return "Fee";
    case ChargeKind::kDiscount:
      return "EdpDiscount";
    case ChargeKind::kCredit:
      return "Credit";
    case ChargeKind::kAdjustment:
      return "Refund";
    case ChargeKind::kTax:
      return "Tax";
  }
  return "";
}

}  // namespace

std::string_view invoice_header() {
  return "line_item_line_item_type,line_item_usage_start_date,line_item_usage_end_date,line_item_currency_"
         "code,"
         "line_item_product_code,product_instance_type,line_item_usage_type,line_item_usage_amount,"
         "line_item_unblended_cost,line_item_net_unblended_cost,discount_total_discount,"
         "savings_plan_total_commitment_to_date\n";
}

std::string disguised_line(const InvoiceLine& line, std::string_view instance_type, const Rename& rename) {
  const bool unused = line.kind == ChargeKind::kUnused;
  // A discount in columns makes the net cost the effective one; of a commitment it is what is not used.
  const bool net = !unused && line.effective != line.billed;
  const std::string effective = amount_text(line.effective);
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{}\n", type_of(line.kind), to_string(line.period.start),
      to_string(line.period.end), line.currency, rename(line.service, NameOf::kAnything),
      instance_type.empty() ? "" : disguised_instance_type(instance_type, rename),
      line.hours != 0 ? "BoxUsage" : "", line.hours != 0 ? fmt::format("{:.12f}", line.hours) : "",
      amount_text(line.billed), net ? effective : "", net ? "1" : "", unused ? effective : "");
}

}  // namespace etiage::formats::bundle
