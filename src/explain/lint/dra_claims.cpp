// Requests and constraints that cannot be satisfied, or mean something else than they seem to.

#include <algorithm>
#include <map>
#include <set>

#include "explain/lint/dra_rules.h"

namespace etiage::explain {
namespace {

constexpr std::int64_t kMaxResults = 32;

class ClaimRules {
 public:
  ClaimRules(DraLint& lint, const ClaimSite& site) : lint_(lint), site_(site) {}

  void run() {
    for (const AskSite& ask : asks_of(*site_.spec)) {
      check_class(ask);
      check_capacity(ask);
      check_count(ask);
      check_gates(ask);
    }
    check_total();
    for (std::size_t i = 0; i < site_.spec->constraints.size(); ++i)
      check_constraint(i, site_.spec->constraints[i]);
    check_names();
  }

 private:
  void add(Severity severity, std::string code, int line, std::string message, std::string hint = {}) const {
    lint_.add(severity, std::move(code), *site_.meta, line, site_.label() + ": " + message, std::move(hint));
  }
  const dra::Fleet& fleet() const { return lint_.allocator.fleet(); }

  void check_class(const AskSite& ask) const {
    if (ask.ask->device_class.empty()) {
      add(Severity::kError, "dra-class-missing", ask.line, "request " + ask.name + " names no DeviceClass");
    } else if (!lint_.allocator.classes().contains(ask.ask->device_class)) {
      add(Severity::kError, "dra-class-missing", ask.line,
          "request " + ask.name + ": there is no DeviceClass " + ask.ask->device_class + " in these files",
          "pods wait with \"device class " + ask.ask->device_class + " does not exist\"");
    } else if (lint_.has_fleet()) {
      check_any_device(ask);
    }
  }

  void check_any_device(const AskSite& ask) const {
    if (!lint_.devices_of(*ask.ask).empty()) return;
    add(Severity::kWarning, "dra-no-devices", ask.line,
        "request " + ask.name + ": no published device satisfies it",
        "a node pool at zero publishes no slices, so a cluster autoscaler cannot know that it would help");
  }

  void check_capacity(const AskSite& ask) const {
    if (!ask.ask->capacity) return;
    if (!lint_.input.behaviour.gates.consumable_capacity)
      add(Severity::kWarning, "dra-gate-off", ask.line,
          "request " + ask.name + " asks for capacity, but DRAConsumableCapacity is off");
    for (const auto& [name, amount] : *ask.ask->capacity) {
      const auto slash = name.find('/');
      if (slash == name.npos) continue;
      const std::string bare = name.substr(slash + 1);
      const bool published = std::ranges::any_of(
          fleet().devices(), [&](const auto& d) { return d.object->capacity.contains(name); });
      if (!published)
        add(Severity::kWarning, "dra-capacity-key-domain", ask.line,
            "request " + ask.name + ": capacity " + name +
                " is compared letter by letter, and drivers publish it as " + bare +
                ": every device is rejected without a word",
            "write " + bare);
    }
  }

  void check_count(const AskSite& ask) const {
    if (ask.ask->allocation_mode == "All" && !site_.spec->constraints.empty())
      add(Severity::kWarning, "dra-all-with-constraints", ask.line,
          "request " + ask.name +
              " asks for all devices under a constraint: one device that breaks it is an error that aborts "
              "the pod");
    if (ask.ask->allocation_mode != "ExactCount" || !lint_.has_fleet()) return;
    std::map<std::string, std::int64_t> by_node;
    std::int64_t most = 0;
    for (const std::uint32_t d : lint_.devices_of(*ask.ask)) {
      const auto& reach = fleet().slice_of(d).object->reach;
      if (!reach.node_name) return;  // reached from several nodes
      most = std::max(most, ++by_node[*reach.node_name]);
    }
    if (most > 0 && ask.ask->count > most)
      add(Severity::kError, "dra-count-exceeds-node", ask.line,
          "request " + ask.name + " asks for " + std::to_string(ask.ask->count) +
              " devices, and no node has more than " + std::to_string(most) + " that satisfy it");
  }

  void check_gates(const AskSite& ask) const {
    if (ask.ask->admin_access && !lint_.input.behaviour.gates.admin_access)
      add(Severity::kWarning, "dra-gate-off", ask.line,
          "request " + ask.name + " asks for admin access, but DRAAdminAccess is off");
    if (ask.ask->admin_access.value_or(false)) check_admin_namespace(ask);
    if (ask.name.contains('/') && !lint_.input.behaviour.gates.prioritized_list)
      add(Severity::kWarning, "dra-gate-off", ask.line,
          "request " + ask.name + " is one of firstAvailable, but DRAPrioritizedList is off");
  }

  /// Nothing is said where the files hold no Namespace of that name.
  void check_admin_namespace(const AskSite& ask) const {
    static constexpr std::string_view kLabel = "resource.kubernetes.io/admin-access";
    const auto& all = lint_.input.queues.namespaces;
    const auto found = std::ranges::find(all, site_.meta->ns, [](const Namespace& n) { return n.meta.name; });
    if (found == all.end()) return;
    const auto label = found->meta.labels.find(kLabel);
    if (label != found->meta.labels.end() && label->second == "true") return;
    add(Severity::kError, "dra-admin-access-namespace", ask.line,
        "request " + ask.name + " asks for admin access, but namespace " + site_.meta->ns +
            " is not labelled for it: the API server refuses the claim",
        "kubectl label namespace " + site_.meta->ns + " " + std::string(kLabel) + "=true");
  }

