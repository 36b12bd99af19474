#include "engines/quota/checks.h"

#include <algorithm>

namespace etiage::quota {

namespace {

bool covers(const QueueCheck& check, FlavorId flavor) {
  return std::binary_search(check.flavors.begin(), check.flavors.end(), flavor);
}

bool covers_all(const QueueCheck& check, const QueueState& queue) {
  return std::all_of(queue.groups.begin(), queue.groups.end(), [&](const QueueGroup& g) {
    return std::all_of(g.flavors.begin(), g.flavors.end(), [&](FlavorId f) { return covers(check, f); });
  });
}

}  // namespace

bool applies(const QueueCheck& check, const QueueState& queue, const Grant* grant, const Release& release) {
  const auto of_all = [&](const QueueCheck& c) { return covers_all(c, queue); };
  if (!release.after_017() && std::all_of(queue.checks.begin(), queue.checks.end(), of_all)) return true;
  if (!grant) return release.after_017() && of_all(check);
  return std::any_of(grant->resources.begin(), grant->resources.end(),
                     [&](const Assigned& a) { return covers(check, a.flavor); });
}

bool all_checks_ready(const WorkloadState& w, const QueueState& queue, const Grant& grant,
                      const Release& release) {
  const auto known = [&](const QueueCheck& check) {
    return std::any_of(w.checks.begin(), w.checks.end(), [&](const auto& c) { return c.name == check.name; });
  };
  return std::all_of(queue.checks.begin(), queue.checks.end(),
                     [&](const QueueCheck& c) { return known(c) || !applies(c, queue, &grant, release); }) &&
         std::all_of(w.checks.begin(), w.checks.end(), [](const auto& c) { return c.state == "Ready"; });
}

}  // namespace etiage::quota
