#pragma once
// Amounts as Volcano reckons with them (pkg/scheduler/api/resource_info.go, v1.15): CPU and whatever is not
// memory or pods in thousandths, in doubles. CPU and memory are always there; of the others it matters
// whether one is named.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engines/placement/amounts.h"

namespace etiage::placement::volcano {

struct Resource {
  double cpu = 0, memory = 0;
  std::map<std::string, double, std::less<>> scalars;

  double of(std::string_view name) const;
  bool operator==(const Resource&) const = default;
};

/// Below this two amounts are taken for equal.
inline constexpr double kLeast = 0.1;
/// Counted for each pod; never compared with what a queue may have.
inline constexpr std::string_view kPods = "pods";

/// Resources that Volcano does not count, such as limits of objects, are left out.
Resource resource_of(const Amounts& amounts);
/// CPU in cores, everything else in whole units, without pods and what is zero.
Amounts amounts_of(const Resource& resource);

void add(Resource& to, const Resource& more, double sign = 1);
Resource times(const Resource& resource, double factor);
/// What `left` has beyond `right`, never negative.
Resource beyond(const Resource& left, const Resource& right);
Resource highest(const Resource& a, const Resource& b);

enum class Unnamed { kZero, kInfinite };
/// Lowers `resource` to `limit`; `unnamed`: what the limit does not name.
void cap(Resource& resource, const Resource& limit, Unnamed unnamed);

/// In every resource, give or take `kLeast`; what `more` does not name is zero.
bool fits(const Resource& less, const Resource& more);
/// The resources of `asked` in which `amount` is above `limit`, to the last bit.
std::vector<std::string> exceeded(const Resource& amount, const Resource& limit, const Resource& asked);

/// Names with an amount, CPU and memory first.
std::vector<std::string> names_of(const Resource& resource);
/// Nothing but pods.
bool is_empty(const Resource& resource);
/// used / all; 1 where nothing is there and something is used.
double share_of(double used, double all);

}  // namespace etiage::placement::volcano
