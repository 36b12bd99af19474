#include "formats/price_rows.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace etiage::formats {
namespace {

/// What people write for how a node was bought.
std::optional<std::string> purchase_of(std::string_view text) {
  std::string plain;
  for (const char c : text)
    if (std::isalpha(static_cast<unsigned char>(c)))
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (plain.empty()) return "";
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kKinds{{{"ondemand", "on-demand"},
                                                                                 {"payg", "on-demand"},
                                                                                 {"spot", "spot"},
                                                                                 {"preemptible", "spot"},
                                                                                 {"reserved", "reserved"},
                                                                                 {"savingsplan", "reserved"},
                                                                                 {"onprem", "on-prem"}}};
  for (const auto& [word, kind] : kKinds)
    if (plain == word) return std::string(kind);
  return {};
}

bool is_currency(std::string_view text) {
  return text.size() == 3 && std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

void PriceRows::refuse(int line, std::string message, std::string hint) {
  diagnostics_.push_back(
      {Severity::kError, "bad-price", {file_, line, 0, ""}, std::move(message), std::move(hint)});
}

std::optional<HourlyPrice> PriceRows::price(std::string_view text, int line) {
  if (auto price = parse_price(text)) return price;
  std::string hint = "write a decimal number of 0 or more, as 12.50";
  if (text.contains(',')) hint = "the decimal sign is a point, and thousands are not separated: 1234.50";
  if (text.starts_with('-')) hint = "a price is 0 or more";
  if (text.starts_with('$') || text.contains("\u20ac"))
    hint = "the currency has a column (or a key) of its own: currency";
  refuse(line, text.empty() ? "no price" : fmt::format("`{}` is no price", text.substr(0, 60)),
         std::move(hint));
  return {};
}

void PriceRows::set_currency(const std::string& currency, int line) {
  std::string upper = currency;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  if (!is_currency(upper))
    return refuse(line, fmt::format("`{}` is no currency", currency.substr(0, 60)),
                  "its code of three letters, as USD");
  if (currency_known_ && book_.currency != upper)
    return refuse(line, fmt::format("a price in {} in a list in {}", upper, book_.currency),
                  "a list has one currency: convert the row");
  book_.currency = upper;
  currency_known_ = true;
}

std::optional<Window> PriceRows::validity(const PriceWords& words) {
  Window window{Instant::min(), Instant::max()};
  const auto read = [&](const std::string& text, Instant& at) {
    if (text.empty()) return true;
    const auto t = parse_instant(text.contains('T') || text.contains(' ') ? text : text + "T00:00:00Z");
    if (t) at = *t;
    if (!t)
      refuse(words.line, fmt::format("`{}` is no time", text.substr(0, 60)),
             "RFC 3339, as 2026-10-12T00:00:00Z, or a date");
    return t.has_value();
  };
  if (!read(words.from, window.start) || !read(words.to, window.end)) return {};
  if (!window.empty()) return window;
  refuse(words.line, "the row ends before it begins", "`from` comes before `to`");
  return {};
}

/// Two rows of the same thing for the same time say two prices. A row without times is the base that others
/// stand on.
bool PriceRows::repeats(const PriceRow& row, int line) {
  auto& rows = seen_[{row.kind, row.key, row.purchase}];
  const auto bounded = [](Window w) { return w.start != Instant::min() || w.end != Instant::max(); };
  for (const auto& [window, first] : rows)
    if (bounded(window) == bounded(row.valid) && window == row.valid) {
      refuse(line,
             fmt::format("{} `{}` has a price already, on line {}", to_string(row.kind), row.key, first),
             "one row for each, or `from` and `to` for when it holds");
      return true;
    }
  rows.emplace_back(row.valid, line);
  return false;
}

void PriceRows::add(const PriceWords& words, std::optional<PriceSplit> split) {
  const std::pair<PriceKey, const std::string*> keys[] = {{PriceKey::kNodeName, &words.name},
                                                          {PriceKey::kInstanceType, &words.instance_type},
                                                          {PriceKey::kCard, &words.card}};
  const auto given = std::ranges::count_if(keys, [](const auto& k) { return !k.second->empty(); });
  if (given != 1)
    return refuse(words.line, given == 0 ? "a price of nothing" : "a price of more than one thing",
                  "name one: name, instanceType or card");
  const auto& [kind, key] = *std::ranges::find_if(keys, [](const auto& k) { return !k.second->empty(); });
  if (!words.currency.empty()) set_currency(words.currency, words.line);
  const auto hourly = price(words.hourly, words.line);
  const auto window = validity(words);
  const auto purchase = purchase_of(words.purchase);
  if (!purchase)
    refuse(words.line, fmt::format("`{}` is no way to buy", words.purchase.substr(0, 60)),
           "on-demand, spot, reserved or on-prem");
  if (!hourly || !window || !purchase) return;
  const std::string place = fmt::format("{}:{}", file_.substr(file_.rfind('/') + 1), words.line);
  PriceRow row{kind,
               *key,
               *hourly,
               *window,
               words.source.empty() ? place : fmt::format("{} ({})", words.source, place),
               words.date,
               *purchase,
               split};
  if (!repeats(row, words.line)) book_.rows.push_back(std::move(row));
}

}  // namespace etiage::formats
