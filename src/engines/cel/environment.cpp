#include "engines/cel/environment.h"

#include <algorithm>
#include <array>
#include <mutex>

#include "engines/cel/messages.h"

namespace etiage::cel {
namespace {

/// Limits of resource.k8s.io, which bound the sizes that costs are estimated by.
constexpr std::uint64_t kDomainLength = 63, kIdLength = 32, kDriverLength = 63, kValueLength = 64,
                        kMapEntries = 32;

/// What a path into the device leads to, and how large it can be. Fields that are not declared are not known.
std::optional<Range> device_size(const Path& path) {
  if (path.empty() || path[0] != "device") return std::nullopt;
  if (path.size() == 1) return Range{};
  const std::string& field = path[1];
  const bool attributes = field == "attributes";
  if (!attributes && field != "capacity") {
    if (path.size() > 2) return std::nullopt;
    if (field == "driver") return Range{0, kDriverLength};
    return field == "allowMultipleAllocations" ? std::optional(Range{0, 1}) : std::nullopt;
  }
  const auto is_value = [&](std::size_t i) { return path[i] == "@values" || path[i] == "@items"; };
  if (path.size() == 2) return Range{0, kMapEntries};
  if (path[2] == "@keys") return path.size() == 3 ? std::optional(Range{0, kDomainLength}) : std::nullopt;
  if (!is_value(2) || path.size() > 4) return std::nullopt;
  if (path.size() == 3) return Range{0, kMapEntries};
  if (path[3] == "@keys") return Range{0, kIdLength};
  if (attributes) return Range{0, kValueLength};
  return is_value(3) ? std::optional(Range{}) : std::nullopt;
}

LibraryOptions library_options(const Environment& e) {
  const int minor = e.version.minor;
  LibraryOptions o;
  // A new object is compiled with what the release before knows too.
  o.lists = e.stored || minor >= 35;
  o.range_limit = minor >= 37 ? 1'000'000 : 0;
  o.refuses_negative_range = minor >= 37;
  o.includes = minor >= 36 && (e.stored || e.list_type_attributes);
  o.includes_limit = minor == 36 ? 48 : 0;
  o.int_to_duration = minor < 37;
  o.zone_minutes_checked = minor >= 37;
  return o;
}

Names make_names(const Environment& e, bool dyn_attributes) {
  Names n;
  const TypePtr string = simple_type(TypeKind::kString);
  const TypePtr attribute = simple_type(dyn_attributes ? TypeKind::kDyn : TypeKind::kAny);
  auto& device = n.objects["kubernetes.DRADevice"];
  device["driver"] = string;
  device["attributes"] = map_type(string, map_type(string, attribute));
  device["capacity"] = map_type(string, map_type(string, type_of("quantity")));
  if (e.stored || e.consumable_capacity) device["allowMultipleAllocations"] = simple_type(TypeKind::kBool);
  n.variables["device"] = struct_type("kubernetes.DRADevice");
  for (const char* name : {"bool", "bytes", "double", "int", "string", "uint", "type"})
    n.types[name] = type_of(name);
  n.types["list"] = type_of("list(dyn)");
  n.types["map"] = type_of("map(dyn, dyn)");
  n.types["null_type"] = type_of("null");
  for (const auto& [name, message] : message_types()) {
    n.types[std::string(name)] = type_of(message.value);
    n.objects[std::string(name)] = message.fields;
  }
  n.enums["google.protobuf.NullValue.NULL_VALUE"] = 0;
  n.types["optional_type"] = type_of("optional(dyn)");
  n.types["net.IP"] = type_of("ip");
  n.types["net.CIDR"] = type_of("cidr");
  n.types["kubernetes.DRADevice"] = struct_type("kubernetes.DRADevice");
  return n;
}

SelectorEnvironment make_environment(const Environment& e) {
  const int minor = e.version.minor;
  const bool dyn_attributes =
      minor >= 37 ? e.stored || e.list_type_attributes : minor == 36 && e.list_type_attributes;
  SelectorEnvironment out;
  out.names = make_names(e, dyn_attributes);
  out.functions = make_functions(library_options(e));
  out.syntax.escaped_identifiers = minor >= 37;
  out.syntax.sort_by = e.stored || minor >= 35;
  out.costs.size_at = device_size;
  out.costs.global_matches = minor >= 37;
  if (minor == 36) out.costs.includes_cost = Range{0, 48};
  out.dyn_results = dyn_attributes;
  out.takes_wrappers = minor >= 37;
  out.any_results = minor < 37 || !dyn_attributes;
  out.old_costs = minor < 37;
  out.list_attributes = minor >= 37 || (minor == 36 && e.list_type_attributes);
  return out;
}

}  // namespace

const SelectorEnvironment& selector_environment(const Environment& environment) {
  constexpr std::size_t kReleases = 4, kVariants = 8;
  static std::array<std::once_flag, kReleases * kVariants> made;
  static std::array<std::unique_ptr<const SelectorEnvironment>, kReleases * kVariants> environments;
  Environment e = environment;
  e.version.minor = std::clamp(e.version.minor, 34, 37);
  const std::size_t index = static_cast<std::size_t>(e.version.minor - 34) * kVariants +
                            (e.consumable_capacity ? 4u : 0u) + (e.list_type_attributes ? 2u : 0u) +
                            (e.stored ? 1u : 0u);
  std::call_once(made[index], [&] {
    environments[index] = std::make_unique<const SelectorEnvironment>(make_environment(e));
  });
  return *environments[index];
}

}  // namespace etiage::cel
