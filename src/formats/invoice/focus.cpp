// FOCUS, dataset Cost and Usage: https://focus.finops.org. Columns by their names in the specification.

#include <algorithm>

#include "base/ascii.h"
#include "formats/invoice/columns.h"

namespace etiage::formats {
namespace {

bool null(std::string_view cell) {
  return cell.empty() || cell == "null" || cell == "NULL";
}

std::string_view first_of(std::initializer_list<std::string_view> cells) {
  for (std::string_view c : cells)
    if (!null(c)) return c;
  return {};
}

std::optional<ChargeKind> kind_of(std::string_view category) {
  constexpr std::array<std::pair<std::string_view, ChargeKind>, 5> kKinds{
      {{"Usage", ChargeKind::kUsage},
       {"Purchase", ChargeKind::kPurchase},
       {"Tax", ChargeKind::kTax},
       {"Credit", ChargeKind::kCredit},
       {"Adjustment", ChargeKind::kAdjustment}}};
  const auto it = std::ranges::find(kKinds, category, [](const auto& k) { return k.first; });
  return it == kKinds.end() ? std::nullopt : std::optional(it->second);
}

class FocusColumns final : public InvoiceReader::Columns {
 public:
  explicit FocusColumns(const Header& header) : header_(header) {}

  std::string dialect() const override {
    if (!header_.has("providername") && header_.has("serviceprovidername")) return "FOCUS 1.4";
    if (header_.has("serviceprovidername") || header_.has("hostprovidername")) return "FOCUS 1.3";
    return header_.has("invoiceid") || header_.has("pricingcurrency") || header_.has("skupricedetails")
               ? "FOCUS 1.2"
               : "FOCUS";
  }

  Result<InvoiceLine> line(const Cells& cells) override {
    const auto cell = [&](std::string_view plain) { return header_.cell(cells, plain); };
    const auto period = period_of(cell("chargeperiodstart"), cell("chargeperiodend"));
    if (!period) return std::unexpected(period.error());
    const auto billed = amount_of(cell("billedcost"));
    const auto effective = amount_of(first_of({cell("effectivecost"), cell("billedcost")}));
    if (!billed || !effective) return failure("a cost that is no number");
    const auto kind = kind_of(cell("chargecategory"));
    if (!kind) return failure("a ChargeCategory that FOCUS does not know");
    InvoiceLine out{.period = *period, .kind = *kind, .currency = cell("billingcurrency")};
    if (null(out.currency)) return failure("no BillingCurrency");
    if (out.kind == ChargeKind::kUsage &&
        (cell("commitmentdiscountstatus") == "Unused" || cell("capacityreservationstatus") == "Unused"))
      out.kind = ChargeKind::kUnused;
    out.billed = *billed, out.effective = *effective;
    out.service = first_of({cell("servicename"), cell("xservicecode"), cell("servicecategory")});
    set_instance(cells, out);
    return out;
  }

 private:
  void set_instance(const Cells& cells, InvoiceLine& out) {
    const auto cell = [&](std::string_view plain) { return header_.cell(cells, plain); };
    const std::string_view details = cell("skupricedetails");
    detail_ = null(details) ? "" : json_value(details, "instancetype");
    if (detail_.empty() && !null(details)) detail_ = json_value(details, "xinstancetype");
    out.instance_type =
        first_of({detail_, cell("instancetype"), cell("xinstancetype"), cell("xskuinstancetype")});
    out.resource = first_of({cell("resourceid"), cell("resourcename")});
    out.words = {first_of({cell("xusagetype"), cell("skumeter"), cell("xskumetername")}),
                 cell("resourcename"), first_of({cell("skuid"), cell("xskuid")}), cell("chargedescription")};
    const std::string unit = lower_case(first_of({cell("consumedunit"), cell("pricingunit")}));
    if (unit != "hours" && unit != "hour" && unit != "hrs" && unit != "instance-hours") return;
    const auto quantity = amount_of(first_of({cell("consumedquantity"), cell("pricingquantity")}));
    if (quantity) out.hours = static_cast<double>(*quantity) / 1e12;
  }

  Header header_;
  std::string detail_;  ///< that the last line's instance type is a view of
};

}  // namespace

Result<std::unique_ptr<InvoiceReader::Columns>> focus_columns(const Header& header) {
  if (!header.has("billedcost") && !header.has("effectivecost"))
    return failure(
        "not an invoice that is read: neither FOCUS (BilledCost) nor AWS CUR (line_item_line_item_type)", {},
        "export FOCUS's Cost and Usage or CUR 2.0 as CSV");
  for (const auto& [plain, name] :
       {std::pair("chargeperiodstart", "ChargePeriodStart"), std::pair("chargeperiodend", "ChargePeriodEnd"),
        std::pair("chargecategory", "ChargeCategory"), std::pair("billingcurrency", "BillingCurrency")})
    if (!header.has(plain))
      return failure(std::string("a FOCUS file without the column ") + name, {},
                     "give the dataset Cost and Usage with its mandatory columns");
  return std::make_unique<FocusColumns>(header);
}

}  // namespace etiage::formats
