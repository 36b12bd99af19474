#include "ledger/invoice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ledger/testing/random_evidence.h"

namespace etiage::ledger {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const Window kHour{Instant::unix_seconds(1790000000 / 3600 * 3600),
                   Instant::unix_seconds(1790000000 / 3600 * 3600 + 3600)};

/// An hour of a node of each type, as billed in USD.
struct Settled {
  Evidence evidence;
  Ledger ledger;
};

Settled nodes(const std::vector<std::pair<std::string, Money>>& types) {
  Settled out;
  out.evidence.window = out.ledger.window = kHour;
  out.ledger.currency = "USD";
  for (const auto& [type, bill] : types) {
    NodeLife node{.name = "node-" + std::to_string(out.evidence.nodes.size()), .instance_type = type};
    node.life = kHour;
    out.evidence.nodes.push_back(node);
    NodeAccount account;
    account.time = Duration::hours(1);
    account.bill = bill;
    out.ledger.nodes.push_back(account);
    out.ledger.bill += bill;
  }
  return out;
}

PicoAmount pico(double units) {
  return static_cast<PicoAmount>(units * 1e6) * 1'000'000;
}

InvoiceLine usage(std::string_view type, double amount) {
  InvoiceLine out{.period = kHour, .currency = "USD", .instance_type = type};
  out.billed = out.effective = pico(amount);
  out.hours = 1;
  return out;
}

InvoiceBill compare(const Settled& s, const std::vector<InvoiceLine>& lines) {
  InvoiceAccount account(s.evidence, s.ledger);
  for (const InvoiceLine& line : lines) account.add(line);
  return account.settle();
}

TEST(InvoiceBill, StandsBesideTheBillByInstanceType) {
  const Settled s = nodes({{"p5.48xlarge", Money{100'000'000}}, {"g6.xlarge", Money{1'000'000}}});
  InvoiceLine storage = usage("", 5);
  storage.service = "S3";
  const InvoiceBill bill = compare(s, {usage("p5.48xlarge", 60), usage("m7i.large", 0.25), storage});
  ASSERT_EQ(bill.rows.size(), 4u);
  EXPECT_EQ(bill.rows[0].instance_type, "g6.xlarge");
  EXPECT_FALSE(bill.rows[0].in_invoice);
  EXPECT_EQ(bill.rows[0].factor(), std::nullopt);
  EXPECT_EQ(bill.rows[1].instance_type, "m7i.large");
  EXPECT_FALSE(bill.rows[1].in_bill);
  EXPECT_EQ(bill.rows[2].factor(), 0.6);
  EXPECT_EQ(bill.rows[2].invoiced_hours, 1);
  EXPECT_EQ(bill.rows[3].service, "S3");
  EXPECT_EQ(bill.amount, Money{65'250'000});
  EXPECT_EQ(bill.modelled, s.ledger.bill);
  EXPECT_EQ(bill.factor(), 0.6);
}

TEST(InvoiceBill, FindsTheInstanceTypeWhereverItStands) {
  const Settled s =
      nodes({{"p5.48xlarge", Money{1}}, {"Standard_ND96isr_H100_v5", Money{1}}, {"a3-highgpu-8g", Money{1}}});
  InvoiceLine aws = usage("", 1), azure = usage("", 1), by_node = usage("", 1), unknown = usage("", 1);
  aws.words[3] = "$98.32 per On Demand Linux p5.48xlarge Instance Hour";
  azure.words[0] = "ND96isr H100 v5";
  by_node.resource = "//compute.googleapis.com/projects/x/instances/node-2";
  unknown.words[0] = "USE1-SpotUsage:g5.12xlarge";
  std::vector<std::string> found;
  for (const InvoiceRow& row : compare(s, {aws, azure, by_node, unknown}).rows)
    if (row.in_invoice) found.push_back(row.instance_type);
  EXPECT_THAT(
      found, UnorderedElementsAre("p5.48xlarge", "Standard_ND96isr_H100_v5", "a3-highgpu-8g", "g5.12xlarge"));
}

TEST(InvoiceBill, DoesNotTakeOneTypeForAnother) {
  const Settled s = nodes({{"g5.2xlarge", Money{1}}});
  InvoiceLine line = usage("", 1);
  line.words[0] = "BoxUsage:g5.12xlarge";
  EXPECT_FALSE(compare(s, {line}).rows[1].in_invoice);
}

TEST(InvoiceBill, CountsWhatCrossesTheWindowByTime) {
  const Settled s = nodes({{"t", Money{1'000'000}}});
  InvoiceLine day = usage("t", 24), before = usage("t", 7);
  day.period = {kHour.start - Duration::hours(12), kHour.start + Duration::hours(12)};
  before.period = {kHour.start - Duration::hours(1), kHour.start};
  const InvoiceBill bill = compare(s, {day, before});
  EXPECT_EQ(bill.amount, Money{1'000'000});
  EXPECT_EQ(bill.lines, 1u);
  EXPECT_EQ(bill.outside, 1u);
}

TEST(InvoiceBill, TakesDiscountsOffTheirTypeAndKeepsTheRestApart) {
  const Settled s = nodes({{"t", Money{10'000'000}}});
  InvoiceLine discount = usage("t", -2), tax = usage("", 1.5), credit = usage("", -3), unused = usage("t", 4);
  discount.kind = ChargeKind::kDiscount, tax.kind = ChargeKind::kTax;
  credit.kind = ChargeKind::kCredit, unused.kind = ChargeKind::kUnused;
  const InvoiceBill bill = compare(s, {usage("t", 10), discount, tax, credit, unused});
  EXPECT_EQ(bill.rows[0].factor(), 0.8);
  EXPECT_EQ(bill.rows[0].invoiced_hours, 1);
  ASSERT_EQ(bill.rows.size(), 4u);
  EXPECT_EQ(bill.rows[1].kind, ChargeKind::kUnused);
  EXPECT_EQ(bill.rows[2].kind, ChargeKind::kCredit);
  EXPECT_EQ(bill.rows[3].kind, ChargeKind::kTax);
  EXPECT_EQ(bill.amount, Money{10'500'000});
}

TEST(InvoiceBill, ComparesOneCurrency) {
  const Settled s = nodes({{"t", Money{10'000'000}}});
  InvoiceLine euros = usage("t", 9);
  euros.currency = "EUR";
  const InvoiceBill bill = compare(s, {euros});
  EXPECT_EQ(bill.factor(), std::nullopt);
  EXPECT_THAT(bill.other_currencies, ElementsAre(std::pair("EUR", Money{9'000'000})));
  const auto checks = invoice_checks(bill, s.ledger);
  ASSERT_FALSE(checks.empty());
  EXPECT_EQ(checks[0].id, "invoice-currency");
  EXPECT_EQ(checks[0].severity, Severity::kError);
}

TEST(InvoiceBill, SaysWhereItDoesNotCoverTheWindow) {
  const Settled s = nodes({{"t", Money{10'000'000}}});
  EXPECT_THAT(invoice_checks(compare(s, {usage("t", 9)}), s.ledger), IsEmpty());
  const auto nothing = invoice_checks(compare(s, {}), s.ledger);
  ASSERT_EQ(nothing.size(), 1u);
  EXPECT_EQ(nothing[0].id, "invoice-outside-window");
}

TEST(InvoiceBill, SaysWhatItLacks) {
  Settled s = nodes({{"t", Money{10'000'000}}, {"u", Money{5'000'000}}});
  const auto lacks = invoice_checks(compare(s, {usage("t", 9)}), s.ledger);
  ASSERT_EQ(lacks.size(), 1u);
  EXPECT_EQ(lacks[0].id, "invoice-missing-instances");
  EXPECT_THAT(lacks[0].subjects, ElementsAre("u: 5 USD"));
  s.ledger.window.end = kHour.start + Duration::hours(3);
  const auto partial = invoice_checks(compare(s, {usage("t", 9), usage("u", 5)}), s.ledger);
  ASSERT_EQ(partial.size(), 1u);
  EXPECT_EQ(partial[0].id, "invoice-partial");
}

RC_GTEST_PROP(InvoiceBill, ClosesOnBothSides, ()) {
  const auto world = testing::random_world(*rc::gen::arbitrary<std::uint64_t>());
  const Ledger ledger = settle(world.evidence, world.prices);
  InvoiceAccount account(world.evidence, ledger);
  const auto count = *rc::gen::inRange(0, 12);
  for (int i = 0; i < count; ++i) {
    InvoiceLine line{.period = ledger.window, .currency = ledger.currency};
    line.kind = static_cast<ChargeKind>(*rc::gen::inRange<int>(0, kChargeKindCount));
    line.instance_type = *rc::gen::element("", "x", "y");
    line.effective = pico(*rc::gen::inRange(-1000, 100000) / 1000.0);
    account.add(line);
  }
  const InvoiceBill bill = account.settle();
  Money invoiced, modelled;
  for (const InvoiceRow& row : bill.rows) invoiced += row.invoiced, modelled += row.modelled;
  RC_ASSERT(invoiced == bill.amount);
  RC_ASSERT(modelled == ledger.bill);
}

}  // namespace
}  // namespace etiage::ledger