  void check_total() const {
    std::int64_t least = 0;
    for (const DeviceRequest& request : site_.spec->requests) {
      std::int64_t fewest = request.exactly ? count_of(*request.exactly) : kMaxResults + 1;
      for (const DeviceSubRequest& sub : request.first_available)
        fewest = std::min(fewest, count_of(sub.ask));
      least += request.exactly || !request.first_available.empty() ? std::min(fewest, kMaxResults + 1) : 0;
    }
    if (least > kMaxResults)
      add(Severity::kError, "dra-too-many-devices", 0,
          "asks for at least " + std::to_string(least) + " devices; a claim can hold 32");
  }

  static std::int64_t count_of(const DeviceAsk& ask) {
    return ask.allocation_mode == "ExactCount" ? ask.count : 1;
  }

  void check_constraint(std::size_t index, const DeviceConstraint& c) const {
    const std::string label = "constraint " + std::to_string(index);
    if (c.kind == DeviceConstraint::Kind::kUnknown) {
      add(Severity::kError, "dra-constraint-empty", 0,
          label + " has neither matchAttribute nor distinctAttribute");
      return;
    }
    if (c.kind == DeviceConstraint::Kind::kDistinctAttribute) check_distinct(label, c);
    if (!c.attribute.contains('/'))
      add(Severity::kError, "dra-attribute-not-qualified", 0,
          label + ": " + c.attribute + " has no domain; constraints need domain/name");
    if (lint_.has_fleet()) check_attribute(label, c);
  }

  void check_distinct(const std::string& label, const DeviceConstraint& c) const {
    const dra::Behaviour& b = lint_.input.behaviour;
    if (!b.knows_distinct_attribute) {
      add(Severity::kError, "dra-distinct-unknown", 0,
          label + ": the allocator that these gates choose in 1." + std::to_string(b.version.minor) +
              " does not know distinctAttribute and aborts the pod");
    } else if (b.distinct_never_equal) {
      add(Severity::kWarning, "dra-distinct-without-effect", 0,
          label + ": distinctAttribute has no effect in 1.34");
    } else if (b.distinct_per_request) {
      for (const AskSite& ask : asks_of(*site_.spec))
        if (ask.ask->count > 2 &&
            (c.requests.empty() || std::ranges::find(c.requests, ask.name) != c.requests.end()))
          add(Severity::kWarning, "dra-distinct-compares-last", ask.line,
              label + ": up to 1.36 only the last device of request " + ask.name +
                  " is compared, so a, b, a passes");
    }
  }

  void check_attribute(const std::string& label, const DeviceConstraint& c) const {
    std::map<std::string, std::set<std::size_t>> kinds;  // by driver: variant indices, 0 stands for none
    for (const AskSite& ask : asks_of(*site_.spec)) {
      const std::string base = ask.name.substr(0, ask.name.find('/'));
      const bool affected = c.requests.empty() || std::ranges::find(c.requests, base) != c.requests.end() ||
                            std::ranges::find(c.requests, ask.name) != c.requests.end();
      if (!affected) continue;
      for (const std::uint32_t d : lint_.devices_of(*ask.ask)) {
        const std::string& driver = fleet().slice_of(d).object->driver;
        const DeviceAttribute* value = dra::find_attribute(*fleet().devices()[d].object, driver, c.attribute);
        kinds[driver].insert(value ? value->index() : 0);
      }
    }
    std::set<std::size_t> all;
    for (const auto& [driver, found] : kinds) {
      if (found == std::set<std::size_t>{0})
        add(Severity::kError, "dra-constraint-attribute-missing", 0,
            label + ": no device of driver " + driver + " has " + c.attribute +
                "; none of them can be taken");
      else if (found.contains(0))
        add(Severity::kInfo, "dra-constraint-attribute-missing", 0,
            label + ": some devices of driver " + driver + " have no " + c.attribute +
                " and are never taken");
      all.insert(found.begin(), found.end());
    }
    all.erase(0);
    if (all.size() > 1)
      add(Severity::kWarning, "dra-constraint-attribute-types", 0,
          label + ": " + c.attribute + " is not of one type over the drivers; different types never match");
  }

  /// Constraints and configs that speak of requests which do not exist.
  void check_names() const {
    std::set<std::string> known;
    for (const DeviceRequest& r : site_.spec->requests) {
      if (!known.insert(r.name).second)
        add(Severity::kError, "dra-request-twice", r.line, "request " + r.name + " stands there twice");
      for (const DeviceSubRequest& s : r.first_available) known.insert(r.name + "/" + s.name);
      if (!r.exactly && r.first_available.empty())
        add(Severity::kError, "dra-request-empty", r.line,
            "request " + r.name + " has neither exactly nor firstAvailable");
    }
    std::set<std::string> named;
    for (const DeviceConstraint& c : site_.spec->constraints)
      named.insert(c.requests.begin(), c.requests.end());
    for (const DeviceConfig& c : site_.spec->config) named.insert(c.requests.begin(), c.requests.end());
    for (const std::string& name : named)
      if (!known.contains(name))
        add(Severity::kError, "dra-unknown-request", 0,
            "a constraint or config speaks of request " + name + ", which does not exist");
  }

  DraLint& lint_;
  const ClaimSite& site_;
};

}  // namespace

void lint_claims(DraLint& lint) {
  for (const ClaimSite& site : lint.claims) ClaimRules(lint, site).run();
}

}  // namespace etiage::explain
