#include "engines/dra/explain.h"

#include <algorithm>

#include "engines/dra/claim_changes.h"
#include "engines/dra/constraint_report.h"
#include "engines/dra/extended_resources.h"
#include "engines/dra/pod_nodes.h"

namespace etiage::dra {
namespace {

constexpr std::size_t kNodesListed = 1000;

NodeIdentity identity_of(const Node& node) {
  return {node.meta.name, node.meta.labels};
}

/// The plan of one ask without the checks that abort: what can be judged is judged.
AskPlan lenient_plan(Allocator& allocator, const DeviceAsk& ask, RequestName name) {
  AskPlan plan;
  plan.ask = &ask;
  plan.name = std::move(name);
  plan.count = ask.count;
  plan.wants_all = ask.allocation_mode == "All";
  if (const auto found = allocator.classes().find(ask.device_class); found != allocator.classes().end())
    plan.device_class = found->second;
  if (!plan.device_class) return plan;
  for (const DeviceSelector& s : plan.device_class->selectors)
    plan.class_selectors.push_back(allocator.answers().compile(s.cel.value_or("")));
  for (const DeviceSelector& s : ask.selectors)
    plan.selectors.push_back(allocator.answers().compile(s.cel.value_or("")));
  return plan;
}

cel::ClauseCount count_answers(Allocator& allocator, SelectorAnswers::Handle handle) {
  cel::ClauseCount out;
  for (std::uint32_t d = 0; d < allocator.fleet().devices().size(); ++d) {
    const cel::Outcome outcome = allocator.answers().ask(handle, d);
    ++(outcome == cel::Outcome::kTrue    ? out.matched
       : outcome == cel::Outcome::kFalse ? out.failed
                                         : out.errors);
  }
  return out;
}

SelectorTally tally(Allocator& allocator, SelectorAnswers::Handle handle, std::string owner,
                    std::size_t index) {
  const cel::Selector selector = allocator.answers().selector(handle);
  SelectorTally out{
      std::move(owner), index, selector.expression, selector.compile_error.value_or(""), {}, {}};
  if (!selector.ok()) return out;
  out.count = count_answers(allocator, handle);
  const std::vector<SelectorAnswers::Handle> clauses = allocator.answers().clause_handles(handle);
  for (std::size_t i = 0; i < clauses.size(); ++i)
    out.clauses.push_back({selector.clauses[i].text, count_answers(allocator, clauses[i])});
  return out;
}

/// One claim on some nodes.
class Explaining {
 public:
  Explaining(Allocator& allocator, const InUse& in_use, const ResourceClaim& claim,
             const std::vector<const Node*>& nodes)
      : allocator_(allocator), in_use_(in_use), claim_(claim), nodes_(nodes) {}

  Explanation run() {
    Explanation out;
    out.ns = claim_.meta.ns;
    out.claim = claim_.meta.name;
    out.allocated = claim_.allocation.has_value();
    try_nodes(out);
    for (const Node* node : nodes_) pools_.push_back(&allocator_.pools_on(identity_of(*node)));
    for (const DeviceRequest& request : claim_.spec.requests) {
      if (request.exactly) out.requests.push_back(explain_ask(*request.exactly, {request.name, {}}));
      for (const DeviceSubRequest& sub : request.first_available)
        out.requests.push_back(explain_ask(sub.ask, {sub.name, request.name}));
    }
    if (out.outcome != Attempt::Outcome::kAllocated) {
      report_constraints(allocator_, claim_, out.requests);
      out.changes = changes_that_help(allocator_, in_use_, claim_, nodes_, out.requests);
    }
    return out;
  }

 private:
  void try_nodes(Explanation& out) {
    out.message = nodes_.empty() ? "no node is to be tried" : "cannot allocate all claims";
    for (const Node* node : nodes_) {
      Attempt attempt = allocator_.allocate(identity_of(*node), {&claim_}, in_use_);
      if (out.nodes.size() < kNodesListed)
        out.nodes.push_back({node->meta.name, attempt.outcome, attempt.message});
      if (attempt.outcome == Attempt::Outcome::kNoFit) continue;
      out.outcome = attempt.outcome;
      out.message = attempt.message;
      if (attempt.outcome == Attempt::Outcome::kUnfitNode) continue;
      out.node = attempt.outcome == Attempt::Outcome::kAllocated ? node->meta.name : "";
      return;
    }
  }

  RequestExplanation explain_ask(const DeviceAsk& ask, RequestName name) {
    RequestExplanation out;
    out.name = name;
    out.device_class = ask.device_class;
    const AskPlan plan = lenient_plan(allocator_, ask, std::move(name));
    out.count = plan.count;
    out.wants_all = plan.wants_all;
    if (!plan.device_class) {
      out.fault = "device class " + ask.device_class + " does not exist";
      return out;
    }
    for (std::size_t i = 0; i < plan.class_selectors.size(); ++i)
      out.selectors.push_back(tally(allocator_, plan.class_selectors[i], "class " + ask.device_class, i));
    for (std::size_t i = 0; i < plan.selectors.size(); ++i)
      out.selectors.push_back(tally(allocator_, plan.selectors[i], "claim " + name_of(claim_), i));
    judge_devices(plan, out);
    return out;
  }

