#include "engines/placement/volcano/resource.h"

#include <algorithm>
#include <cmath>

#include "engines/placement/kube/shape.h"

namespace etiage::placement::volcano {
namespace {

constexpr double kMilli = 1000;

/// Thousandths are whole numbers, rounded up, as Kubernetes has them.
double in_thousandths(double amount) {
  constexpr double kDust = 1e-6;
  return std::ceil(amount * kMilli - kDust);
}

bool at_most(double a, double b) {
  return a < b || std::fabs(a - b) < kLeast;
}

bool is_counted(std::string_view name) {
  return name == "ephemeral-storage" || (is_scalar_resource(name) && !name.starts_with("count/"));
}

}  // namespace

double Resource::of(std::string_view name) const {
  if (name == "cpu") return cpu;
  if (name == "memory") return memory;
  const auto it = scalars.find(name);
  return it == scalars.end() ? 0 : it->second;
}

Resource resource_of(const Amounts& amounts) {
  Resource out;
  for (const auto& [name, amount] : amounts) {
    if (name == "cpu")
      out.cpu = in_thousandths(amount);
    else if (name == "memory")
      out.memory = amount;
    else if (name == kPods)
      out.scalars[name] = amount;
    else if (is_counted(name))
      out.scalars[name] = in_thousandths(amount);
  }
  return out;
}

Amounts amounts_of(const Resource& resource) {
  Amounts out{{"cpu", resource.cpu / kMilli}, {"memory", resource.memory}};
  for (const auto& [name, amount] : resource.scalars)
    if (name != kPods) out[name] = amount / kMilli;
  std::erase_if(out, [](const auto& entry) { return entry.second == 0; });
  return out;
}

void add(Resource& to, const Resource& more, double sign) {
  to.cpu += sign * more.cpu;
  to.memory += sign * more.memory;
  for (const auto& [name, amount] : more.scalars) to.scalars[name] += sign * amount;
}

Resource times(const Resource& resource, double factor) {
  Resource out{resource.cpu * factor, resource.memory * factor, resource.scalars};
  for (auto& [name, amount] : out.scalars) amount *= factor;
  return out;
}

Resource beyond(const Resource& left, const Resource& right) {
  Resource out{std::max(left.cpu - right.cpu, 0.0), std::max(left.memory - right.memory, 0.0), {}};
  for (const auto& [name, amount] : left.scalars) out.scalars[name] = std::max(amount - right.of(name), 0.0);
  return out;
}

Resource highest(const Resource& a, const Resource& b) {
  Resource out{std::max(a.cpu, b.cpu), std::max(a.memory, b.memory), a.scalars};
  for (const auto& [name, amount] : b.scalars) out.scalars[name] = std::max(out.scalars[name], amount);
  return out;
}

void cap(Resource& resource, const Resource& limit, Unnamed unnamed) {
  resource.cpu = std::min(resource.cpu, limit.cpu);
  resource.memory = std::min(resource.memory, limit.memory);
  for (auto& [name, amount] : resource.scalars) {
    if (limit.scalars.contains(name))
      amount = std::min(amount, limit.of(name));
    else if (unnamed == Unnamed::kZero)
      amount = 0;
  }
}

bool fits(const Resource& less, const Resource& more) {
  return at_most(less.cpu, more.cpu) && at_most(less.memory, more.memory) &&
         std::ranges::all_of(less.scalars,
                             [&](const auto& s) { return at_most(s.second, more.of(s.first)); });
}

std::vector<std::string> exceeded(const Resource& amount, const Resource& limit, const Resource& asked) {
  std::vector<std::string> out;
  if (asked.cpu > 0 && amount.cpu > limit.cpu) out.push_back("cpu");
  if (asked.memory > 0 && amount.memory > limit.memory) out.push_back("memory");
  for (const auto& [name, wanted] : asked.scalars)
    if (name != kPods && wanted > 0 && amount.of(name) > limit.of(name)) out.push_back(name);
  return out;
}

std::vector<std::string> names_of(const Resource& resource) {
  std::vector<std::string> out;
  if (resource.cpu >= kLeast) out.push_back("cpu");
  if (resource.memory >= kLeast) out.push_back("memory");
  for (const auto& [name, amount] : resource.scalars)
    if (amount >= kLeast) out.push_back(name);
  return out;
}

bool is_empty(const Resource& resource) {
  return std::ranges::all_of(names_of(resource), [](const std::string& name) { return name == kPods; });
}

double share_of(double used, double all) {
  if (all != 0) return used / all;
  return used == 0 ? 0 : 1;
}

}  // namespace etiage::placement::volcano
