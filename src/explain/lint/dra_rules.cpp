#include "explain/lint/dra_rules.h"

#include <algorithm>

namespace etiage::explain {

void DraLint::add(Severity severity, std::string code, const ObjectMeta& at, int line, std::string message,
                  std::string hint) const {
  Place place = at.place;
  if (line > 0) place.line = line;
  out.push_back({severity, std::move(code), std::move(place), std::move(message), std::move(hint)});
}

std::vector<AskSite> asks_of(const ClaimSpec& spec) {
  std::vector<AskSite> out;
  for (const DeviceRequest& request : spec.requests) {
    if (request.exactly) out.push_back({&*request.exactly, request.name, request.line});
    for (const DeviceSubRequest& sub : request.first_available)
      out.push_back({&sub.ask, request.name + "/" + sub.name, request.line});
  }
  return out;
}

std::vector<std::uint32_t> DraLint::devices_of(const DeviceAsk& ask) const {
  std::vector<std::uint32_t> out;
  const auto found = allocator.classes().find(ask.device_class);
  if (found == allocator.classes().end()) return out;
  auto& answers = allocator.answers();
  std::vector<dra::SelectorAnswers::Handle> handles;
  for (const auto* list : {&found->second->selectors, &ask.selectors})
    for (const DeviceSelector& s : *list) handles.push_back(answers.compile(s.cel.value_or("")));
  for (std::uint32_t d = 0; d < allocator.fleet().devices().size(); ++d)
    if (std::ranges::all_of(handles, [&](auto h) {
          return answers.selector(h).ok() && answers.ask(h, d) == cel::Outcome::kTrue;
        }))
      out.push_back(d);
  return out;
}

void lint_dra(const LintInput& input, Diagnostics& out) {
  const DraObjects& objects = input.cluster.dra;
  dra::Allocator allocator(input.behaviour, objects.slices, objects.taint_rules, objects.classes);
  DraLint lint{input, allocator, {}, out};
  for (const ResourceClaim& claim : objects.claims) lint.claims.push_back({&claim.meta, &claim.spec, false});
  for (const ResourceClaimTemplate& t : objects.templates) lint.claims.push_back({&t.meta, &t.spec, true});
  lint_slices(lint);
  lint_selectors(lint);
  lint_claims(lint);
  lint_searches(lint);
  lint_pods(lint);
  lint_extended_resources(lint);
}

}  // namespace etiage::explain
