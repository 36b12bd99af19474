#include "catalog/prices.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <iterator>
#include <set>

#include "base/csv.h"
#include "catalog/tables.h"

namespace etiage::catalog {
namespace {

constexpr std::string_view kCurrency = "USD";

/// Letters and digits in lower case, cut where others stand; without the maker.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> out(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      out.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!out.back().empty()) {
      out.emplace_back();
    }
  }
  std::erase_if(out, [](const std::string& w) {
    return w.empty() || w == "nvidia" || w == "tesla" || w == "amd" || w == "instinct";
  });
  return out;
}

/// `sxm` is any SXM; otherwise words are the same or not.
bool same_word(const std::string& asked, const std::string& there) {
  return asked == there || (asked == "sxm" && there.size() == 4 && there.starts_with("sxm"));
}

/// Rows of the kind whose name fits the product best; none where none fits.
std::vector<PriceRow> best_rows(std::span<const PriceRow> rows, PriceKey kind, std::string_view product) {
  std::vector<PriceRow> out;
  std::size_t best = 1;
  for (const PriceRow& row : rows) {
    if (row.kind != kind) continue;
    const std::size_t words = row.key == product ? SIZE_MAX : agreeing_words(row.key, product);
    if (words > best) out.clear();
    if (words >= best) out.push_back(row);
    best = std::max(best, words);
  }
  for (PriceRow& row : out) {
    if (row.key != product)
      row.source = fmt::format("{}{}price of {}", row.source, row.source.empty() ? "" : ", ", row.key);
    row.key = product;
  }
  return out;
}

}  // namespace

std::size_t agreeing_words(std::string_view card, std::string_view product) {
  const auto asked = words_of(card), there = words_of(product);
  const auto is_there = [&](const std::string& word) {
    return std::ranges::any_of(there, [&](const std::string& other) { return same_word(word, other); });
  };
  return std::ranges::all_of(asked, is_there) ? asked.size() : 0;
}

Result<std::vector<PriceRow>> read_list_prices(std::string_view csv, const std::string& file) {
  std::vector<PriceRow> out;
  const auto read = read_csv(csv, file, [&](const CsvRow& row) -> Result<void> {
    const auto hourly = parse_price(row["hourly"]);
    if (!hourly || row["key"].empty())
      return failure("a list price without its key or its amount", {file, row.line(), 0, ""});
    const std::string region =
        row["region"].empty() ? "" : fmt::format("{} {}, ", row["provider"], row["region"]);
    out.push_back({PriceKey::kCatalogue,
                   std::string(row["key"]),
                   *hourly,
                   {Instant::min(), Instant::max()},
                   region + std::string(row["source"]),
                   std::string(row["date"]),
                   "on-demand",
                   {}});
    return {};
  });
  if (!read) return std::unexpected(read.error());
  return out;
}

const std::vector<PriceRow>& list_prices() {
  static const std::vector<PriceRow> kRows = read_list_prices(prices_table(), "data/prices.csv").value();
  return kRows;
}

PriceBook prices_for(PriceBook book, std::span<const PricedNode> nodes) {
  std::set<std::string_view> products;
  for (const PricedNode& node : nodes)
    if (!node.card.empty()) products.insert(node.card);
  const bool with_list = book.currency == kCurrency;
  std::vector<PriceRow> rows;  // of equal kind the later row wins: an instance type says more than a card
  for (const std::string_view product : products) {
    std::ranges::move(best_rows(book.rows, PriceKey::kCard, product), std::back_inserter(rows));
    if (with_list)
      std::ranges::move(best_rows(list_prices(), PriceKey::kCatalogue, product), std::back_inserter(rows));
  }
  if (with_list) std::ranges::copy(list_prices(), std::back_inserter(rows));
  std::ranges::copy_if(book.rows, std::back_inserter(rows),
                       [](const PriceRow& row) { return row.kind != PriceKey::kCard; });
  book.rows = std::move(rows);
  return book;
}

}  // namespace etiage::catalog
