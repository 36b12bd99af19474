#include "engines/placement/kube/messages.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace etiage::placement {
namespace {

std::string available(std::size_t nodes) {
  return fmt::format("0/{} nodes are available:", nodes);
}

std::string with_counts(std::size_t nodes, const std::map<std::string, std::size_t>& counts) {
  std::vector<std::string> parts;
  for (const auto& [reason, n] : counts) parts.push_back(fmt::format("{} {}", n, reason));
  std::ranges::sort(parts);
  return parts.empty() ? available(nodes) : fmt::format("{} {}.", available(nodes), fmt::join(parts, ", "));
}

std::map<std::string, std::size_t> count_reasons(const std::map<NodeIndex, Refusal>& refused) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [node, refusal] : refused)
    for (const std::string& reason : refusal.reasons) ++counts[reason];
  return counts;
}

}  // namespace

std::string no_node_message(std::size_t nodes, const std::map<NodeIndex, Refusal>& refused) {
  return with_counts(nodes, count_reasons(refused));
}

std::string no_node_message(std::size_t nodes, const Refusal& everywhere) {
  return fmt::format("{} {}.", available(nodes), fmt::join(everywhere.reasons, ", "));
}

std::string no_preemption_message(std::size_t nodes, const std::map<NodeIndex, Refusal>& tried) {
  auto counts = count_reasons(tried);
  if (tried.size() < nodes) counts["Preemption is not helpful for scheduling"] += nodes - tried.size();
  return with_counts(nodes, counts);
}

}  // namespace etiage::placement
