#pragma once
// What the two shapes of a price list have in common: one row's words to a PriceRow, with every fault named.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "base/diagnostic.h"
#include "model/prices.h"

namespace etiage::formats {

/// A row as it was written, cell by cell; empty where not given.
struct PriceWords {
  int line = 0;
  std::string name, instance_type, card;
  std::string hourly, currency, from, to, purchase, source, date;
};

class PriceRows {
 public:
  PriceRows(std::string file, Diagnostics& diagnostics) : file_(std::move(file)), diagnostics_(diagnostics) {}

  /// Checks the words and adds the row; a fault is named and the row left out.
  void add(const PriceWords& words, std::optional<PriceSplit> split = {});
  void set_currency(const std::string& currency, int line);
  void refuse(int line, std::string message, std::string hint = "");
  /// A price of 0 or more; a fault is named.
  std::optional<HourlyPrice> price(std::string_view text, int line);

  PriceBook& book() { return book_; }

 private:
  std::optional<Window> validity(const PriceWords& words);
  bool repeats(const PriceRow& row, int line);

  std::string file_;
  Diagnostics& diagnostics_;
  PriceBook book_;
  bool currency_known_ = false;
  std::map<std::tuple<PriceKey, std::string, std::string>, std::vector<std::pair<Window, int>>> seen_;
};

}  // namespace etiage::formats
