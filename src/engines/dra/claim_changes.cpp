#include "engines/dra/claim_changes.h"

#include <algorithm>
#include <map>
#include <set>

#include "engines/dra/selector_text.h"

namespace etiage::dra {
namespace {

/// Attempts are cheap but not free; a fleet of a thousand nodes is asked node by node.
constexpr std::size_t kMaxTrials = 400;
constexpr std::size_t kMaxHolders = 20, kMaxAmounts = 5;

class Trials {
 public:
  Trials(Allocator& allocator, const InUse& in_use, const ResourceClaim& claim,
         const std::vector<const Node*>& nodes, const std::vector<RequestExplanation>& requests)
      : allocator_(allocator), in_use_(in_use), claim_(claim), nodes_(nodes), requests_(requests) {}

  std::vector<Change> run() {
    using Self = Trials;
    for (const auto edit : {&Self::guard_selectors, &Self::lower_thresholds, &Self::fewer_devices,
                            &Self::less_capacity, &Self::tolerate})
      each_ask(edit);
    free_claims();
    each_ask(&Self::drop_clauses);
    drop_constraints();
    return std::move(found_);
  }

 private:
  using Edit = void (Trials::*)(ResourceClaim&, DeviceAsk&, const RequestExplanation&);

  void each_ask(Edit edit) {
    std::size_t index = 0;
    for (std::size_t r = 0; r < claim_.spec.requests.size(); ++r) {
      const DeviceRequest& request = claim_.spec.requests[r];
      const std::size_t count = request.exactly ? 1 : request.first_available.size();
      for (std::size_t s = 0; s < count && index < requests_.size(); ++s, ++index) {
        ResourceClaim changed = claim_;
        DeviceRequest& copy = changed.spec.requests[r];
        (this->*edit)(changed, copy.exactly ? *copy.exactly : copy.first_available[s].ask, requests_[index]);
      }
    }
  }

  /// The node where the changed claim fits; empty: nowhere.
  std::string fits(const ResourceClaim& changed, const InUse& in_use) {
    for (const Node* node : nodes_) {
      if (++trials_ > kMaxTrials) return {};
      const Attempt attempt = allocator_.allocate({node->meta.name, node->meta.labels}, {&changed}, in_use);
      if (attempt.outcome == Attempt::Outcome::kAllocated) return node->meta.name;
      if (attempt.outcome == Attempt::Outcome::kFault) return {};
    }
    return {};
  }

  bool try_out(const ResourceClaim& changed, Change change) {
    change.node = fits(changed, in_use_);
    if (change.node.empty()) return false;
    found_.push_back(std::move(change));
    return true;
  }

  /// A field that some device lacks, asked for with has() first.
  void guard_selectors(ResourceClaim& changed, DeviceAsk& ask, const RequestExplanation& why) {
    const auto erring = std::ranges::find(why.devices, Rejection::Code::kSelectorError,
                                          [](const DeviceVerdict& v) { return v.rejection.code; });
    if (erring == why.devices.end() || !erring->rejection.selector ||
        *erring->rejection.selector >= ask.selectors.size())
      return;
    std::string& expression = *ask.selectors[*erring->rejection.selector].cel;
    const auto field = missing_field(expression, erring->rejection.reason);
    if (!field) return;
    expression = "has(" + *field + ") && (" + expression + ")";
    try_out(changed, {"guard-clause",
                      "guard selector " + std::to_string(*erring->rejection.selector) + " of request " +
                          why.name.full() + " with has(" + *field + ")",
                      why.name.full(),
                      expression,
                      {}});
  }

  /// `quantity("40Gi")` in a clause that rejects devices, lowered to what they have.
  void lower_thresholds(ResourceClaim& changed, DeviceAsk& ask, const RequestExplanation& why) {
    for (std::size_t i = 0; i < ask.selectors.size(); ++i) {
      if (!ask.selectors[i].cel) continue;
      const std::string original = *ask.selectors[i].cel;
      const auto threshold = find_threshold(original);
      if (!threshold) continue;
      for (const std::string& amount : amounts_below(*threshold, i, why)) {
        *ask.selectors[i].cel = with_amount(original, *threshold, amount);
        if (try_out(changed, {"threshold",
                              "ask for " + amount + " instead of " + threshold->amount + " in selector " +
                                  std::to_string(i) + " of request " + why.name.full(),
                              why.name.full(),
                              *ask.selectors[i].cel,
                              {}}))
          return;
      }
      *ask.selectors[i].cel = original;
    }
  }

