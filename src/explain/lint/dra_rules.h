#pragma once
// Rules over objects of resource.k8s.io and the pods that use them.

#include <string>
#include <vector>

#include "engines/dra/allocator.h"
#include "explain/lint/lint.h"

namespace etiage::explain {

void lint_dra(const LintInput& input, Diagnostics& out);

/// A claim or a template: what both have.
struct ClaimSite {
  const ObjectMeta* meta = nullptr;
  const ClaimSpec* spec = nullptr;
  bool is_template = false;

  std::string label() const {
    return (is_template ? "ResourceClaimTemplate " : "ResourceClaim ") + meta->name;
  }
};

/// One request or alternative with the place of its request.
struct AskSite {
  const DeviceAsk* ask = nullptr;
  std::string name;  ///< `request` or `request/subrequest`
  int line = 0;
};

std::vector<AskSite> asks_of(const ClaimSpec& spec);

/// What the sets of rules below share while they run. The allocator knows the fleet and remembers what
/// selectors say.
struct DraLint {
  const LintInput& input;
  dra::Allocator& allocator;
  std::vector<ClaimSite> claims;
  Diagnostics& out;

  void add(Severity severity, std::string code, const ObjectMeta& at, int line, std::string message,
           std::string hint = {}) const;
  bool has_fleet() const { return !allocator.fleet().devices().empty(); }
  /// Devices that class and selectors take, on any node.
  std::vector<std::uint32_t> devices_of(const DeviceAsk& ask) const;
};

void lint_slices(DraLint& lint);
void lint_selectors(DraLint& lint);
void lint_claims(DraLint& lint);
void lint_searches(DraLint& lint);
void lint_pods(DraLint& lint);
void lint_extended_resources(DraLint& lint);

}  // namespace etiage::explain
