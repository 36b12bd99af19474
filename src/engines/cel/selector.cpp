#include "engines/cel/selector.h"

namespace etiage::cel {

Environment default_environment(KubernetesVersion version, bool stored) {
  return {.version = version, .consumable_capacity = version.minor >= 36, .stored = stored};
}

std::string with_hint(std::string message, KubernetesVersion version) {
  if (version.minor >= 37 && message.find("no such key:") != std::string::npos) {
    message +=
        ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() "
        "for optional fields";
  }
  return message;
}

class Program {};
class DeviceRecord {};

Selector compile_selector(std::string_view expression, const Environment&) {
  return {.expression = std::string(expression), .compile_error = "not compiled yet"};
}
PreparedDevice prepare_device(std::string_view, const Device&, const Environment&) {
  return {};
}
Verdict evaluate(const Selector&, const PreparedDevice&) {
  return {Outcome::kError, "not evaluated yet", {}};
}
Outcome matches(const Selector&, const PreparedDevice&) {
  return Outcome::kError;
}
std::vector<Verdict> evaluate_clauses(const Selector&, const PreparedDevice&) {
  return {};
}
FleetMatch match_fleet(const Selector&, std::span<const PreparedDevice>) {
  return {};
}

}  // namespace etiage::cel
