#pragma once
// Amounts by resource as Volcano and KAI reckon with them: in doubles, what is not named is zero.

#include <map>
#include <string>
#include <string_view>

namespace etiage::placement {

using Amounts = std::map<std::string, double, std::less<>>;

inline double amount_of(const Amounts& amounts, std::string_view resource) {
  const auto it = amounts.find(resource);
  return it == amounts.end() ? 0 : it->second;
}

inline void add(Amounts& to, const Amounts& more, double sign = 1) {
  for (const auto& [resource, amount] : more) to[resource] += sign * amount;
}

}  // namespace etiage::placement
