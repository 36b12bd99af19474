// AWS Cost and Usage Report, 2.0 (`line_item_usage_type`) and legacy (`lineItem/UsageType`).
// What a line effectively cost follows AWS's own amortization: the cost of a savings plan or reservation lies
// with the usage it covers, what it did not cover with its fee.

#include <optional>

#include "formats/invoice/columns.h"

namespace etiage::formats {
namespace {

ChargeKind kind_of(std::string_view type) {
  if (type == "Usage" || type == "DiscountedUsage" || type == "SavingsPlanCoveredUsage")
    return ChargeKind::kUsage;
  if (type == "SavingsPlanRecurringFee" || type == "RIFee") return ChargeKind::kUnused;
  if (type == "Tax") return ChargeKind::kTax;
  if (type == "Credit") return ChargeKind::kCredit;
  if (type.ends_with("Discount")) return ChargeKind::kDiscount;
  if (type == "Fee" || type == "SavingsPlanUpfrontFee" || type == "SavingsPlanNegation" ||
      type.ends_with("Fee"))
    return ChargeKind::kPurchase;
  return ChargeKind::kAdjustment;
}

class CurColumns final : public InvoiceReader::Columns {
 public:
  explicit CurColumns(const Header& header) : header_(header) {}

  std::string dialect() const override { return "AWS CUR"; }

  Result<InvoiceLine> line(const Cells& cells) override {
    const auto cell = [&](std::string_view plain) { return header_.cell(cells, plain); };
    const std::string_view type = cell("lineitemlineitemtype");
    if (type.empty()) return failure("no line item type");
    const auto period = period_of(cell("lineitemusagestartdate"), cell("lineitemusageenddate"));
    if (!period) return std::unexpected(period.error());
    const auto billed = amount_of(cell("lineitemunblendedcost"));
    if (!billed) return std::unexpected(billed.error());
    const auto effective = effective_of(cells, type, *billed);
    if (!effective) return std::unexpected(effective.error());
    InvoiceLine out{.period = *period, .kind = kind_of(type), .currency = cell("lineitemcurrencycode")};
    if (out.currency.empty()) return failure("no currency");
    out.billed = *billed, out.effective = *effective;
    out.service = cell("lineitemproductcode");
    product_ = json_value(cell("product"), "instancetype");
    out.instance_type = !cell("productinstancetype").empty() ? cell("productinstancetype") : product_;
    out.resource = cell("lineitemresourceid");
    out.words = {cell("lineitemusagetype"), cell("lineitemlineitemdescription"), {}, {}};
    if (out.kind == ChargeKind::kUsage && is_instance(cell("lineitemusagetype")))
      if (const auto hours = amount_of(cell("lineitemusageamount")))
        out.hours = static_cast<double>(*hours) / 1e12;
    return out;
  }

 private:
  static bool is_instance(std::string_view usage_type) {
    for (std::string_view word : {"BoxUsage", "SpotUsage", "DedicatedUsage", "HostBoxUsage", "UnusedBox"})
      if (usage_type.contains(word)) return true;
    return false;
  }

  Result<PicoAmount> effective_of(const Cells& cells, std::string_view type, PicoAmount billed) const {
    const auto amount = [&](std::string_view plain) { return amount_of(header_.cell(cells, plain)); };
    const auto discount = amount("discounttotaldiscount");
    const bool net = discount && *discount != 0;  // discounts are not lines of their own, but in columns
    const auto cost = [&](std::string_view gross, std::string_view net_of) {
      return amount(net && !header_.cell(cells, net_of).empty() ? net_of : gross);
    };
    if (type == "SavingsPlanCoveredUsage")
      return cost("savingsplansavingsplaneffectivecost", "savingsplannetsavingsplaneffectivecost");
    if (type == "DiscountedUsage") return cost("reservationeffectivecost", "reservationneteffectivecost");
    if (type == "SavingsPlanNegation" || type == "SavingsPlanUpfrontFee") return PicoAmount{0};
    if (type == "SavingsPlanRecurringFee")
      return difference(amount("savingsplantotalcommitmenttodate"), amount("savingsplanusedcommitment"));
    if (type == "RIFee") {
      const auto upfront = amount("reservationunusedamortizedupfrontfeeforbillingperiod");
      const auto recurring = amount("reservationunusedrecurringfee");
      return upfront && recurring ? Result<PicoAmount>(*upfront + *recurring) : upfront;
    }
    if (type == "Fee" && !header_.cell(cells, "reservationreservationarn").empty()) return PicoAmount{0};
    if (net && !header_.cell(cells, "lineitemnetunblendedcost").empty())
      return amount("lineitemnetunblendedcost");
    if (net) return billed - (*discount < 0 ? -*discount : *discount);
    return billed;
  }

  static Result<PicoAmount> difference(Result<PicoAmount> a, const Result<PicoAmount>& b) {
    if (a && b) *a -= *b;
    return b ? a : b;
  }

  Header header_;
  std::string product_;  ///< that the last line's instance type is a view of
};

}  // namespace

Result<std::unique_ptr<InvoiceReader::Columns>> cur_columns(const Header& header) {
  for (const auto& [plain, name] : {std::pair("lineitemusagestartdate", "line_item_usage_start_date"),
                                    std::pair("lineitemusageenddate", "line_item_usage_end_date"),
                                    std::pair("lineitemunblendedcost", "line_item_unblended_cost"),
                                    std::pair("lineitemcurrencycode", "line_item_currency_code")})
    if (!header.has(plain))
      return failure(std::string("a cost and usage report without the column ") + name, {},
                     "add the column to the export");
  return std::make_unique<CurColumns>(header);
}

}  // namespace etiage::formats
