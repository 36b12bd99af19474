#pragma once
// An invoice beside the modelled bill, by instance type (RULES.md 19). Both sides close: the rows' invoiced
// money sums to the invoice, their modelled money to the bill.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "ledger/ledger.h"
#include "model/invoice.h"

namespace etiage::ledger {

struct InvoiceRow {
  std::string instance_type;  ///< empty: the row is of something else
  ChargeKind kind = ChargeKind::kUsage;
  std::string service;  ///< of rows without instance type
  Money invoiced;       ///< effective cost, with the discounts on it
  Money billed;
  Money modelled;
  double invoiced_hours = 0, modelled_hours = 0;  ///< of instances
  bool in_invoice = false, in_bill = false;

  /// Invoiced over modelled, where both are there.
  std::optional<double> factor() const;
};

struct InvoiceBill {
  std::vector<InvoiceRow> rows;  ///< instance types by name, then the others by kind and service
  Money amount, billed;          ///< of all rows
  Money modelled;
  std::map<std::string, Money> other_currencies;  ///< effective cost that is not compared
  std::uint64_t lines = 0, outside = 0;           ///< lines that reach into the window, and that do not
  std::optional<Window> usage;                    ///< from the first charge of an instance to the last

  /// Over the instance types that are in both.
  std::optional<double> factor() const;
};

/// Adds up an invoice's lines inside the ledger's window. A charge that crosses its border counts by time.
class InvoiceAccount {
 public:
  /// Both must outlive the account.
  InvoiceAccount(const Evidence& evidence, const Ledger& ledger);

  void add(const InvoiceLine& line);
  InvoiceBill settle() const;
  /// What of the bill's nodes the line is of; empty where it is of no instance.
  std::string instance_type_of(const InvoiceLine& line);

 private:
  struct Sums {
    PicoAmount billed = 0, effective = 0;
    double hours = 0;
  };
  using Key = std::tuple<std::string, ChargeKind, std::string>;  ///< instance type, kind, service

  std::string named_in(std::string_view words);

  const Evidence& evidence_;
  const Ledger& ledger_;
  std::map<std::string, std::string, std::less<>> nodes_;  ///< instance type by node name
  std::set<std::string, std::less<>> types_;               ///< that the bill has
  std::map<std::string, std::string, std::less<>> named_;  ///< what words were found to name
  std::map<Key, Sums> sums_;
  std::map<std::string, PicoAmount> other_currencies_;
  InvoiceBill counts_;
};

/// What the comparison says of the figures, for `quality` and `doctor`.
std::vector<Check> invoice_checks(const InvoiceBill& bill, const Ledger& ledger);

}  // namespace etiage::ledger
