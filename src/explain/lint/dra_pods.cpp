// Pods that expect of claims what claims do not give: sharing through templates, preemption, bin packing.

#include <algorithm>
#include <map>

#include "engines/dra/extended_resources.h"
#include "explain/lint/dra_rules.h"

namespace etiage::explain {
namespace {

const ClaimSite* find_site(const DraLint& lint, const std::string& ns, const std::string& name,
                           bool is_template) {
  const auto found = std::ranges::find_if(lint.claims, [&](const ClaimSite& s) {
    return s.is_template == is_template && s.meta->ns == ns && s.meta->name == name;
  });
  return found == lint.claims.end() ? nullptr : &*found;
}

bool asks_for_sharing(const ClaimSpec& spec) {
  return std::ranges::any_of(spec.config,
                             [](const DeviceConfig& c) { return c.parameters.contains("\"sharing\""); });
}

void lint_references(DraLint& lint, const Pod& pod) {
  for (const PodClaim& entry : pod.spec.claims) {
    if (entry.claim.empty() == entry.claim_template.empty()) {
      lint.add(Severity::kError, "dra-pod-claim-source", pod.meta, 0,
               "Pod " + pod.meta.name + ": resource claim " + entry.name +
                   " must name either a claim or a template");
      continue;
    }
    const bool by_template = entry.claim.empty();
    const std::string& name = by_template ? entry.claim_template : entry.claim;
    if (!find_site(lint, pod.meta.ns, name, by_template))
      lint.add(Severity::kWarning, "dra-claim-missing", pod.meta, 0,
               "Pod " + pod.meta.name + ": there is no " +
                   (by_template ? "ResourceClaimTemplate " : "ResourceClaim ") + name + " in namespace " +
                   pod.meta.ns + " in these files");
  }
}

/// A template that sets up sharing, or that several pods name: each pod gets a claim of its own.
void lint_templates(DraLint& lint) {
  std::map<std::pair<std::string, std::string>, std::size_t> users;
  for (const Pod& pod : lint.input.cluster.pods)
    for (const PodClaim& entry : pod.spec.claims)
      if (!entry.claim_template.empty()) ++users[{pod.meta.ns, entry.claim_template}];
  for (const ClaimSite& site : lint.claims) {
    if (!site.is_template || !asks_for_sharing(*site.spec)) continue;
    const std::size_t pods = users[{site.meta->ns, site.meta->name}];
    lint.add(Severity::kWarning, "dra-template-cannot-share", *site.meta, 0,
             site.label() +
                 " sets up sharing, but each pod that names a template gets a claim and devices of its own" +
                 (pods > 1 ? "; " + std::to_string(pods) + " pods name it" : ""),
             "name one ResourceClaim in all pods that shall share");
  }
}

bool uses_claims(const DraLint& lint, const Pod& pod) {
  return !pod.spec.claims.empty() || dra::asks_for_backed_resources(pod, lint.allocator);
}

void lint_preemption(DraLint& lint) {
  for (const Pod& pod : lint.input.cluster.pods)
    if (uses_claims(lint, pod) && (!pod.spec.priority_class.empty() || pod.spec.priority.value_or(0) > 0))
      lint.add(
          Severity::kInfo, "dra-no-preemption", pod.meta, 0,
          "Pod " + pod.meta.name +
              " has a priority, but the scheduler preempts nobody to free devices of claims (up to 1.37)",
          "let a queue such as Kueue preempt workloads instead");
}

void lint_packing(DraLint& lint) {
  const bool any =
      std::ranges::any_of(lint.input.cluster.pods, [](const Pod& p) { return !p.spec.claims.empty(); }) ||
      !lint.claims.empty();
  if (!any) return;
  for (const Place& place : lint.input.most_allocated)
    lint.out.push_back({Severity::kInfo, "dra-no-bin-packing", place,
                        "MostAllocated does not see devices of claims: they are taken first fit, in the "
                        "order of drivers, pools and slices",
                        "order devices by the names of pools and slices, or ask for extended resources"});
}

}  // namespace

void lint_pods(DraLint& lint) {
  for (const Pod& pod : lint.input.cluster.pods) lint_references(lint, pod);
  lint_templates(lint);
  lint_preemption(lint);
  lint_packing(lint);
}

}  // namespace etiage::explain
