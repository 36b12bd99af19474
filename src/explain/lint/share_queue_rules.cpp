// Volcano and KAI: queues whose shares never come back, or were never given.

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>

#include "explain/lint/scheduling_rules.h"

namespace etiage::explain {
namespace {

Place place_of(const LintObject& object) {
  return {object.file, object.tree.line, 0, {}};
}

/// What scheduler of Volcano a configuration makes.
struct VolcanoPlan {
  std::set<std::string> actions, plugins;
  const Tree* binpack = nullptr;  ///< its arguments
};

VolcanoPlan plan_of(const Tree& configuration) {
  VolcanoPlan out;
  std::istringstream actions(configuration["actions"].text());
  for (std::string action; std::getline(actions, action, ',');) {
    std::erase(action, ' ');
    out.actions.insert(action);
  }
  for (const Tree& tier : configuration["tiers"].items())
    for (const Tree& plugin : tier["plugins"].items()) {
      out.plugins.insert(plugin["name"].text());
      if (plugin["name"].text() == "binpack") out.binpack = &plugin["arguments"];
    }
  return out;
}

class VolcanoLint {
 public:
  VolcanoLint(const LintInput& input, Diagnostics& out) : input_(input), out_(out) {}

  void run() {
    for (const LintObject& o : input_.volcano_configurations) check_configuration(o);
    for (const LintObject& o : input_.volcano_queues) check_queue(o);
    if (input_.volcano_configurations.empty() && shares())
      add(Severity::kInfo, "volcano-no-reclaim", input_.volcano_queues.front(),
          "Volcano's stock configuration has neither reclaim nor preempt among its actions: what other "
          "queues have "
          "taken beyond their share does not come back");
  }

 private:
  /// Queues that may take from each other.
  bool shares() const { return input_.volcano_queues.size() > 1; }

  void check_configuration(const LintObject& o) {
    const VolcanoPlan plan = plan_of(o.tree);
    if (!plan.actions.contains("reclaim"))
      add(shares() ? Severity::kWarning : Severity::kInfo, "volcano-no-reclaim", o,
          "no action reclaim: a queue gets its deserved share back only as the jobs of others end",
          "actions: \"enqueue, allocate, backfill, reclaim, preempt\"");
    if (!plan.actions.contains("preempt"))
      add(Severity::kInfo, "volcano-no-preempt", o,
          "no action preempt: a job of high priority waits for those of its own queue",
          "add preempt to actions");
    if (plan.plugins.contains("capacity") && plan.plugins.contains("proportion"))
      add(Severity::kError, "volcano-capacity-and-proportion", o,
          "the plugins capacity and proportion both decide what queues deserve", "keep one of them");
    if (plan.binpack && (*plan.binpack)["binpack.resources"].text().find("nvidia.com/") == std::string::npos)
      add(Severity::kWarning, "volcano-binpack-no-gpu", o,
          "binpack counts CPU and memory alone: GPUs do not enter its score",
          "binpack.resources: nvidia.com/gpu and binpack.resources.nvidia.com/gpu: 10 among its arguments");
  }

  void check_queue(const LintObject& o) {
    const Tree& spec = o.tree["spec"];
    const std::string name = "Queue " + o.tree["metadata"]["name"].text();
    const Tree& guarantee = spec["guarantee"]["resource"];
    if (!guarantee.members().empty() && !spec.has("deserved"))
      add(Severity::kError, "volcano-guarantee", o,
          name + " guarantees without deserved: Volcano's webhook refuses it",
          "deserved at least as large as guarantee");
    constexpr std::int64_t kHeaviest = 65535;  // 0 becomes the default
    if (const auto weight = spec["weight"].as_int(); weight && (*weight < 0 || *weight > kHeaviest))
      add(Severity::kError, "volcano-queue-weight", o,
          fmt::format("{}: weight {} is not from 1 to {}: the API server refuses it", name, *weight,
                      kHeaviest));
    at_most(o, name, guarantee, "guarantee", spec["deserved"], "deserved");
    at_most(o, name, spec["deserved"], "deserved", spec["capability"], "capability");
    if (spec["reclaimable"].as_bool() == false)
      add(Severity::kInfo, "volcano-not-reclaimable", o,
          name + " is not reclaimable: what it takes beyond its share stays with it");
  }

  void at_most(const LintObject& o, const std::string& name, const Tree& less, const char* less_name,
               const Tree& more, const char* more_name) {
    for (const auto& [resource, amount] : less.members()) {
      const auto low = Quantity::parse(amount.text()), high = Quantity::parse(more[resource].text());
      if (low && high && *low > *high)
        add(Severity::kError, "volcano-queue-amounts", o,
            fmt::format("{}: {} of {} is above {}: Volcano's webhook refuses it", name, less_name, resource,
                        more_name));
    }
  }

  void add(Severity severity, std::string code, const LintObject& at, std::string message,
           std::string hint = "") {
    out_.push_back({severity, std::move(code), place_of(at), std::move(message), std::move(hint)});
  }

  const LintInput& input_;
  Diagnostics& out_;
};

}  // namespace

void lint_volcano(const LintInput& input, Diagnostics& out) {
  VolcanoLint(input, out).run();
}

void lint_kai(const LintInput& input, Diagnostics& out) {
  for (const LintObject& o : input.kai_queues)
    for (const char* resource : {"gpu", "cpu", "memory"}) {
      const Tree& amounts = o.tree["spec"]["resources"][resource];
      const auto quota = amounts["quota"].as_double(), limit = amounts["limit"].as_double();
      if (!quota || *quota == 0 || limit.value_or(0) != 0) continue;
      out.push_back(
          {Severity::kWarning, "kai-no-over-quota", place_of(o),
           fmt::format("Queue {}: {} has a quota and no limit, which means that it never gets more than "
                       "its quota, however idle the cluster is",
                       o.tree["metadata"]["name"].text(), resource),
           "limit: -1 for no limit"});
    }
}

}  // namespace etiage::explain
