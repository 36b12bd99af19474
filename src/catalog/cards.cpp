#include "catalog/cards.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/csv.h"
#include "catalog/cells.h"
#include "catalog/tables.h"

namespace etiage::catalog {
namespace {

Card card_of(const CsvRow& row) {
  Card c;
  c.key = row["card"];
  c.name = row["name"];
  c.aliases = split(row["aliases"], '|');
  c.architecture = row["architecture"];
  c.compute_capability = number<double>(row, "compute_capability");
  c.marketed_gb = number<double>(row, "marketed_gb");
  c.visible_gib = number<double>(row, "visible_gib");
  c.bandwidth_gbs = number<double>(row, "bandwidth_gbs");
  c.flops16_tera = number<double>(row, "flops16_tera");
  c.int8_tera = number<double>(row, "int8_tera");
  c.flops8_tera = number<double>(row, "flops8_tera");
  c.flops4_tera = number<double>(row, "flops4_tera");
  c.tdp_watts = number<double>(row, "tdp_w");
  c.link_gbs = number<double>(row, "link_gbs");
  c.pcie_gbs = number<double>(row, "pcie_gbs");
  c.link_domain = std::max(1, number<int>(row, "link_domain"));
  c.sms = number<int>(row, "sms");
  c.verified = row["verified"] == "1";
  c.note = row["note"];
  c.source = row["source"];
  c.date = row["date"];
  return c;
}

/// Letters and digits in lower case, without the maker's name and without what labels append.
std::string plain(std::string_view name) {
  std::string upper;
  for (const char c : name) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const std::string_view suffix : {"-SHARED", "-MIG-"})
    if (const auto at = upper.find(suffix); at != std::string::npos) upper.resize(at);
  std::string out;
  for (const char c : upper)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view maker : {"nvidia", "amdinstinct", "amd", "tesla"})
    if (out.starts_with(maker)) out.erase(0, maker.size());
  return out;
}

bool is_called(const Card& c, const std::string& wanted) {
  return plain(c.key) == wanted || plain(c.name) == wanted ||
         std::ranges::any_of(c.aliases, [&](const auto& a) { return plain(a) == wanted; });
}

std::string listed(const std::vector<const Card*>& some) {
  std::string text;
  for (const auto* c : some) text += (text.empty() ? "" : ", ") + c->key;
  return text;
}

}  // namespace

Result<std::vector<Card>> read_cards(std::string_view csv, const std::string& file) {
  std::vector<Card> out;
  auto done = read_csv(csv, file, [&](const CsvRow& row) -> Result<void> {
    auto c = card_of(row);
    if (c.key.empty() || c.visible_gib <= 0 || c.bandwidth_gbs <= 0)
      return failure(fmt::format("card \"{}\" lacks its memory or its bandwidth", c.key), {file, row.line()},
                     "fill card, visible_gib and bandwidth_gbs");
    if (c.visible_gib > 1e5 || c.bandwidth_gbs > 1e7)
      return failure(fmt::format("card \"{}\" has {} GiB at {} GB/s, which makes no sense", c.key,
                                 c.visible_gib, c.bandwidth_gbs),
                     {file, row.line()});
    out.push_back(std::move(c));
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

const std::vector<Card>& cards() {
  static const std::vector<Card> kCards = read_cards(cards_table(), "data/cards.csv").value();
  return kCards;
}

Result<Card> find_card(std::string_view name, std::span<const Card> known) {
  const auto wanted = plain(name);
  std::vector<const Card*> near;
  for (const auto& c : known) {
    if (is_called(c, wanted)) return c;
    if (!wanted.empty() && plain(c.key).starts_with(wanted)) near.push_back(&c);
  }
  if (near.size() == 1) return *near.front();
  if (near.size() > 1)
    return failure(fmt::format("card \"{}\" may be any of {}", name, listed(near)), {},
                   "give the whole name");
  return failure(fmt::format("card \"{}\" is not known", name), {},
                 "see `etiage catalog cards` for those that are");
}

std::string mig_profile_in(std::string_view name) {
  constexpr std::string_view kMark = "-mig-";
  const auto at = lower_case(name).rfind(kMark);
  if (at == std::string::npos) return "";
  auto profile = lower_case(name.substr(at + kMark.size()));
  if (const auto dot = profile.find('.', profile.find('.') + 1); dot != std::string::npos)
    profile[dot] = '+';  // labels cannot hold a plus
  return profile;
}

}  // namespace etiage::catalog
