#include "formats/kube/resources.h"

#include "base/quantity.h"

namespace etiage::formats {

void FieldReading::refuse(const Tree& at, const std::string& path, std::string message) const {
  diagnostics.push_back(
      {Severity::kError, "bad-field", {file, at.line, 0, path}, object + ": " + std::move(message), {}});
}

ResourceList read_resource_list(const Tree& tree, const std::string& path, const FieldReading& reading) {
  ResourceList out;
  for (const auto& [name, value] : tree.members()) {
    if (auto quantity = Quantity::parse(value.text())) {
      out.insert_or_assign(name, *quantity);
    } else {
      reading.refuse(value, path + "." + name,
                     "'" + value.text() + "' is not a quantity: " + quantity.error().message);
    }
  }
  return out;
}

}  // namespace etiage::formats
