#include "formats/kube/kueue_slices.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace etiage::formats::kueue {
namespace {

std::string_view common_prefix(std::string_view a, std::string_view b) {
  return a.substr(0, static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin()));
}

std::string_view common_suffix(std::string_view a, std::string_view b) {
  const auto [end, other] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
  return a.substr(a.size() - static_cast<std::size_t>(end - a.rbegin()));
}

Tree values_at(std::size_t level, const std::vector<Tree>& domains) {
  std::vector<std::string_view> values;
  for (const Tree& d : domains) values.push_back(d["values"].at(level).text());
  std::string_view prefix = values.front(), suffix = values.front();
  std::size_t shortest = values.front().size();
  for (const std::string_view v : values) {
    prefix = common_prefix(prefix, v);
    suffix = common_suffix(suffix, v);
    shortest = std::min(shortest, v.size());
  }
  if (std::ranges::all_of(values, [&](std::string_view v) { return v == values.front(); }))
    return Tree::map({{"universal", Tree::string(std::string(values.front()))}});
  // Of {ababa, aba} both would take the middle.
  prefix = prefix.substr(0, std::min(prefix.size(), shortest - suffix.size()));
  std::vector<Tree::Member> out;
  if (!prefix.empty()) out.emplace_back("prefix", Tree::string(std::string(prefix)));
  std::vector<Tree> roots;
  for (const std::string_view v : values)
    roots.push_back(
        Tree::string(std::string(v.substr(prefix.size(), v.size() - prefix.size() - suffix.size()))));
  out.emplace_back("roots", Tree::sequence(std::move(roots)));
  if (!suffix.empty()) out.emplace_back("suffix", Tree::string(std::string(suffix)));
  return Tree::map({{"individual", Tree::map(std::move(out))}});
}

Tree counts_of(const std::vector<Tree>& domains) {
  const Tree& first = domains.front()["count"];
  if (std::ranges::all_of(domains, [&](const Tree& d) { return d["count"].text() == first.text(); }))
    return Tree::map({{"universal", first}});
  std::vector<Tree> out;
  for (const Tree& d : domains) out.push_back(d["count"]);
  return Tree::map({{"individual", Tree::sequence(std::move(out))}});
}

}  // namespace

Tree slices_of(std::size_t levels, const std::vector<Tree>& domains) {
  if (domains.empty()) return Tree::sequence();
  std::vector<Tree> per_level;
  for (std::size_t level = 0; level < levels; ++level) per_level.push_back(values_at(level, domains));
  return Tree::sequence({Tree::map({{"domainCount", Tree::number(std::to_string(domains.size()))},
                                    {"podCounts", counts_of(domains)},
                                    {"valuesPerLevel", Tree::sequence(std::move(per_level))}})});
}

}  // namespace etiage::formats::kueue
