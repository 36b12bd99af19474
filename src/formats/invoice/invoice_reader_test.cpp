#include "formats/invoice/invoice_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "formats/invoice/amount.h"

namespace etiage::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Line {
  ChargeKind kind;
  std::string currency, service, instance_type;
  double billed, effective, hours;

  bool operator==(const Line&) const = default;
};

struct Read {
  std::vector<Line> lines;
  std::vector<std::string> dropped;
  std::string dialect, error;
};

Read read(std::string_view text, std::size_t chunk = std::string_view::npos) {
  Read out;
  InvoiceReader reader([&](const InvoiceLine& l) {
    out.lines.push_back({l.kind, std::string(l.currency), std::string(l.service),
                         std::string(l.instance_type), static_cast<double>(l.billed) / 1e12,
                         static_cast<double>(l.effective) / 1e12, l.hours});
  });
  for (; !text.empty() && reader.feed(text.substr(0, chunk));)
    text.remove_prefix(std::min(chunk, text.size()));
  const auto report = reader.finish("bill.csv");
  out.dialect = reader.dialect();
  if (!report) out.error = to_string(report.error());
  if (report)
    for (const Dropped& d : report->dropped)
      out.dropped.push_back(std::to_string(d.first.line) + ": " + d.reason);
  return out;
}

constexpr const char* kFocus =
    "BilledCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,CommitmentDiscountStatus,"
    "ConsumedQuantity,ConsumedUnit,EffectiveCost,ServiceName,ServiceProviderName,SkuPriceDetails\n";

TEST(Invoice, ReadsFocus) {
  const Read got = read(std::string(kFocus) +
                        "0,USD,Usage,2026-10-06T00:00:00Z,2026-10-06T01:00:00Z,Used,1.0,Hours,49.16,EC2,AWS,"
                        "\"{\"\"InstanceType\"\":\"\"p5.48xlarge\"\",\"\"GpuCount\"\":8}\"\n"
                        "1.5E1,USD,Usage,2026-10-06T00:00:00Z,2026-10-06T01:00:00Z,Unused,,,15.0,EC2,AWS,\n"
                        "100,USD,Purchase,2026-10-06T00:00:00Z,2026-10-06T01:00:00Z,,,,0,EC2,AWS,\n"
                        "-3.25,EUR,Credit,2026-10-06T00:00:00Z,2026-11-01T00:00:00Z,,,,,,AWS,null\n");
  EXPECT_THAT(got.lines, ElementsAre(Line{ChargeKind::kUsage, "USD", "EC2", "p5.48xlarge", 0, 49.16, 1},
                                     Line{ChargeKind::kUnused, "USD", "EC2", "", 15, 15, 0},
                                     Line{ChargeKind::kPurchase, "USD", "EC2", "", 100, 0, 0},
                                     Line{ChargeKind::kCredit, "EUR", "", "", -3.25, -3.25, 0}));
  EXPECT_EQ(got.dialect, "FOCUS 1.4");
  EXPECT_THAT(got.dropped, IsEmpty());
}

TEST(Invoice, DropsFocusRowsWithAReason) {
  const Read got = read(std::string(kFocus) +
                        "x,USD,Usage,2026-10-06T00:00:00Z,2026-10-06T01:00:00Z,,,,1,,,\n"
                        "1,USD,Usage,2026-10-06T01:00:00Z,2026-10-06T01:00:00Z,,,,1,,,\n"
                        "1,USD,Usage,yesterday,2026-10-06T01:00:00Z,,,,1,,,\n"
                        "1,USD,Rebate,2026-10-06T00:00:00Z,2026-10-06T01:00:00Z,,,,1,,,\n"
                        "1,,Usage,2026-10-06T00:00:00Z,2026-10-06T01:00:00Z,,,,1,,,\n");
  EXPECT_THAT(got.lines, IsEmpty());
  EXPECT_THAT(got.dropped,
              ElementsAre("2: a cost that is no number", "3: a charge period that ends before it begins",
                          "4: a charge period that cannot be read",
                          "5: a ChargeCategory that FOCUS does not know", "6: no BillingCurrency"));
}

constexpr const char* kCur =
    "line_item_line_item_type,line_item_usage_start_date,line_item_usage_end_date,line_item_unblended_cost,"
    "line_item_net_unblended_cost,line_item_currency_code,line_item_usage_type,line_item_usage_amount,"
    "line_item_product_code,product,product_instance_type,savings_plan_savings_plan_effective_cost,"
    "savings_plan_total_commitment_to_date,savings_plan_used_commitment,reservation_effective_cost,"
    "reservation_unused_recurring_fee,reservation_reservation_a_r_n,discount_total_discount\n";

std::string cur_row(const std::string& type, const std::string& rest) {
  return type + ",2026-10-06T00:00:00.000Z,2026-10-06T01:00:00.000Z," + rest + "\n";
}

