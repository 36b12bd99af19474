#include "formats/kube/dra_fields.h"

#include "formats/tree_json.h"

namespace etiage::formats::dra {

void Reading::remark(const Tree& at, const std::string& path, std::string code, std::string message,
                     std::string hint) const {
  diagnostics.push_back({Severity::kError,
                         std::move(code),
                         {file, at.line, 0, path},
                         object + ": " + message,
                         std::move(hint)});
}

std::vector<std::string> read_strings(const Tree& tree) {
  std::vector<std::string> out;
  for (const Tree& item : tree.items()) out.push_back(item.text());
  return out;
}

std::optional<std::string> read_optional_string(const Tree& tree) {
  if (tree.is_null()) return std::nullopt;
  return tree.text();
}

std::optional<WrittenQuantity> read_quantity(const Tree& tree, const std::string& path,
                                             const Reading& reading) {
  if (tree.is_null()) return std::nullopt;
  const auto amount = Quantity::parse(tree.text());
  if (!amount) {
    reading.remark(tree, path, "dra-bad-quantity",
                   "\"" + tree.text() + "\" is not a quantity: " + amount.error().message);
    return std::nullopt;
  }
  return WrittenQuantity{tree.text(), *amount};
}

std::int64_t read_integer(const Tree& tree, const std::string& path, const std::string& code,
                          const Reading& reading) {
  const auto value = tree.as_int();
  if (!value && !tree.is_null()) reading.remark(tree, path, code, "is no integer of 64 bits");
  return value.value_or(0);
}

CounterMap read_counters(const Tree& tree, const std::string& path, const Reading& reading) {
  CounterMap out;
  for (const auto& [name, counter] : tree.members()) {
    const Tree& value = counter.is_map() ? counter["value"] : counter;
    if (auto quantity = read_quantity(value, path + "." + name, reading)) out.emplace(name, quantity->amount);
  }
  return out;
}

DeviceTaint read_taint(const Tree& tree) {
  return {tree["key"].text(),
          tree["value"].text(),
          tree["effect"].text(),
          parse_instant(tree["timeAdded"].text()),
          {}};
}

DeviceToleration read_toleration(const Tree& tree) {
  return {tree["key"].text(), tree["operator"].text(), tree["value"].text(), tree["effect"].text(),
          tree["tolerationSeconds"].as_int()};
}

std::vector<DeviceSelector> read_selectors(const Tree& tree) {
  std::vector<DeviceSelector> out;
  for (const Tree& item : tree.items()) {
    const Tree& cel = item["cel"];
    out.push_back({cel.is_map() ? std::optional(cel["expression"].text()) : std::nullopt,
                   cel.is_map() ? cel["expression"].line : item.line});
  }
  return out;
}

std::vector<DeviceConfig> read_configs(const Tree& tree) {
  std::vector<DeviceConfig> out;
  for (const Tree& item : tree.items()) {
    const Tree& opaque = item["opaque"];
    out.push_back({read_strings(item["requests"]), opaque["driver"].text(),
                   opaque.has("parameters") ? json_text(opaque["parameters"]) : std::string()});
  }
  return out;
}

}  // namespace etiage::formats::dra
