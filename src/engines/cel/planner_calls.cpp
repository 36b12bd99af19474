// Calls: which function runs, and what of it can be done now.

#include <algorithm>
#include <set>

#include "engines/cel/cost_rule.h"
#include "engines/cel/planner.h"
#include "engines/cel/quantity_form.h"

namespace etiage::cel {
namespace {

bool is_conversion(std::string_view name) {
  static const std::set<std::string_view> kNames{"bool", "bytes",  "double",    "duration", "dyn",
                                                 "int",  "string", "timestamp", "type",     "uint"};
  return kNames.contains(name);
}

}  // namespace

const Function* Planner::find_function(std::string_view name) const {
  for (const auto& candidate : candidate_names(names_.container, name)) {
    const auto found = program_.functions->find(candidate);
    if (found != program_.functions->end()) return &found->second;
  }
  return nullptr;
}

NodeIndex Planner::call(const Expr& e, const CallExpr& x) {
  std::string name = x.function;
  const Expr* target = x.target.get();
  if (checked_ == nullptr) {
    if (target != nullptr) {
      const std::string prefix = dotted(*target);
      const Function* f = prefix.empty() ? nullptr : find_function(prefix + "." + name);
      if (f != nullptr) {
        name = f->name;
        target = nullptr;
      }
    } else if (const Function* f = find_function(name)) {
      name = f->name;
    }
  }
  std::string overload;
  if (checked_ != nullptr) {
    const auto* ids = checked_->overload_ids(e.id);
    if (ids != nullptr && ids->size() == 1) overload = ids->front();
  }
  std::vector<NodeIndex> args;
  if (target != nullptr) args.push_back(plan(*target));
  for (const auto& arg : x.args) args.push_back(plan(*arg));

  if (name == "_&&_") return simple(e, Op::kAnd, std::move(args));
  if (name == "_||_") return simple(e, Op::kOr, std::move(args));
  if (name == "_?_:_") return conditional(e, args);
  if (name == "_==_") return equality(e, Op::kEquals, name, "equals", std::move(args));
  if (name == "_!=_") return equality(e, Op::kNotEquals, name, "not_equals", std::move(args));
  if (name == "_[_]") return index(e, args[0], args[1], false);
  if (name == "_?._" || name == "_[?_]") return index(e, args[0], args[1], true);
  if (name == "or" && (overload.empty() || overload == "optional_or_optional") && args.size() == 2) {
    return simple(e, Op::kOptionalOr, std::move(args));
  }
  if (name == "orValue" && (overload.empty() || overload == "optional_orValue_value") && args.size() == 2) {
    return simple(e, Op::kOptionalOrValue, std::move(args));
  }
  return function_call(e, name, overload, std::move(args));
}

NodeIndex Planner::simple(const Expr& e, Op op, std::vector<NodeIndex> args) {
  Node node;
  node.op = op;
  node.id = e.id;
  node.children = std::move(args);
  return add(std::move(node));
}

NodeIndex Planner::equality(const Expr& e, Op op, const std::string& name, const std::string& overload,
                            std::vector<NodeIndex> args) {
  const NodeIndex n = simple(e, op, std::move(args));
  program_.nodes[n].counts = true;
  program_.nodes[n].cost_rule = cost_rule(name, overload);
  return n;
}

NodeIndex Planner::function_call(const Expr& e, const std::string& name, const std::string& overload,
                                 std::vector<NodeIndex> args) {
  Node node;
  node.op = name == "@in" ? Op::kIn : Op::kCall;
  node.id = e.id;
  node.children = std::move(args);
  node.function_name = name;
  node.overload_id = overload;
  node.counts = true;
  node.cost_rule = cost_rule(name, overload);
  if (old_costs_ && node.cost_rule == CostRule::kSecondTraversal) node.cost_rule = CostRule::kFirstTraversal;
  if (old_costs_ && overload == "matches") node.cost_rule = CostRule::kOne;
  const auto found = program_.functions->find(name);
  node.function = found == program_.functions->end() ? nullptr : &found->second;
  choose_dispatch(node);
  if (node.op == Op::kCall && node.children.empty() && node.dispatch == Node::Dispatch::kUnbound) {
    throw PlanError{"no such overload: " + name + "()"};
  }
  if (name == "@in" && overload == "in_list" && is_constant(node.children[1])) {
    if (const NodeIndex n = set_membership(node); n != kNoIndex) return n;
  }
  if (is_conversion(name) && node.children.size() == 1 && is_constant(node.children[0]))
    return folded(std::move(node));
  if (name == "matches" || name == "find" || name == "findAll") compile_regex(node);
  foresee(node, name);
  return add(std::move(node));
}

void Planner::foresee(Node& node, const std::string& name) const {
  if (name != "quantity" && name != "semver" && name != "ip" && name != "cidr") return;
  if (node.children.size() != 1 || !is_constant(node.children[0]) || node.function == nullptr) return;
  const Value& text = program_.nodes[node.children[0]].constant;
  if (!text.is(Kind::kString)) return;
  Value v = call_function(node, Args(&text, 1));
  // A wide quantity may change during an evaluation.
  if (v.is_error() || (v.is(Kind::kQuantity) && form_of(v).wide)) return;
  node.constant = std::move(v);
}

void Planner::choose_dispatch(Node& node) {
  const std::size_t n = node.children.size();
  node.until_error = n > 2;
  const Function* f = node.function;
  if (f == nullptr) return;
  if (f->singleton != nullptr) {
    node.dispatch = Node::Dispatch::kSingleton;
    return;
  }
  node.overload = node.overload_id.empty() ? nullptr : f->overload(node.overload_id);
  if (node.overload == nullptr && f->overloads.size() == 1) node.overload = &f->overloads[0];
  if (node.overload != nullptr && node.overload->compute != nullptr) {
    node.dispatch = Node::Dispatch::kOverload;
    node.until_error = n > 2 || f->variadic;
  } else if (std::ranges::any_of(f->overloads, [](const Overload& o) { return o.compute != nullptr; })) {
    node.dispatch = Node::Dispatch::kByTypes;
    node.until_error = true;
  }
}

NodeIndex Planner::folded(Node node) {
  const ExprId id = node.id;
  const Value argument = program_.nodes[node.children[0]].constant;
  Value result = call_function(node, Args(&argument, 1));
  if (result.is_error()) throw PlanError{result.text()};
  return constant(id, std::move(result));
}

NodeIndex Planner::set_membership(Node& node) {
  const Value& list = program_.nodes[node.children[1]].constant;
  if (list.items().empty()) return constant(node.id, Value::boolean(false));
  std::vector<Value> set;
  for (const Value& item : list.items()) {
    switch (item.kind()) {
      case Kind::kBool:
      case Kind::kString:
        set.push_back(item);
        break;
      case Kind::kInt:
        set.push_back(item);
        set.push_back(Value::number(static_cast<double>(item.as_int())));
        if (item.as_int() >= 0) set.push_back(Value::uinteger(item.as_uint()));
        break;
      case Kind::kUint:
        set.push_back(item);
        set.push_back(Value::number(static_cast<double>(item.as_uint())));
        if (item.as_int() >= 0) set.push_back(Value::integer(item.as_int()));
        break;
      case Kind::kDouble:
        set.push_back(item);
        if (const auto i = exact_int_of(item)) set.push_back(Value::integer(*i));
        if (const auto u = exact_uint_of(item)) set.push_back(Value::uinteger(*u));
        break;
      default:
        return kNoIndex;
    }
  }
  Node member;
  member.op = Op::kSetMembership;
  member.id = node.id;
  member.children = {node.children[0]};
  member.set = std::move(set);
  return add(std::move(member));
}

void Planner::compile_regex(Node& node) {
  if (node.children.size() < 2 || !is_constant(node.children[1])) return;
  const Value& pattern = program_.nodes[node.children[1]].constant;
  if (!pattern.is(Kind::kString)) return;
  auto regex = std::make_shared<const Regex>(pattern.text());
  if (!regex->error().empty()) throw PlanError{regex->error()};
  node.regex = std::move(regex);
  node.dispatch = Node::Dispatch::kRegex;
  node.until_error = true;
}

}  // namespace etiage::cel
