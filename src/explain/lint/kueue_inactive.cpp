// What keeps a ClusterQueue from ever being active, by the reasons of its condition Active.

#include <algorithm>
#include <fmt/format.h>

#include "explain/lint/kueue_rules.h"

namespace etiage::explain {

namespace {

constexpr const char* kMultiKueue = "kueue.x-k8s.io/multikueue";
constexpr const char* kProvisioning = "kueue.x-k8s.io/provisioning-request";

class Activity {
 public:
  Activity(const QueueObjects& objects, const ClusterQueue& queue, Diagnostics& out)
      : o_(objects), q_(queue), out_(out) {}

  void check() {
    check_flavors();
    check_checks();
    if (q_.stop != StopPolicy::kNone)
      add(Severity::kWarning, "stopped", "spec.stopPolicy",
          q_.stop == StopPolicy::kHold ? "is stopped: it admits nothing"
                                       : "is stopped: it admits nothing and evicts what runs",
          "stopPolicy: None");
  }

 private:
  void add(Severity severity, const char* code, const char* path, const std::string& what, std::string hint) {
    Place place = q_.meta.place;
    place.path = path;
    out_.push_back({severity, std::string("kueue-") + code, std::move(place),
                    fmt::format("ClusterQueue {} {}", q_.meta.name, what), std::move(hint)});
  }
  void missing(const char* what, const char* code, const std::string& name) {
    add(Severity::kError, code, "spec", fmt::format("is inactive: there is no {} {}", what, name),
        fmt::format("create it, or take {} out", name));
  }
  const ResourceFlavor* flavor(const std::string& name) const {
    const auto it = std::ranges::find(o_.flavors, name, [](const auto& f) { return f.meta.name; });
    return it == o_.flavors.end() ? nullptr : &*it;
  }
  const AdmissionCheck* admission_check(const std::string& name) const {
    const auto it = std::ranges::find(o_.admission_checks, name, [](const auto& c) { return c.meta.name; });
    return it == o_.admission_checks.end() ? nullptr : &*it;
  }
  void check_flavors();
  void check_checks();

  const QueueObjects& o_;
  const ClusterQueue& q_;
  Diagnostics& out_;
};

/// A file that holds queues alone says nothing about flavors, one without topologies nothing about those.
void Activity::check_flavors() {
  if (o_.flavors.empty()) return;
  for (const ResourceGroup& g : q_.resource_groups)
    for (const FlavorQuotas& f : g.flavors) {
      const ResourceFlavor* found = flavor(f.flavor);
      if (!found) {
        missing("ResourceFlavor", "missing-ResourceFlavor", f.flavor);
        continue;
      }
      const auto named = [&](const Topology& t) { return t.meta.name == found->topology; };
      if (!found->topology.empty() && !o_.topologies.empty() && std::ranges::none_of(o_.topologies, named))
        missing("Topology", "missing-Topology", found->topology);
    }
}

void Activity::check_checks() {
  if (o_.admission_checks.empty()) return;
  std::size_t multi_kueue = 0, provisioning = 0;
  for (const AdmissionCheckRule& rule : q_.admission_checks) {
    const AdmissionCheck* check = admission_check(rule.name);
    if (!check) {
      missing("AdmissionCheck", "missing-AdmissionCheck", rule.name);
      continue;
    }
    multi_kueue += check->controller == kMultiKueue;
    provisioning += check->controller == kProvisioning;
    const auto inactive = [](const Condition& c) { return c.type == "Active" && c.status != "True"; };
    if (std::ranges::any_of(check->conditions, inactive))
      add(Severity::kError, "inactive-check", "spec.admissionChecksStrategy",
          fmt::format("is inactive: AdmissionCheck {} is not Active", rule.name),
          "see why in its condition Active");
    if (check->controller == kMultiKueue && !rule.on_flavors.empty())
      add(Severity::kError, "multikueue-per-flavor", "spec.admissionChecksStrategy",
          fmt::format("is inactive: the MultiKueue check {} is applied per flavor", rule.name),
          "take onFlavors out: MultiKueue sends whole workloads");
  }
  if (multi_kueue > 1)
    add(Severity::kError, "multikueue-twice", "spec.admissionChecksStrategy",
        fmt::format("is inactive: it has {} MultiKueue checks", multi_kueue), "keep one");
  if (multi_kueue > 0 && provisioning > 0)
    add(Severity::kError, "multikueue-provisioning", "spec.admissionChecksStrategy",
        "is inactive: MultiKueue and ProvisioningRequest checks exclude each other",
        "let the worker clusters' own ClusterQueues ask for provisioning");
}

}  // namespace

void lint_activity(const QueueObjects& objects, Diagnostics& out) {
  for (const ClusterQueue& q : objects.cluster_queues) Activity(objects, q, out).check();
}

}  // namespace etiage::explain