  void judge_devices(const AskPlan& plan, RequestExplanation& out) {
    const Fleet& fleet = allocator_.fleet();
    std::vector<DeviceVerdict> verdicts(fleet.devices().size());
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Scene scene{fleet,   *pools_[n],           allocator_.behaviour(), allocator_.classes(),
                        in_use_, allocator_.answers(), allocator_.shortlists()};
      DeviceJudge judge(scene);
      for (const Candidate& candidate : pools_[n]->order) {
        if (candidate.device == kNone) continue;
        DeviceVerdict& verdict = verdicts[candidate.device];
        if (verdict.device != kNone && verdict.rejection.code != Rejection::Code::kWrongNode) continue;
        verdict = {candidate.device, nodes_[n]->meta.name, judge.judge(claim_, plan, candidate)};
      }
    }
    const NodePools nothing;
    const Scene scene{fleet,
                      nothing,
                      allocator_.behaviour(),
                      allocator_.classes(),
                      in_use_,
                      allocator_.answers(),
                      allocator_.shortlists()};
    const std::string where = nodes_.size() == 1 ? "node " + nodes_[0]->meta.name : "any of the nodes";
    for (std::uint32_t d = 0; d < verdicts.size(); ++d) {
      if (verdicts[d].device == kNone) verdicts[d] = {d, {}, judge_unoffered(scene, d, pools_, where)};
      out.usable += verdicts[d].rejection.code == Rejection::Code::kUsable;
    }
    out.devices = std::move(verdicts);
  }

  Allocator& allocator_;
  const InUse& in_use_;
  const ResourceClaim& claim_;
  const std::vector<const Node*>& nodes_;
  std::vector<const NodePools*> pools_;
};

bool is_named(const ObjectMeta& meta, const std::string& wanted) {
  return wanted == meta.name || wanted == meta.ns + "/" + meta.name;
}

/// What the scheduler would claim for the pod's extended resources, on the first of its nodes where that is
/// something; `wanted` is the pod, or the claim as `allocate` names it.
std::optional<ResourceClaim> extended_claim(const ClusterObjects& objects, const Allocator& allocator,
                                            const std::string& wanted) {
  for (const Pod& pod : objects.pods) {
    ObjectMeta as_claim = pod.meta;
    as_claim.name += kExtendedResourceClaimSuffix;
    if (!is_named(pod.meta, wanted) && !is_named(as_claim, wanted)) continue;
    for (const Node* node : nodes_for(pod, objects.nodes))
      if (auto claim = claim_for_extended_resources(pod, *node, allocator); claim && *claim) return *claim;
  }
  return std::nullopt;
}

/// The claim of that name, or one as its template would make it.
std::optional<ResourceClaim> find_claim(const ClusterObjects& objects, const std::string& wanted) {
  for (const ResourceClaim& claim : objects.dra.claims)
    if (is_named(claim.meta, wanted)) return claim;
  for (const ResourceClaimTemplate& t : objects.dra.templates) {
    if (!is_named(t.meta, wanted)) continue;
    ResourceClaim claim;
    claim.meta = t.meta;
    claim.spec = t.spec;
    return claim;
  }
  return std::nullopt;
}

std::vector<const Node*> nodes_of(const ClusterObjects& objects, const ObjectMeta& claim) {
  std::vector<const Node*> out;
  for (const Pod& pod : objects.pods) {
    const bool names = std::ranges::any_of(pod.spec.claims, [&](const PodClaim& c) {
      return c.claim == claim.name || c.claim_template == claim.name;
    });
    const bool is_its_own = claim.name == pod.meta.name + std::string(kExtendedResourceClaimSuffix);
    if (pod.meta.ns != claim.ns || !(names || is_its_own)) continue;
    for (const Node* node : nodes_for(pod, objects.nodes))
      if (std::ranges::find(out, node) == out.end()) out.push_back(node);
  }
  if (out.empty())
    for (const Node& node : objects.nodes) out.push_back(&node);
  return out;
}

}  // namespace

Explanation explain_claim(Allocator& allocator, const InUse& in_use, const ResourceClaim& claim,
                          const std::vector<const Node*>& nodes) {
  return Explaining(allocator, in_use, claim, nodes).run();
}

Result<Explanation> explain_claim(const ClusterObjects& objects, const Behaviour& behaviour,
                                  const std::string& wanted) {
  Allocator allocator(behaviour, objects.dra.slices, objects.dra.taint_rules, objects.dra.classes);
  auto claim = find_claim(objects, wanted);
  if (!claim) claim = extended_claim(objects, allocator, wanted);
  if (!claim)
    return failure("there is no ResourceClaim or ResourceClaimTemplate \"" + wanted +
                   "\" in the files, and no pod of that name asks for a resource that a DeviceClass backs");
  InUse in_use = allocator.nothing_in_use();
  for (const ResourceClaim& other : objects.dra.claims)
    if (other.allocation && name_of(other) != name_of(*claim)) in_use.add(*other.allocation, name_of(other));
  return explain_claim(allocator, in_use, *claim, nodes_of(objects, claim->meta));
}

}  // namespace etiage::dra
