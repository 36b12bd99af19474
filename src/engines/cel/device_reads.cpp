#include "engines/cel/device_reads.h"

#include <algorithm>

namespace etiage::cel {
namespace {

bool is_name(const Qualifier& q) {
  return q.computed == kNoIndex && q.key.is(Kind::kString);
}

/// What steps by names lead to in `device`, if it is one of its values.
std::optional<DeviceName> device_name(const std::vector<Qualifier>& steps) {
  using enum DeviceName::Section;
  if (steps.size() == 1 && steps[0].key.text() == "driver") return DeviceName{kDriver, {}, {}};
  if (steps.size() != 3) return std::nullopt;
  const std::string& section = steps[0].key.text();
  if (section != "attributes" && section != "capacity") return std::nullopt;
  return DeviceName{section == "capacity" ? kCapacity : kAttributes, steps[1].key.text(),
                    steps[2].key.text()};
}

ExprId id_of(const Program& program, AttributeIndex i) {
  const Attribute& a = program.attributes[i];
  if (a.root == Attribute::Root::kConditional) {
    const ExprId yes = id_of(program, a.yes);
    return yes == id_of(program, a.no) ? yes : a.id;
  }
  return a.qualifiers.empty() ? a.id : a.qualifiers.back().id;
}

void link(const Program& program, Attribute& a) {
  a.last_id = id_of(program, static_cast<AttributeIndex>(&a - program.attributes.data()));
  if (a.root != Attribute::Root::kGlobal || a.name != "device") return;
  for (const Qualifier& q : a.qualifiers) {
    if (!is_name(q) || q.optional || q.test_only) return;
  }
  auto name = device_name(a.qualifiers);
  if (!name) return;
  const std::uint64_t hash = hash_of(*name);
  a.device_key = Attribute::DeviceKey{std::move(*name), hash};
}

}  // namespace

void link_attributes(Program& program) {
  for (Attribute& a : program.attributes) link(program, a);
}

std::optional<std::vector<DeviceName>> device_reads(const Program& program) {
  std::vector<DeviceName> out;
  for (const Attribute& a : program.attributes) {
    if (a.root != Attribute::Root::kGlobal || a.name != "device") continue;
    const std::vector<Qualifier>& steps = a.qualifiers;
    if (steps.empty() || !is_name(steps[0])) return std::nullopt;
    if (steps[0].key.text() == "allowMultipleAllocations") continue;  // part of every answer
    const std::size_t depth = steps[0].key.text() == "driver" ? 1 : std::min<std::size_t>(steps.size(), 3);
    const std::vector<Qualifier> first(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(depth));
    auto name = std::ranges::all_of(first, is_name) ? device_name(first) : std::nullopt;
    if (!name) return std::nullopt;
    if (std::ranges::find(out, *name) == out.end()) out.push_back(std::move(*name));
  }
  return out;
}

}  // namespace etiage::cel