  /// What the devices that this selector rejects have of the capacity, largest first.
  std::vector<std::string> amounts_below(const Threshold& threshold, std::size_t selector,
                                         const RequestExplanation& why) const {
    const auto limit = Quantity::parse(threshold.amount);
    std::map<Quantity, std::string, std::greater<>> found;
    for (const DeviceVerdict& v : why.devices) {
      if (v.rejection.code != Rejection::Code::kSelector || v.rejection.selector != selector) continue;
      const Device& device = *allocator_.fleet().devices()[v.device].object;
      const auto capacity = device.capacity.find(threshold.capacity);
      if (capacity != device.capacity.end() && limit && capacity->second.value.amount < *limit)
        found.emplace(capacity->second.value.amount, capacity->second.value.text);
    }
    std::vector<std::string> out;
    for (const auto& [amount, text] : found)
      if (out.size() < kMaxAmounts) out.push_back(text);
    return out;
  }

  void fewer_devices(ResourceClaim& changed, DeviceAsk& ask, const RequestExplanation& why) {
    if (ask.allocation_mode != "ExactCount" || ask.count <= 1) return;
    const auto most = std::min<std::int64_t>(ask.count - 1, std::min<std::size_t>(why.usable, 32));
    for (ask.count = most; ask.count >= 1; --ask.count)
      if (try_out(changed, {"count",
                            "ask for " + std::to_string(ask.count) + " instead of " +
                                std::to_string(why.count) + " devices in request " + why.name.full(),
                            why.name.full(),
                            std::to_string(ask.count),
                            {}}))
        return;
  }

  void less_capacity(ResourceClaim& changed, DeviceAsk& ask, const RequestExplanation& why) {
    if (!ask.capacity || ask.capacity->empty()) return;
    if (std::ranges::none_of(why.devices, [](const DeviceVerdict& v) {
          return v.rejection.code == Rejection::Code::kCapacity;
        }))
      return;
    for (const auto& [name, asked] : std::map(*ask.capacity)) {
      if (ask_for_less(changed, ask, name, asked, why)) continue;
      ask.capacity->erase(name);
      try_out(changed,
              {"capacity",
               "do not ask for " + asked.text + " of capacity " + name + " in request " + why.name.full(),
               why.name.full(),
               name,
               {}});
      ask.capacity->insert_or_assign(name, asked);
    }
  }

  bool ask_for_less(ResourceClaim& changed, DeviceAsk& ask, const std::string& name,
                    const WrittenQuantity& asked, const RequestExplanation& why) {
    for (const Quantity& amount : capacities_below(name, asked.amount, why)) {
      const std::string text = amount.canonical();
      ask.capacity->insert_or_assign(name, WrittenQuantity{text, amount});
      const bool helps = try_out(changed, {"capacity",
                                           "ask for " + text + " instead of " + asked.text + " of capacity " +
                                               name + " in request " + why.name.full(),
                                           why.name.full(),
                                           text,
                                           {}});
      ask.capacity->insert_or_assign(name, asked);
      if (helps) return true;
    }
    return false;
  }

  /// The most that each device which lacks the capacity could give, largest first.
  std::vector<Quantity> capacities_below(const std::string& name, const Quantity& asked,
                                         const RequestExplanation& why) const {
    std::set<Quantity, std::greater<>> found;
    for (const DeviceVerdict& v : why.devices) {
      if (v.rejection.code != Rejection::Code::kCapacity) continue;
      const FleetDevice& device = allocator_.fleet().devices()[v.device];
      const auto capacity = device.object->capacity.find(name);
      if (capacity == device.object->capacity.end()) continue;
      Quantity left = capacity->second.value.amount;
      if (const CapacityMap* used = in_use_.consumed(device.identity))
        if (const auto taken = used->find(name); taken != used->end()) left -= taken->second;
      const Quantity most = most_allowed(capacity->second.policy, left);
      if (most < asked && Quantity() < most) found.insert(most);
    }
    std::vector<Quantity> out(found.begin(), found.end());
    if (out.size() > kMaxAmounts) out.resize(kMaxAmounts);
    return out;
  }

  /// The largest amount up to `left` that need not be rounded up.
  static Quantity most_allowed(const std::optional<CapacityRequestPolicy>& policy, Quantity left) {
    if (!policy) return left;
    if (policy->values) {
      Quantity most;
      for (const WrittenQuantity& value : *policy->values)
        if (value.amount <= left) most = std::max(most, value.amount);
      return most;
    }
    if (!policy->range) return left;
    const CapacityRange& range = *policy->range;
    if (range.max) left = std::min(left, range.max->amount);
    if (!range.step || range.step->amount <= Quantity()) return left;
    const Quantity min = range.min ? range.min->amount : Quantity();
    if (left < min) return {};
    const Quantity::Nano over = (left - min).nano() % range.step->amount.nano();
    return left - Quantity::nano(over, left.format());
  }

