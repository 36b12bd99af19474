#include "engines/quota/reason.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/quota/resources.h"

namespace etiage::quota {

namespace {

/// A condition's message holds no more than this (apimachinery); longer texts end in an ellipsis.
constexpr std::size_t kLongestMessage = 32 * 1024;

std::string reason_text(const Reason& r, const Names<FlavorId>& flavors, const Names<ResourceId>& resources) {
  if (r.kind == Reason::Kind::kText) return r.text;
  const std::string& resource = resources[r.resource];
  if (r.kind == Reason::Kind::kUnavailable)
    return fmt::format("resource {} unavailable in ClusterQueue", resource);
  const std::string& flavor = flavors[r.flavor];
  if (r.kind == Reason::Kind::kMoreNeeded)
    return fmt::format("insufficient unused quota for {} in flavor {}, {} more needed", resource, flavor,
                       to_text(resource, r.a));
  return fmt::format(
      "insufficient quota for {} in flavor {}, previously considered podsets requests ({}) + current podset "
      "request ({}) > "
      "maximum capacity ({})",
      resource, flavor, to_text(resource, r.a), to_text(resource, r.b), to_text(resource, r.c));
}

/// At most one reason a pod set, told from numbers: equal texts have equal numbers.
bool is_plain(const StatusText& s) {
  return s.plain.empty() && std::all_of(s.faults.begin(), s.faults.end(), [](const auto& f) {
           return f.error.empty() && f.reasons.size() == 1 && f.reasons[0].kind != Reason::Kind::kText;
         });
}

}  // namespace

bool plainly_differ(const StatusText& a, const StatusText& b) {
  return a != b && is_plain(a) && is_plain(b);
}

std::string to_text(const StatusText& status, const std::vector<std::string>& pod_set_names,
                    const Names<FlavorId>& flavors, const Names<ResourceId>& resources) {
  std::string out = status.plain;
  for (const auto& fault : status.faults) {
    if (!fault.error.empty())
      return fmt::format("failed to assign flavors to pod set {}: {}", pod_set_names[fault.pod_set],
                         fault.error);
    std::vector<std::string> texts;
    for (const Reason& r : fault.reasons) texts.push_back(reason_text(r, flavors, resources));
    std::sort(texts.begin(), texts.end());
    out += fmt::format("{}couldn't assign flavors to pod set {}: {}", out.empty() ? "" : "; ",
                       pod_set_names[fault.pod_set], fmt::join(texts, ", "));
  }
  if (status.preempting > 0)
    out += fmt::format(". Pending the preemption of {} workload(s)", status.preempting);
  if (out.size() > kLongestMessage) out = out.substr(0, kLongestMessage - 3) + "...";
  return out;
}

}  // namespace etiage::quota
