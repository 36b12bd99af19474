#include "ledger/invoice.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace etiage::ledger {
namespace {

bool of_instance(ChargeKind kind) {
  return kind == ChargeKind::kUsage || kind == ChargeKind::kDiscount;
}

/// Calls `f` with each run of letters, digits, dots, hyphens and underscores.
template <class F>
void each_word(std::string_view text, F&& f) {
  const auto part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
  };
  while (!text.empty()) {
    const auto begin = std::ranges::find_if(text, part);
    const auto end = std::find_if_not(begin, text.end(), part);
    if (begin != end) f(std::string_view(begin, end));
    text = std::string_view(end, text.end());
  }
}

std::string letters(std::string_view text) {
  std::string out;
  for (char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// AWS's usage types: `USE1-BoxUsage:p5.48xlarge`.
std::string aws_type(std::string_view usage_type) {
  const std::size_t at = usage_type.find("Usage:");
  return at == usage_type.npos ? "" : std::string(usage_type.substr(at + 6));
}

/// The part of a line that lies in the window.
double part_inside(Window period, Window window) {
  const Window both = overlap(period, window);
  return both.empty() ? 0 : both.length().as_seconds() / period.length().as_seconds();
}

PicoAmount scaled(PicoAmount amount, double part) {
  if (part == 1) return amount;
  return static_cast<PicoAmount>(
      std::round(static_cast<long double>(amount) * static_cast<long double>(part)));
}

}  // namespace

std::optional<double> InvoiceRow::factor() const {
  if (modelled.micro == 0 || !in_invoice) return {};
  return static_cast<double>(invoiced.micro) / static_cast<double>(modelled.micro);
}

std::optional<double> InvoiceBill::factor() const {
  Money invoiced, compared;
  for (const InvoiceRow& row : rows)
    if (row.in_invoice && row.in_bill) invoiced += row.invoiced, compared += row.modelled;
  if (compared.micro == 0) return {};
  return static_cast<double>(invoiced.micro) / static_cast<double>(compared.micro);
}

InvoiceAccount::InvoiceAccount(const Evidence& evidence, const Ledger& ledger)
    : evidence_(evidence), ledger_(ledger) {
  for (const NodeLife& node : evidence.nodes) {
    nodes_.emplace(node.name, node.instance_type);
    if (!node.instance_type.empty()) types_.insert(node.instance_type);
  }
}

std::string InvoiceAccount::named_in(std::string_view words) {
  if (words.empty()) return "";
  if (const auto it = named_.find(words); it != named_.end()) return it->second;
  std::string found;
  each_word(words, [&](std::string_view w) {
    if (found.empty() && types_.contains(w)) found = w;
  });
  if (found.empty()) {  // Azure: `ND96isr H100 v5` is Standard_ND96isr_H100_v5
    const std::string plain = letters(words);
    for (const std::string& type : types_)
      if (type.starts_with("Standard_") && plain.contains(letters(type.substr(9)))) found = type;
  }
  constexpr std::size_t kRemembered = 100'000;
  if (named_.size() < kRemembered) named_.emplace(words, found);
  return found;
}

/// Best first: a field of its own, the words around, the node that was used.
std::string InvoiceAccount::instance_type_of(const InvoiceLine& line) {
  if (!line.instance_type.empty()) {
    if (types_.contains(line.instance_type)) return std::string(line.instance_type);
    const std::string known = named_in(line.instance_type);
    return known.empty() ? std::string(line.instance_type) : known;
  }
  for (std::string_view words : line.words)
    if (std::string found = named_in(words); !found.empty()) return found;
  const std::string_view name = line.resource.substr(line.resource.find_last_of("/:") + 1);
  if (const auto it = nodes_.find(name); it != nodes_.end()) return it->second;
  return aws_type(line.words[0]);
}

void InvoiceAccount::add(const InvoiceLine& line) {
  const double part = part_inside(line.period, ledger_.window);
  if (part == 0) {
    ++counts_.outside;
    return;
  }
  ++counts_.lines;
  if (line.currency != ledger_.currency) {
    other_currencies_[std::string(line.currency)] += scaled(line.effective, part);
    return;
  }
  const std::string type = of_instance(line.kind) ? instance_type_of(line) : "";
  if (!type.empty() && line.kind == ChargeKind::kUsage) {
    if (!counts_.usage) counts_.usage = line.period;
    counts_.usage = Window{std::min(counts_.usage->start, line.period.start),
                           std::max(counts_.usage->end, line.period.end)};
  }
  Sums& s = sums_[{type, type.empty() ? line.kind : ChargeKind::kUsage,
                   type.empty() ? std::string(line.service) : ""}];
  s.billed += scaled(line.billed, part), s.effective += scaled(line.effective, part);
  s.hours += line.kind == ChargeKind::kUsage ? line.hours * part : 0;
}

InvoiceBill InvoiceAccount::settle() const {
  std::map<Key, InvoiceRow> rows;
  for (const auto& [key, sums] : sums_) {
    InvoiceRow& row = rows[key];
    row.in_invoice = true;
    row.invoiced = rounded(sums.effective), row.billed = rounded(sums.billed);
    row.invoiced_hours = std::get<0>(key).empty() ? 0 : sums.hours;
  }
  for (std::size_t i = 0; i < evidence_.nodes.size(); ++i) {
    if (ledger_.nodes[i].bill.micro == 0) continue;
    InvoiceRow& row = rows[{evidence_.nodes[i].instance_type, ChargeKind::kUsage, ""}];
    row.in_bill = true;
    row.modelled += ledger_.nodes[i].bill;
    row.modelled_hours += (ledger_.nodes[i].time - ledger_.nodes[i].unpriced).as_hours();
  }
  InvoiceBill out = counts_;
  for (auto& [key, row] : rows) {
    std::tie(row.instance_type, row.kind, row.service) = key;
    out.amount += row.invoiced, out.billed += row.billed, out.modelled += row.modelled;
    out.rows.push_back(std::move(row));
  }
  std::ranges::stable_partition(out.rows, [](const InvoiceRow& r) { return !r.instance_type.empty(); });
  for (const auto& [currency, amount] : other_currencies_) out.other_currencies[currency] = rounded(amount);
  return out;
}

std::vector<Check> invoice_checks(const InvoiceBill& bill, const Ledger& ledger) {
  std::vector<Check> out;
  if (!bill.other_currencies.empty()) {
    std::vector<std::string> amounts;
    for (const auto& [currency, amount] : bill.other_currencies)
      amounts.push_back(to_string(amount) + " " + currency);
    out.push_back({"invoice-currency", Severity::kError,
                   "the invoice has charges in another currency than the bill (" + ledger.currency + ")",
                   "they are not compared", "give prices in the invoice's currency", std::move(amounts)});
  }
  if (bill.lines == 0)
    out.push_back({"invoice-outside-window",
                   Severity::kError,
                   "no charge of the invoice lies in the window",
                   "there is nothing to compare",
                   "give the invoice of this period; providers write it a day or two late",
                   {}});
  else if (bill.usage && (ledger.window.start + Duration::hours(1) < bill.usage->start ||
                          bill.usage->end + Duration::hours(1) < ledger.window.end))
    out.push_back({"invoice-partial",
                   Severity::kWarning,
                   "the invoice's instances are charged from " + to_string(bill.usage->start) + " to " +
                       to_string(bill.usage->end) + ", not over the whole window",
                   "the factor is too low",
                   "give --window " + to_string(std::max(ledger.window.start, bill.usage->start)) + "/" +
                       to_string(std::min(ledger.window.end, bill.usage->end)),
                   {}});
  std::vector<std::string> missing;
  for (const InvoiceRow& row : bill.rows)
    if (row.in_bill && !row.in_invoice)
      missing.push_back((row.instance_type.empty() ? "nodes without instance type" : row.instance_type) +
                        ": " + to_string(row.modelled) + " " + ledger.currency);
  if (!missing.empty() && bill.lines > 0)
    out.push_back({"invoice-missing-instances", Severity::kWarning,
                   "instance types of the bill that the invoice does not name", "their factor is unknown",
                   "look for another account's invoice, or for names the invoice writes otherwise",
                   std::move(missing)});
  return out;
}

}  // namespace etiage::ledger