  void tolerate(ResourceClaim& changed, DeviceAsk& ask, const RequestExplanation& why) {
    std::set<std::string> seen;
    for (const DeviceVerdict& verdict : why.devices) {
      if (verdict.rejection.code != Rejection::Code::kTaint || !seen.insert(verdict.rejection.taint).second)
        continue;
      const Device& device = *allocator_.fleet().devices()[verdict.device].object;
      const auto taint = std::ranges::find(device.taints, verdict.rejection.taint, taint_text);
      if (taint == device.taints.end()) continue;
      ask.tolerations.push_back({taint->key, "Equal", taint->value, taint->effect, std::nullopt});
      if (try_out(changed, {"toleration",
                            "tolerate " + verdict.rejection.taint + " in request " + why.name.full(),
                            why.name.full(),
                            verdict.rejection.taint,
                            {}}))
        return;
    }
  }

  void free_claims() {
    std::set<std::string> holders;
    for (const RequestExplanation& request : requests_)
      for (const DeviceVerdict& verdict : request.devices) add_holders(verdict, holders);
    std::size_t tried = 0;
    for (const std::string& holder : holders) {
      if (++tried > kMaxHolders) return;
      const std::string node = fits(claim_, in_use_.without(holder));
      if (node.empty()) continue;
      found_.push_back({"free-claim", "let claim " + holder + " go", {}, holder, node});
      return;
    }
  }

  /// The claims that stand in the device's way: they hold it, or others that draw on the same counters.
  void add_holders(const DeviceVerdict& verdict, std::set<std::string>& out) const {
    using enum Rejection::Code;
    const Fleet& fleet = allocator_.fleet();
    const auto add = [&](std::uint32_t device) {
      const auto& holders = in_use_.holders(fleet.devices()[device].identity);
      out.insert(holders.begin(), holders.end());
    };
    if (verdict.rejection.code == kInUse || verdict.rejection.code == kCapacity) add(verdict.device);
    if (verdict.rejection.code != kCounters) return;
    for (const std::uint32_t s : fleet.pools()[fleet.slice_of(verdict.device).pool].slices) {
      const FleetSlice& slice = fleet.slices()[s];
      for (std::uint32_t d = slice.first; d < slice.first + slice.count; ++d) add(d);
    }
  }

  void drop_clauses(ResourceClaim& changed, DeviceAsk& ask, const RequestExplanation& why) {
    for (std::size_t i = 0; i < ask.selectors.size(); ++i) {
      if (!ask.selectors[i].cel) continue;
      const cel::Selector selector =
          allocator_.answers().selector(allocator_.answers().compile(*ask.selectors[i].cel));
      const std::string original = *ask.selectors[i].cel;
      for (std::size_t j = 0; j < selector.clauses.size(); ++j) {
        *ask.selectors[i].cel = without_clause(selector, j);
        const std::string what = "drop clause " + std::to_string(j) + " of selector " + std::to_string(i) +
                                 " in request " + why.name.full() + ": " + selector.clauses[j].text;
        if (try_out(changed, {"drop-clause", what, why.name.full(), *ask.selectors[i].cel, {}})) return;
      }
      *ask.selectors[i].cel = original;
    }
  }

  static std::string without_clause(const cel::Selector& selector, std::size_t dropped) {
    std::string out;
    for (std::size_t i = 0; i < selector.clauses.size(); ++i)
      if (i != dropped) out += (out.empty() ? "" : " && ") + selector.clauses[i].text;
    return out.empty() ? "true" : out;
  }

  void drop_constraints() {
    for (std::size_t i = 0; i < claim_.spec.constraints.size(); ++i) {
      ResourceClaim changed = claim_;
      changed.spec.constraints.erase(changed.spec.constraints.begin() + static_cast<std::ptrdiff_t>(i));
      const std::string& attribute = claim_.spec.constraints[i].attribute;
      if (try_out(changed, {"drop-constraint",
                            "drop constraint " + std::to_string(i) + " on " + attribute,
                            {},
                            attribute,
                            {}}))
        return;
    }
  }

  Allocator& allocator_;
  const InUse& in_use_;
  const ResourceClaim& claim_;
  const std::vector<const Node*>& nodes_;
  const std::vector<RequestExplanation>& requests_;
  std::size_t trials_ = 0;
  std::vector<Change> found_;
};

}  // namespace

std::vector<Change> changes_that_help(Allocator& allocator, const InUse& in_use, const ResourceClaim& claim,
                                      const std::vector<const Node*>& nodes,
                                      const std::vector<RequestExplanation>& requests) {
  return Trials(allocator, in_use, claim, nodes, requests).run();
}

}  // namespace etiage::dra
