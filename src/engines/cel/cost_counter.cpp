#include "engines/cel/cost_counter.h"

#include <cmath>

#include "engines/cel/evaluator.h"
#include "engines/cel/named_format.h"

namespace etiage::cel {
namespace {

constexpr double kTraversal = 0.1, kRegexLength = 0.25;

std::uint64_t scaled(double size, double factor) {
  return static_cast<std::uint64_t>(std::ceil(size * factor));
}
double size_of(const Value& v) {
  return static_cast<double>(actual_size(v));
}

/// What the standard library counts of a value: an optional has the size of what is in it.
double standard_size(const Value& v) {
  if (v.is(Kind::kOptional) && v.has_value()) return standard_size(v.inner());
  return size_of(v);
}

/// One pass over a value and all that is in it.
std::uint64_t traversal(const Value& v) {
  switch (v.kind()) {
    case Kind::kString:
    case Kind::kBytes:
      return static_cast<std::uint64_t>(static_cast<double>(v.text().size()) * kTraversal);
    case Kind::kList: {
      std::uint64_t sum = 0;
      for (const Value& item : v.items()) sum += traversal(item);
      return sum;
    }
    case Kind::kMap: {
      std::uint64_t sum = 0;
      for (const auto& [key, value] : v.map().entries()) sum += traversal(key) + traversal(value);
      return sum;
    }
    default:
      return 1;
  }
}

std::uint64_t saturated(double x) {
  return x >= 18446744073709551616.0 ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(x);
}

std::uint64_t allocating_list(double factor, std::uint64_t size) {
  if (factor < 0) factor = 1;
  return saturated(static_cast<double>(size) * factor) + 1 + 10;
}

/// Go's words where a value is not the list that the cost of a call is counted by.
[[noreturn]] void no_list(const Value& v) {
  const bool adds = (traits_of(v.kind()) & kAdder) != 0;
  throw EnginePanic{"interface conversion: " + go_type(v) + " is not traits.Lister: missing method " +
                    (adds ? "Contains" : "Add")};
}

std::uint64_t self_compare(const Value& v) {
  if (!v.is(Kind::kList)) no_list(v);
  const auto& items = v.items();
  const bool texts = !items.empty() && (items[0].is(Kind::kString) || items[0].is(Kind::kBytes));
  return allocating_list(texts ? 2 + kTraversal : 2.0, items.size() * items.size());
}

std::uint64_t regex_cost(double text, double pattern) {
  return scaled(1 + text, kTraversal) * scaled(pattern, kRegexLength);
}

bool counts_as_one(const Value& v) {
  switch (v.kind()) {
    case Kind::kQuantity:
    case Kind::kIp:
    case Kind::kCidr:
    case Kind::kFormat:
    case Kind::kUrl:
    case Kind::kSemver:
      return true;
    default:
      return false;
  }
}

std::uint64_t smaller_traversal(std::span<const Value> args) {
  return scaled(std::min(standard_size(args[0]), standard_size(args[1])), kTraversal);
}

}  // namespace

std::uint64_t call_cost(const Node& node, std::span<const Value> args, const Value& result) {
  const auto rule = node.cost_rule;
  switch (rule) {
    case CostRule::kOne:
      return 1;
    case CostRule::kSecondTraversal:
      return scaled(standard_size(args[1]), kTraversal);
    case CostRule::kFirstTraversal:
      return scaled(size_of(args[0]), kTraversal);
    case CostRule::kSecondSize:
      return static_cast<std::uint64_t>(standard_size(args[1]));
    case CostRule::kSmallerTraversal:
      return smaller_traversal(args);
    case CostRule::kSumTraversal:
      return scaled(standard_size(args[0]) + standard_size(args[1]), kTraversal);
    case CostRule::kRegex:
      return regex_cost(size_of(args[0]), size_of(args[1]));
    case CostRule::kContains:
      return scaled(standard_size(args[0]), kTraversal) * scaled(standard_size(args[1]), kTraversal);
    case CostRule::kListTraversal:
      return args.empty() ? 0 : traversal(args[0]);
    case CostRule::kFirstTraversalTwice:
      return scaled(size_of(args[0]) * 2, kTraversal);
    case CostRule::kResultTraversalTwice:
      return scaled(size_of(result) * 2, kTraversal);
    case CostRule::kContainsIp:
      return scaled(2 * size_of(args[0]), kTraversal);
    case CostRule::kContainsIpText:
      return scaled(2 * size_of(args[0]), kTraversal) + scaled(size_of(args[1]), kTraversal);
    case CostRule::kContainsCidr:
      return scaled(2 * size_of(args[0]), kTraversal) + scaled(size_of(args[0]), kTraversal) + 1;
    case CostRule::kContainsCidrText:
      return scaled(2 * size_of(args[0]), kTraversal) + scaled(size_of(args[0]), kTraversal) + 1 +
             scaled(size_of(args[1]), kTraversal);
    case CostRule::kValidate:
      if (!args[0].is(Kind::kFormat)) return 1;
      return regex_cost(size_of(args[1]), static_cast<double>(args[0].as_format().regex_size));
    case CostRule::kEquality:
      return counts_as_one(args[0]) ? 1 : smaller_traversal(args);
    case CostRule::kListOutput:
      return allocating_list(1, actual_size(result));
    case CostRule::kFlatten: {
      if (args.size() == 2 && !args[1].is(Kind::kInt)) {
        throw EnginePanic{"interface conversion: ref.Val is " + go_type(args[1]) + ", not types.Int"};
      }
      const double depth = args.size() == 2 ? static_cast<double>(args[1].as_int()) : 1;
      return allocating_list(depth, actual_size(args[0]));
    }
    case CostRule::kSelfCompareFirst:
      return self_compare(args[0]);
    case CostRule::kSelfCompareSecond:
      return self_compare(args[1]);
    case CostRule::kSets:
      return 1 + static_cast<std::uint64_t>(size_of(args[0]) * size_of(args[1]));
    case CostRule::kSetsTwice:
      return 1 + static_cast<std::uint64_t>(size_of(args[0]) * size_of(args[1]) * 2);
  }
  return 1;
}

void CostCounter::push(ExprId id, const Value& v) {
  const auto i = static_cast<std::size_t>(id);
  if (i >= places_.size()) places_.resize(i + 1);
  places_[i].push_back(static_cast<std::uint32_t>(stack_.size()));
  stack_.push_back({v, id});
  if (cost_ > limit_) throw CostExceeded{};
}

/// The highest place of an id in the stack; SIZE_MAX: it is not there.
std::size_t CostCounter::find(ExprId id) {
  const auto i = static_cast<std::size_t>(id);
  if (i >= places_.size()) return SIZE_MAX;
  auto& places = places_[i];
  while (!places.empty() && (places.back() >= stack_.size() || stack_[places.back()].id != id))
    places.pop_back();
  return places.empty() ? SIZE_MAX : places.back();
}

/// Takes the id and all above it off the stack.
void CostCounter::drop(ExprId id) {
  if (const std::size_t at = find(id); at != SIZE_MAX) stack_.resize(at);
}
bool CostCounter::take(ExprId id, Value& out) {
  const std::size_t at = find(id);
  if (at == SIZE_MAX) return false;
  out = std::move(stack_[at].value);
  stack_.resize(at);
  return true;
}

void CostCounter::attribute(const Attribute& a, const Value& v) {
  if (a.root == Attribute::Root::kConditional) {
    drop(program_.attributes[a.no].last_id);
    drop(program_.attributes[a.yes].last_id);
    drop(program_.node_id(a.index));
  } else {
    drop(a.last_id);
    ++cost_;
  }
  push(a.last_id, v);
}

void CostCounter::test(const Attribute& a, ExprId id, const Value& v) {
  if (a.root == Attribute::Root::kConditional) {
    drop(program_.attributes[a.no].last_id);
    drop(program_.attributes[a.yes].last_id);
    drop(program_.node_id(a.index));
    --cost_;
  } else {
    drop(a.last_id);
  }
  push(id, v);
}

void CostCounter::qualifier(const Qualifier& q, const Value& v) {
  ++cost_;
  if (q.from_expression) drop(q.id);
  push(q.id, v);
}

void CostCounter::logic(const Node& node, const Value& v) {
  for (const NodeIndex child : node.children) drop(program_.node_id(child));
  push(node.id, v);
}

void CostCounter::fold(const Node& node, const Value& v) {
  drop(program_.node_id(node.children[0]));
  push(node.id, v);
}

void CostCounter::call(const Node& node, const Value& v) {
  constexpr std::size_t kFew = 4;
  Value few[kFew];
  std::vector<Value> many;
  const std::size_t n = node.children.size();
  if (n > kFew) many.resize(n);
  Value* args = n > kFew ? many.data() : few;
  bool complete = true;
  for (std::size_t i = n; i-- > 0 && complete;) complete = take(program_.node_id(node.children[i]), args[i]);
  if (complete) cost_ += call_cost(node, {args, n}, v);
  push(node.id, v);
}

void CostCounter::literal(const Node& node, std::uint64_t base, const Value& v) {
  Value ignored;
  for (std::size_t i = node.children.size(); i-- > 0;) {
    if (!take(program_.node_id(node.children[i]), ignored)) break;
  }
  cost_ += base;
  push(node.id, v);
}

void CostCounter::foresee(const Node& node, std::span<const Value> args) {
  switch (node.cost_rule) {
    case CostRule::kSelfCompareFirst:
    case CostRule::kSets:
    case CostRule::kSetsTwice:
      break;
    default:
      return;
  }
  for (const Value& v : args) {
    if (!v.is(Kind::kList)) return;
  }
  const std::uint64_t after = cost_ + call_cost(node, args, Value());
  if (after <= limit_) return;
  cost_ = after;
  throw CostExceeded{};
}

}  // namespace etiage::cel
