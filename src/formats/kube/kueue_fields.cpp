#include "formats/kube/kueue_fields.h"

#include <fmt/format.h>
#include <limits>

namespace etiage::formats::kueue {

std::vector<std::string> read_strings(const Tree& tree) {
  std::vector<std::string> out;
  for (const Tree& item : tree.items()) out.push_back(item.text());
  return out;
}

std::optional<std::string> read_optional_string(const Tree& tree) {
  if (tree.is_null()) return std::nullopt;
  return tree.text();
}

std::optional<std::int32_t> read_int32(const Tree& tree, const std::string& path,
                                       const FieldReading& reading) {
  if (tree.is_null()) return std::nullopt;
  const auto value = tree.as_int();
  if (value && *value >= std::numeric_limits<std::int32_t>::min() &&
      *value <= std::numeric_limits<std::int32_t>::max())
    return static_cast<std::int32_t>(*value);
  reading.refuse(tree, path, fmt::format("'{}' is not a whole number of 32 bits", tree.text()));
  return std::nullopt;
}

std::optional<Quantity> read_quantity(const Tree& tree, const std::string& path,
                                      const FieldReading& reading) {
  if (tree.is_null()) return std::nullopt;
  auto quantity = Quantity::parse(tree.text());
  if (quantity) return *quantity;
  reading.refuse(tree, path,
                 fmt::format("'{}' is not a quantity: {}", tree.text(), quantity.error().message));
  return std::nullopt;
}

std::vector<ResourceGroup> read_resource_groups(const Tree& tree, const FieldReading& reading) {
  std::vector<ResourceGroup> out;
  for (std::size_t g = 0; g < tree.items().size(); ++g) {
    const Tree& group = tree.at(g);
    ResourceGroup& read = out.emplace_back();
    read.covered_resources = read_strings(group["coveredResources"]);
    for (std::size_t f = 0; f < group["flavors"].items().size(); ++f) {
      const Tree& flavor = group["flavors"].at(f);
      FlavorQuotas& quotas = read.flavors.emplace_back();
      quotas.flavor = flavor["name"].text();
      for (std::size_t r = 0; r < flavor["resources"].items().size(); ++r) {
        const Tree& quota = flavor["resources"].at(r);
        const std::string path = fmt::format("spec.resourceGroups[{}].flavors[{}].resources[{}]", g, f, r);
        quotas.resources.push_back(
            {quota["name"].text(),
             read_quantity(quota["nominalQuota"], path + ".nominalQuota", reading).value_or(Quantity{}),
             read_quantity(quota["borrowingLimit"], path + ".borrowingLimit", reading),
             read_quantity(quota["lendingLimit"], path + ".lendingLimit", reading)});
      }
    }
  }
  return out;
}

StopPolicy read_stop_policy(const Tree& tree, const FieldReading& reading) {
  const std::string& text = tree.text();
  if (text == "Hold") return StopPolicy::kHold;
  if (text == "HoldAndDrain") return StopPolicy::kHoldAndDrain;
  if (!text.empty() && text != "None")
    reading.refuse(tree, "spec.stopPolicy", fmt::format("'{}' is none of None, Hold, HoldAndDrain", text));
  return StopPolicy::kNone;
}

}  // namespace etiage::formats::kueue
