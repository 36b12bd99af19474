#include "catalog/mig_geometry.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "catalog/cards.h"
#include "catalog/mig_slices.h"

namespace etiage::catalog {
namespace {

constexpr std::string_view kTable =
#include "tables/mig_profiles.inc"
    ;

std::vector<std::string_view> parts(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (true) {
    const auto at = text.find(separator);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

int number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string plain(std::string_view name) {
  std::string out;
  for (char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// `a100+80gb|...`: all words of one alternative occur in the name.
bool matches(std::string_view rule, const std::string& name) {
  return std::ranges::any_of(parts(rule, '|'), [&](std::string_view words) {
    return std::ranges::all_of(parts(words, '+'),
                               [&](std::string_view word) { return name.find(word) != std::string::npos; });
  });
}

MigProfile profile_of(const std::vector<std::string_view>& cells) {
  MigProfile out{std::string(cells[2]), number(cells[3]), number(cells[4]), {}, number(cells[6])};
  for (std::string_view start : parts(cells[5], ' ')) out.starts.push_back(number(start));
  return out;
}

}  // namespace

std::optional<MigGeometry> mig_geometry(std::string_view card) {
  const std::string name = plain(card);
  if (name.empty()) return {};
  MigGeometry out{0, 0, {}};
  std::string_view family;
  for (std::string_view line : parts(kTable, '\n')) {
    const auto cells = parts(line, ',');
    if (cells.size() < 8 || cells[0] == "card") continue;
    if (family.empty() && matches(cells[1], name)) family = cells[0];
    if (family.empty() || cells[0] != family) continue;
    out.profiles.push_back(profile_of(cells));
    // The largest profile is the whole card.
    out.compute_slices = std::max(out.compute_slices, out.profiles.back().compute);
    out.memory_slices = std::max(out.memory_slices, out.profiles.back().memory);
  }
  if (family.empty()) return {};
  return out;
}

double mig_share_by_name(std::string_view profile) {
  const int compute = number(profile);
  for (std::string_view line : parts(kTable, '\n')) {
    const auto cells = parts(line, ',');
    if (cells.size() < 8 || cells[2] != profile) continue;
    const auto geometry = mig_geometry(cells[0]);
    if (const auto share = geometry ? geometry->share(profile) : std::nullopt) return *share;
  }
  return compute > 0 && compute <= 7 ? compute / 7.0 : 1;
}

double mig_share(std::string_view card, std::string_view profile) {
  const auto geometry = mig_geometry(card);
  const auto share = geometry ? geometry->share(profile) : std::nullopt;
  return share ? *share : mig_share_by_name(profile);
}

std::string mig_profile_of_size(std::string_view card, double memory_mib, int multiprocessors) {
  const auto known = find_card(card, cards());
  const auto geometry = mig_geometry(card);
  std::string best;
  double least = 0.25;  // further off it is another card's
  if (known && geometry && memory_mib > 0)
    for (const MigProfile& p : geometry->profiles) {
      const auto slice = mig_slice(known->key, p.name);
      if (!slice || slice->sms <= 0) continue;
      const double off =
          std::abs(slice->memory_gib * 1024 / memory_mib - 1) +
          (multiprocessors > 0 ? std::abs(slice->sms / static_cast<double>(multiprocessors) - 1) : 0);
      if (off < least) least = off, best = p.name;
    }
  return best;
}

}  // namespace etiage::catalog