TEST(Invoice, SpreadsCommitmentsOfCur) {
  const Read got =
      read(std::string(kCur) +
           cur_row("SavingsPlanCoveredUsage",
                   "98.32,,USD,BoxUsage:p5.48xlarge,1,AmazonEC2,,p5.48xlarge,43.1,,,,,,") +
           cur_row("SavingsPlanNegation", "-98.32,,USD,BoxUsage:p5.48xlarge,1,AmazonEC2,,,,,,,,,") +
           cur_row("SavingsPlanRecurringFee", "50,,USD,,1,ComputeSavingsPlans,,,,50,43.1,,,,") +
           cur_row("DiscountedUsage", "0,,USD,BoxUsage:g6.xlarge,1,AmazonEC2,,g6.xlarge,,,,0.5,,,") +
           cur_row("RIFee", "360,,USD,HeavyUsage:g6.xlarge,720,AmazonEC2,,g6.xlarge,,,,,12,arn,") +
           cur_row("Fee", "1000,,USD,,1,AmazonEC2,,,,,,,,arn,") +
           cur_row("Usage",
                   "10,9,USD,SpotUsage:g6.xlarge,1,AmazonEC2,\"{\"\"instance_type\"\":\"\"g6.xlarge\"\"}\",,,"
                   ",,,,,-1") +
           cur_row("EdpDiscount", "-2,,USD,BoxUsage:g6.xlarge,,AmazonEC2,,g6.xlarge,,,,,,,"));
  EXPECT_EQ(got.dialect, "AWS CUR");
  EXPECT_THAT(got.dropped, IsEmpty());
  EXPECT_THAT(got.lines,
              ElementsAre(Line{ChargeKind::kUsage, "USD", "AmazonEC2", "p5.48xlarge", 98.32, 43.1, 1},
                          Line{ChargeKind::kPurchase, "USD", "AmazonEC2", "", -98.32, 0, 0},
                          Line{ChargeKind::kUnused, "USD", "ComputeSavingsPlans", "", 50, 6.9, 0},
                          Line{ChargeKind::kUsage, "USD", "AmazonEC2", "g6.xlarge", 0, 0.5, 1},
                          Line{ChargeKind::kUnused, "USD", "AmazonEC2", "g6.xlarge", 360, 12, 0},
                          Line{ChargeKind::kPurchase, "USD", "AmazonEC2", "", 1000, 0, 0},
                          Line{ChargeKind::kUsage, "USD", "AmazonEC2", "g6.xlarge", 10, 9, 1},
                          Line{ChargeKind::kDiscount, "USD", "AmazonEC2", "g6.xlarge", -2, -2, 0}));
}

TEST(Invoice, ReadsTheLegacyReportsNames) {
  const Read got = read(
      "identity/LineItemId,lineItem/LineItemType,lineItem/UsageStartDate,lineItem/UsageEndDate,"
      "lineItem/UnblendedCost,lineItem/CurrencyCode,lineItem/UsageType,product/instanceType\n"
      "a,Usage,2026-10-06T00:00:00Z,2026-10-06T01:00:00Z,2.5,USD,BoxUsage:g5.2xlarge,g5.2xlarge\n");
  ASSERT_THAT(got.lines, SizeIs(1));
  EXPECT_EQ(got.lines[0].instance_type, "g5.2xlarge");
}

TEST(Invoice, SaysWhatAHeaderLacks) {
  EXPECT_THAT(read("BilledCost,ChargeCategory\n1,Usage\n").error,
              HasSubstr("without the column ChargePeriodStart"));
  EXPECT_THAT(read("line_item_line_item_type\nUsage\n").error, HasSubstr("line_item_usage_start_date"));
  EXPECT_THAT(read("a,b\n1,2\n").error, HasSubstr("not an invoice"));
  EXPECT_THAT(read("").error, HasSubstr("no header line"));
}

TEST(Amount, IsExact) {
  EXPECT_EQ(parse_amount("0.1"), PicoAmount{100'000'000'000});
  EXPECT_EQ(parse_amount("-1.000000000001"), -PicoAmount{1'000'000'000'001});
  EXPECT_EQ(parse_amount("1.5E-3"), PicoAmount{1'500'000'000});
  EXPECT_EQ(parse_amount("2e3"), PicoAmount{2000} * 1'000'000'000'000);
  EXPECT_EQ(parse_amount("0.00000000000049"), PicoAmount{0});
  EXPECT_EQ(parse_amount("1000000000000000"), PicoAmount{1'000'000'000'000'000} * 1'000'000'000'000);
  for (const char* text : {"", "-", ".", "1,5", "1e", "e5", "1e99", "1.2.3", "NaN", "$5", "1000000000000001"})
    EXPECT_EQ(parse_amount(text), std::nullopt) << text;
}

RC_GTEST_PROP(Invoice, DoesNotDependOnTheChunks, ()) {
  const std::string text =
      std::string(kFocus) +
      "0,USD,Usage,2026-10-06T00:00:00Z,2026-10-06T01:00:00Z,Used,1.0,Hours,49.16,EC2,AWS,"
      "\"{\"\"InstanceType\"\":\"\"p5.48xlarge\"\"}\"\nx\n";
  const auto chunk = *rc::gen::inRange<std::size_t>(1, 60);
  const Read whole = read(text), parts = read(text, chunk);
  RC_ASSERT(whole.lines == parts.lines);
  RC_ASSERT(whole.dropped == parts.dropped);
}

}  // namespace
}  // namespace etiage::formats
