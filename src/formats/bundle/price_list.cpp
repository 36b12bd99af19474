#include "formats/bundle/price_list.h"

#include <fmt/format.h>

#include "base/json_writer.h"
#include "formats/bundle/labels.h"

namespace etiage::formats::bundle {
namespace {

std::string key_of(const PriceRow& row, const std::set<std::string, std::less<>>& products,
                   const Rename& rename) {
  const bool card = row.kind == PriceKey::kCard || row.kind == PriceKey::kCatalogue;
  if (card || products.contains(row.key)) return row.key;
  return disguised_instance_type(row.key, rename);
}

std::string purchase_of(const std::string& word, const Rename& rename) {
  const bool known = word == "on-demand" || word == "spot" || word == "reserved" || word == "on-prem";
  return known ? word : rename(word, NameOf::kAnything);
}

std::string split_text(const PriceSplit& split) {
  return fmt::format("{{gpu: {}, cpu: {}, memory: {}}}", split.gpu, split.cpu, split.memory);
}

std::string row_text(const PriceRow& row, const std::set<std::string, std::less<>>& products,
                     const Rename& rename) {
  std::string out = fmt::format("- {{{}: {}, hourly: {}", to_string(row.kind),
                                json_quoted(key_of(row, products, rename)), to_string(row.hourly));
  if (row.valid.start != Instant::min()) out += fmt::format(", from: \"{}\"", to_string(row.valid.start));
  if (row.valid.end != Instant::max()) out += fmt::format(", to: \"{}\"", to_string(row.valid.end));
  if (!row.purchase.empty()) out += ", purchase: " + json_quoted(purchase_of(row.purchase, rename));
  if (!row.date.empty()) out += ", date: " + json_quoted(row.date);
  if (row.split) out += ", split: " + split_text(*row.split);
  return out + "}\n";
}

}  // namespace

std::string disguised_prices(const PriceBook& book, const std::set<std::string, std::less<>>& products,
                             const Rename& rename) {
  std::string out = "currency: " + json_quoted(book.currency) + "\n";
  if (book.components)
    out += fmt::format("components: {{gpu: {}, cpu: {}, memory: {}}}\n", to_string(book.components->gpu),
                       to_string(book.components->cpu), to_string(book.components->memory));
  if (book.split) out += "split: " + split_text(*book.split) + "\n";
  out += "prices:\n";
  for (const PriceRow& row : book.rows) out += row_text(row, products, rename);
  return out;
}

}  // namespace etiage::formats::bundle
