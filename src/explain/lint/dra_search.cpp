// Claims whose search keeps the scheduler busy until it times out: it tries every combination of devices, up
// to 1.35 every permutation, before it says that none fits (kubernetes#131730).

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "explain/lint/dra_rules.h"

namespace etiage::explain {
namespace {

constexpr double kTooManySteps = 1 << 20;
constexpr double kStepsPerSecond = 250'000;  ///< of the allocator of 1.37.2, measured
constexpr std::int64_t kManyDevices = 20;

/// Devices of one node that a request may take together, in groups that a matchAttribute keeps apart.
using Groups = std::map<std::string, std::int64_t>;

/// The ways to take `k` of `n`.
double ways(std::int64_t n, std::int64_t k, bool combinations) {
  double out = k <= n ? 1 : 0;
  for (std::int64_t i = 0; i < k && out > 0; ++i)
    out *= static_cast<double>(n - i) / (combinations ? static_cast<double>(i + 1) : 1.0);
  return out;
}

/// Steps of the search in one group: one for each choice of up to `k`.
double steps(std::int64_t n, std::int64_t k, bool combinations) {
  double out = 0;
  for (std::int64_t i = 1; i <= std::min(n, k); ++i) out += ways(n, i, combinations);
  return out;
}

class SearchRule {
 public:
  SearchRule(DraLint& lint, const ClaimSite& site) : lint_(lint), site_(site) {}

  void run() {
    std::map<std::string, double> before;  // by node: ways to satisfy the requests so far
    for (const AskSite& ask : asks_of(*site_.spec)) {
      if (ask.name.contains('/') || ask.ask->allocation_mode != "ExactCount" || ask.ask->count < 1) return;
      const auto nodes = groups_by_node(ask);
      if (!nodes) return;
      std::map<std::string, double> after;
      for (const auto& [node, groups] : *nodes) {
        const auto known = before.find(node);
        const double earlier = known == before.end() ? 1 : known->second;
        if (judge(ask, node, groups, earlier)) return;
        double found = 0;
        for (const auto& [value, size] : groups) found += ways(size, ask.ask->count, combinations());
        after[node] = earlier * found;
      }
      before = std::move(after);
    }
  }

 private:
  bool combinations() const { return lint_.input.behaviour.combinations; }

  /// True: the claim has its remark.
  bool judge(const AskSite& ask, const std::string& node, const Groups& groups, double earlier) const {
    const std::int64_t count = ask.ask->count;
    std::int64_t largest = 0;
    double total = 0;
    for (const auto& [value, size] : groups) {
      largest = std::max(largest, size);
      total += steps(size, count, combinations());
    }
    if (largest < count && earlier * total >= kTooManySteps) {
      lint_.add(Severity::kWarning, "dra-search-explodes", *site_.meta, ask.line,
                fmt::format("{}: request {} wants {} devices, and node {} has {} that can be taken together: "
                            "the scheduler tries about {:.2g} choices before it says so{}",
                            site_.label(), ask.name, count, node, largest, earlier * total,
                            seconds(earlier * total)),
                combinations() ? "ask for no more than a node has, or select fewer devices"
                               : "1.36 tries combinations, not permutations; or ask for fewer devices");
      return true;
    }
    if (largest >= count && count > kManyDevices) {
      lint_.add(
          Severity::kInfo, "dra-search-may-explode", *site_.meta, ask.line,
          fmt::format(
              "{}: request {} wants {} devices: where only {} are free, the scheduler tries about {:.2g} "
              "choices before it says so{}",
              site_.label(), ask.name, count, count - 1, steps(count - 1, count, combinations()),
              seconds(steps(count - 1, count, combinations()))));
      return true;
    }
    return false;
  }

  static std::string seconds(double steps) {
    const double s = steps / kStepsPerSecond;
    return s >= 10 ? "; it gives up after 10 s a node" : fmt::format(" ({:.0f} s)", s);
  }

  /// Nothing where devices are reached from several nodes.
  std::optional<std::map<std::string, Groups>> groups_by_node(const AskSite& ask) const {
    std::map<std::string, Groups> out;
    const dra::Fleet& fleet = lint_.allocator.fleet();
    for (const std::uint32_t d : lint_.devices_of(*ask.ask)) {
      const ResourceSlice& slice = *fleet.slice_of(d).object;
      if (!slice.reach.node_name) return std::nullopt;
      if (const auto group = group_of(ask, *fleet.devices()[d].object, slice.driver))
        ++out[*slice.reach.node_name][*group];
    }
    return out;
  }

  /// The values that constraints compare; nothing where the device has none and can never be taken.
  std::optional<std::string> group_of(const AskSite& ask, const Device& device,
                                      const std::string& driver) const {
    std::string out;
    for (const DeviceConstraint& c : site_.spec->constraints) {
      if (c.kind != DeviceConstraint::Kind::kMatchAttribute || !dra::affects(c, {ask.name, {}})) continue;
      const DeviceAttribute* value = dra::find_attribute(device, driver, c.attribute);
      if (!value) return std::nullopt;
      if (const auto* text = std::get_if<std::string>(value)) out += "s" + *text;
      if (const auto* version = std::get_if<SemanticVersion>(value)) out += "v" + version->text;
      if (const auto* number = std::get_if<std::int64_t>(value)) out += "i" + std::to_string(*number);
      if (const auto* flag = std::get_if<bool>(value)) out += *flag ? "b1" : "b0";
      out.push_back('\0');
    }
    return out;
  }

  DraLint& lint_;
  const ClaimSite& site_;
};

}  // namespace

void lint_searches(DraLint& lint) {
  if (!lint.has_fleet()) return;
  for (const ClaimSite& site : lint.claims) SearchRule(lint, site).run();
}

}  // namespace etiage::explain
