#include "render/invoice.h"

#include "render/ledger_json.h"

namespace etiage::render {
namespace {

using ledger::InvoiceBill;
using ledger::InvoiceRow;

std::string_view found_in(const InvoiceRow& row) {
  return row.in_invoice && row.in_bill ? "both" : row.in_invoice ? "invoice" : "bill";
}

/// What is compared: there may be no charge in the bill's currency.
bool comparable(const InvoiceBill& invoice) {
  for (const InvoiceRow& row : invoice.rows)
    if (row.in_invoice) return true;
  return invoice.other_currencies.empty();
}

void write_row(JsonWriter& json, const InvoiceRow& row) {
  json.begin_object();
  write_text(json, "instanceType", row.instance_type);
  json.member("kind", to_string(row.kind));
  write_text(json, "service", row.service);
  json.member("in", found_in(row));
  json.member("invoiced", row.invoiced).member("billed", row.billed).member("modelled", row.modelled);
  write_maybe(json, "factor", row.factor());
  json.member("invoicedHours", row.invoiced_hours).member("modelledHours", row.modelled_hours).end_object();
}

std::string name_of(const InvoiceRow& row) {
  if (!row.instance_type.empty()) return row.instance_type;
  if (row.in_bill) return "(no instance type)";
  const std::string kind(to_string(row.kind));
  return row.service.empty() ? kind : kind + ": " + row.service;
}

}  // namespace

void write_invoice(JsonWriter& json, const InvoiceBill& invoice) {
  json.key("invoice").begin_object().key("amount");
  if (comparable(invoice)) {
    json.value(invoice.amount);
  } else {
    json.null();
  }
  json.member("billed", invoice.billed).member("modelled", invoice.modelled);
  write_maybe(json, "factor", invoice.factor());
  json.member("lines", invoice.lines).member("linesOutside", invoice.outside);
  json.key("otherCurrencies").begin_object();
  for (const auto& [currency, amount] : invoice.other_currencies) json.member(currency, amount);
  json.end_object().key("rows").begin_array();
  for (const InvoiceRow& row : invoice.rows) write_row(json, row);
  json.end_array().end_object();
}

Table invoice_table(const InvoiceBill& invoice, const std::string& currency) {
  Table out{.title = "The invoice beside the bill",
            .columns = {{"what", "CHARGED FOR"},
                        {"invoiced", "INVOICED", currency, Align::kRight},
                        {"modelled", "MODELLED", currency, Align::kRight},
                        {"factor", "FACTOR", "", Align::kRight},
                        {"invoicedHours", "INVOICED", "h", Align::kRight, Show::kIfRoom},
                        {"modelledHours", "MODELLED", "h", Align::kRight, Show::kIfRoom}}};
  const auto maybe_factor = [](std::optional<double> f) { return f ? number(*f, 3) : none(); };
  for (const InvoiceRow& row : invoice.rows) {
    const bool instance = row.in_bill || !row.instance_type.empty();
    if (!instance && row.invoiced.micro == 0) continue;  // billed, and taken back or spread over other rows
    out.rows.push_back(
        {{text(name_of(row)), row.in_invoice ? money(row.invoiced) : none("not there"),
          row.in_bill ? money(row.modelled) : none(instance ? "not there" : "-"), maybe_factor(row.factor()),
          row.invoiced_hours > 0 ? number(row.invoiced_hours, 1) : none(),
          row.modelled_hours > 0 ? number(row.modelled_hours, 1) : none()}});
  }
  out.rows.push_back({{text("total", Tone::kStrong), comparable(invoice) ? money(invoice.amount) : none(),
                       money(invoice.modelled), maybe_factor(invoice.factor())},
                      true});
  out.notes.push_back(
      "Invoiced: effective cost in this window, commitments spread over what they cover. The total factor is "
      "that of the instance types in both.");
  for (const auto& [other, amount] : invoice.other_currencies)
    out.notes.push_back("Not compared: " + to_string(amount) + " " + other + ".");
  return out;
}

}  // namespace etiage::render
