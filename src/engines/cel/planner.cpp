#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "engines/cel/evaluator.h"
#include "engines/cel/program.h"
#include "engines/cel/quantity_form.h"

namespace etiage::cel {
namespace {

using Op = Node::Op;

struct PlanError {
  std::string message;
};

bool is_conversion(std::string_view name) {
  static const std::set<std::string_view> kNames{"bool", "bytes",  "double",    "duration", "dyn",
                                                 "int",  "string", "timestamp", "type",     "uint"};
  return kNames.contains(name);
}

CostRule cost_rule(const std::string& function, const std::string& overload) {
  static const std::map<std::string, CostRule, std::less<>> kByOverload{
      {"list_slice", CostRule::kListOutput},          {"lists_range", CostRule::kListOutput},
      {"list_reverse", CostRule::kListOutput},        {"list_flatten", CostRule::kFlatten},
      {"list_flatten_int", CostRule::kFlatten},       {"list_distinct", CostRule::kSelfCompareFirst},
      {"dra_includes_dyn_dyn", CostRule::kOne},       {"list_sets_contains_list", CostRule::kSets},
      {"list_sets_intersects_list", CostRule::kSets}, {"list_sets_equivalent_list", CostRule::kSetsTwice}};
  static const std::map<std::string, CostRule, std::less<>> kByFunction{
      {"isSorted", CostRule::kListTraversal},
      {"sum", CostRule::kListTraversal},
      {"max", CostRule::kListTraversal},
      {"min", CostRule::kListTraversal},
      {"indexOf", CostRule::kListTraversal},
      {"lastIndexOf", CostRule::kListTraversal},
      {"includes", CostRule::kListTraversal},
      {"url", CostRule::kFirstTraversal},
      {"lowerAscii", CostRule::kFirstTraversal},
      {"upperAscii", CostRule::kFirstTraversal},
      {"substring", CostRule::kFirstTraversal},
      {"trim", CostRule::kFirstTraversal},
      {"replace", CostRule::kFirstTraversalTwice},
      {"split", CostRule::kFirstTraversalTwice},
      {"join", CostRule::kResultTraversalTwice},
      {"find", CostRule::kRegex},
      {"findAll", CostRule::kRegex},
      {"cidr", CostRule::kFirstTraversal},
      {"isIP", CostRule::kFirstTraversal},
      {"isCIDR", CostRule::kFirstTraversal},
      {"ip.isCanonical", CostRule::kFirstTraversalTwice},
      {"quantity", CostRule::kFirstTraversal},
      {"isQuantity", CostRule::kFirstTraversal},
      {"semver", CostRule::kFirstTraversal},
      {"isSemver", CostRule::kFirstTraversal},
      {"validate", CostRule::kValidate},
      {"_==_", CostRule::kEquality}};
  static const std::map<std::string, CostRule, std::less<>> kStandard{
      {"starts_with_string", CostRule::kSecondTraversal},
      {"ends_with_string", CostRule::kSecondTraversal},
      {"string_to_bytes", CostRule::kFirstTraversal},
      {"bytes_to_string", CostRule::kFirstTraversal},
      {"strings_quote", CostRule::kFirstTraversal},
      {"string_format", CostRule::kFirstTraversal},
      {"in_list", CostRule::kSecondSize},
      {"matches", CostRule::kRegex},
      {"matches_string", CostRule::kRegex},
      {"contains_string", CostRule::kContains},
      {"add_string", CostRule::kSumTraversal},
      {"add_bytes", CostRule::kSumTraversal},
      {"not_equals", CostRule::kSmallerTraversal},
      {"less_string", CostRule::kSmallerTraversal},
      {"greater_string", CostRule::kSmallerTraversal},
      {"less_equals_string", CostRule::kSmallerTraversal},
      {"greater_equals_string", CostRule::kSmallerTraversal},
      {"less_bytes", CostRule::kSmallerTraversal},
      {"greater_bytes", CostRule::kSmallerTraversal},
      {"less_equals_bytes", CostRule::kSmallerTraversal},
      {"greater_equals_bytes", CostRule::kSmallerTraversal}};
  if (const auto found = kByOverload.find(overload); found != kByOverload.end()) return found->second;
  if (overload.starts_with("list_") && overload.ends_with("_sort")) return CostRule::kSelfCompareFirst;
  if (overload.ends_with("_sortByAssociatedKeys")) return CostRule::kSelfCompareSecond;
  if (function == "ip") return overload == "cidr_ip" ? CostRule::kOne : CostRule::kFirstTraversal;
  if (function == "containsIP") {
    return overload == "cidr_contains_ip_string" ? CostRule::kContainsIpText : CostRule::kContainsIp;
  }
  if (function == "containsCIDR") {
    return overload == "cidr_contains_cidr_string" ? CostRule::kContainsCidrText : CostRule::kContainsCidr;
  }
  if (const auto found = kByFunction.find(function); found != kByFunction.end()) return found->second;
  const auto found = kStandard.find(overload);
  return found == kStandard.end() ? CostRule::kOne : found->second;
}

/// Whether the cost of a part depends on more than the estimate knows.
bool may_cost_more(const Node& node) {
  switch (node.cost_rule) {
    case CostRule::kSelfCompareFirst:
    case CostRule::kSelfCompareSecond:
    case CostRule::kSets:
    case CostRule::kSetsTwice:
    case CostRule::kFlatten:
    case CostRule::kListOutput:
      return true;
    default:
      return node.op == Op::kFold;
  }
}

class Planner {
 public:
  Planner(const Checked* checked, const Names& names, Program& program, bool old_costs)
      : checked_(checked), names_(names), program_(program), old_costs_(old_costs) {}

  void run(const Expr& root) {
    program_.root = plan(root);
    for (Attribute& a : program_.attributes) finish(a);
    program_.may_cost_more = std::ranges::any_of(program_.nodes, may_cost_more);
    program_.reads = reads();
  }

 private:
  struct Binding {
    std::string name;
    std::uint32_t slot;
  };

  NodeIndex add(Node node) {
    program_.nodes.push_back(std::move(node));
    return static_cast<NodeIndex>(program_.nodes.size() - 1);
  }
  NodeIndex constant(ExprId id, Value v) {
    Node node;
    node.id = id;
    node.constant = std::move(v);
    return add(std::move(node));
  }
  bool is_constant(NodeIndex n) const { return program_.nodes[n].op == Op::kConstant; }
  AttributeIndex add(Attribute a) {
    program_.attributes.push_back(std::move(a));
    return static_cast<AttributeIndex>(program_.attributes.size() - 1);
  }
  NodeIndex attribute_node(AttributeIndex a, ExprId id) {
    Node node;
    node.op = Op::kAttribute;
    node.id = id;
    node.attribute = a;
    return add(std::move(node));
  }

  NodeIndex plan(const Expr& e) {
    if (const auto* x = as<LiteralExpr>(e)) return constant(e.id, x->value);
    if (const auto* x = as<IdentExpr>(e)) return ident(e, x->name);
    if (const auto* x = as<SelectExpr>(e)) return select(e, *x);
    if (const auto* x = as<CallExpr>(e)) return call(e, *x);
    if (const auto* x = as<ListExpr>(e)) return list(e, *x);
    if (const auto* x = as<MapExpr>(e)) return map(e, *x);
    if (const auto* x = as<StructExpr>(e)) return object(e, *x);
    if (const auto* x = as<ComprehensionExpr>(e)) return fold(e, *x);
    throw PlanError{"unsupported expr"};
  }

  // --- names and steps
  // ------------------------------------------------------------------------------------------------

  NodeIndex ident(const Expr& e, const std::string& name) {
    const bool global = checked_ != nullptr && checked_->variables.contains(e.id);
    if (!global) {
      for (auto b = bindings_.rbegin(); b != bindings_.rend(); ++b) {
        if (b->name != name) continue;
        if (checked_ != nullptr && checked_->type(e.id)->is(TypeKind::kType)) {
          throw PlanError{"reference to undefined type: " + name};
        }
        return attribute_node(
            add(Attribute{.root = Attribute::Root::kSlot, .index = b->slot, .id = e.id, .name = name}), e.id);
      }
    }
    if (const NodeIndex n = type_constant(e, name); n != kNoIndex) return n;
    return global_name(e, name);
  }
  NodeIndex type_constant(const Expr& e, const std::string& name) {
    for (const auto& candidate : candidate_names(names_.container, name)) {
      if (names_.variables.contains(candidate)) return kNoIndex;
      if (names_.types.contains(candidate)) {
        const char* known = known_type_name(candidate);
        return constant(e.id,
                        Value::type(known != nullptr ? known : names_.types.find(candidate)->first.c_str()));
      }
    }
    return kNoIndex;
  }
  NodeIndex global_name(const Expr& e, const std::string& name) {
    for (const auto& candidate : candidate_names(names_.container, name)) {
      const auto found = std::ranges::find(program_.globals, candidate);
      if (found == program_.globals.end()) continue;
      const auto index = static_cast<std::uint32_t>(found - program_.globals.begin());
      return attribute_node(
          add(Attribute{.root = Attribute::Root::kGlobal, .index = index, .id = e.id, .name = candidate}),
          e.id);
    }
    std::string all;
    for (const auto& candidate : candidate_names(names_.container, name))
      all += (all.empty() ? "" : ", ") + candidate;
    return attribute_node(
        add(Attribute{.root = Attribute::Root::kGlobal, .index = kNoIndex, .id = e.id, .name = all}), e.id);
  }

  /// The attribute of a node; one that begins at its value where it is none.
  AttributeIndex attribute_of(NodeIndex n) {
    if (program_.nodes[n].op == Op::kAttribute) return program_.nodes[n].attribute;
    return add(Attribute{.root = Attribute::Root::kNode, .index = n, .id = program_.nodes[n].id});
  }
  NodeIndex chained(NodeIndex operand, AttributeIndex a, ExprId id) {
    return program_.nodes[operand].op == Op::kAttribute ? operand : attribute_node(a, id);
  }
  void add_qualifier(AttributeIndex a, const Qualifier& q) {
    Attribute& attribute = program_.attributes[a];
    if (attribute.root == Attribute::Root::kConditional) {
      const AttributeIndex yes = attribute.yes, no = attribute.no;
      add_qualifier(yes, q);
      add_qualifier(no, q);
      return;
    }
    attribute.qualifiers.push_back(q);
  }

  NodeIndex select(const Expr& e, const SelectExpr& x) {
    if (checked_ == nullptr && !x.test_only) {
      if (const std::string name = dotted(e); !name.empty() && !is_bound(name.substr(0, name.find('.')))) {
        if (const NodeIndex n = type_constant(e, name); n != kNoIndex) return n;
        for (const auto& candidate : candidate_names(names_.container, name)) {
          if (std::ranges::find(program_.globals, candidate) != program_.globals.end())
            return global_name(e, name);
        }
      }
    }
    const NodeIndex operand = plan(*x.operand);
    const AttributeIndex a = attribute_of(operand);
    add_qualifier(a, {.id = e.id, .key = Value::string(x.field), .test_only = x.test_only});
    if (!x.test_only) return chained(operand, a, e.id);
    Node test;
    test.op = Op::kTest;
    test.id = e.id;
    test.attribute = a;
    return add(std::move(test));
  }
  bool is_bound(const std::string& name) const {
    return std::ranges::any_of(bindings_, [&](const Binding& b) { return b.name == name; });
  }
  static std::string dotted(const Expr& e) {
    if (const auto* x = as<IdentExpr>(e)) return x->name;
    const auto* x = as<SelectExpr>(e);
    if (x == nullptr || x->test_only) return {};
    const std::string prefix = dotted(*x->operand);
    return prefix.empty() ? prefix : prefix + "." + x->field;
  }

  NodeIndex index(const Expr& e, NodeIndex operand, NodeIndex key, bool optional) {
    const AttributeIndex a = attribute_of(operand);
    Qualifier q{.id = e.id, .optional = optional};
    if (is_constant(key)) {
      q.key = program_.nodes[key].constant;
      if (!usable_key(q.key)) throw PlanError{"invalid qualifier type: " + go_type(q.key)};
    } else if (program_.nodes[key].op == Op::kAttribute) {
      q.computed = program_.nodes[key].attribute;
    } else {
      q.computed = add(Attribute{.root = Attribute::Root::kNode, .index = key, .id = e.id});
      q.from_expression = true;
    }
    add_qualifier(a, q);
    return chained(operand, a, e.id);
  }

  NodeIndex conditional(const Expr& e, const std::vector<NodeIndex>& args) {
    const AttributeIndex yes = attribute_of(args[1]), no = attribute_of(args[2]);
    return attribute_node(
        add(Attribute{
            .root = Attribute::Root::kConditional, .index = args[0], .yes = yes, .no = no, .id = e.id}),
        e.id);
  }

  // --- calls
  // ----------------------------------------------------------------------------------------------------------

  const Function* find_function(std::string_view name) const {
    for (const auto& candidate : candidate_names(names_.container, name)) {
      const auto found = program_.functions->find(candidate);
      if (found != program_.functions->end()) return &found->second;
    }
    return nullptr;
  }

  NodeIndex call(const Expr& e, const CallExpr& x) {
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

  NodeIndex simple(const Expr& e, Op op, std::vector<NodeIndex> args) {
    Node node;
    node.op = op;
    node.id = e.id;
    node.children = std::move(args);
    return add(std::move(node));
  }
  NodeIndex equality(const Expr& e, Op op, const std::string& name, const std::string& overload,
                     std::vector<NodeIndex> args) {
    const NodeIndex n = simple(e, op, std::move(args));
    program_.nodes[n].counts = true;
    program_.nodes[n].cost_rule = cost_rule(name, overload);
    return n;
  }

  NodeIndex function_call(const Expr& e, const std::string& name, const std::string& overload,
                          std::vector<NodeIndex> args) {
    Node node;
    node.op = name == "@in" ? Op::kIn : Op::kCall;
    node.id = e.id;
    node.children = std::move(args);
    node.function_name = name;
    node.overload_id = overload;
    node.counts = true;
    node.cost_rule = cost_rule(name, overload);
    if (old_costs_ && node.cost_rule == CostRule::kSecondTraversal)
      node.cost_rule = CostRule::kFirstTraversal;
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

  /// What a text always becomes, for evaluations that do not count; those that do still call.
  void foresee(Node& node, const std::string& name) const {
    if (name != "quantity" && name != "semver" && name != "ip" && name != "cidr") return;
    if (node.children.size() != 1 || !is_constant(node.children[0]) || node.function == nullptr) return;
    const Value& text = program_.nodes[node.children[0]].constant;
    if (!text.is(Kind::kString)) return;
    Value v = call_function(node, Args(&text, 1));
    // A wide quantity may change during an evaluation.
    if (v.is_error() || (v.is(Kind::kQuantity) && form_of(v).wide)) return;
    node.constant = std::move(v);
  }

  static void choose_dispatch(Node& node) {
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

  /// A conversion of a constant, done now.
  NodeIndex folded(Node node) {
    const ExprId id = node.id;
    const Value argument = program_.nodes[node.children[0]].constant;
    Value result = call_function(node, Args(&argument, 1));
    if (result.is_error()) throw PlanError{result.text()};
    return constant(id, std::move(result));
  }

  NodeIndex set_membership(Node& node) {
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

  void compile_regex(Node& node) {
    if (node.children.size() < 2 || !is_constant(node.children[1])) return;
    const Value& pattern = program_.nodes[node.children[1]].constant;
    if (!pattern.is(Kind::kString)) return;
    auto regex = std::make_shared<const Regex>(pattern.text());
    if (!regex->error().empty()) throw PlanError{regex->error()};
    node.regex = std::move(regex);
    node.dispatch = Node::Dispatch::kRegex;
    node.until_error = true;
  }

  // --- literals and loops
  // ---------------------------------------------------------------------------------------------

  NodeIndex list(const Expr& e, const ListExpr& x) {
    Node node;
    node.op = Op::kList;
    node.id = e.id;
    bool constant_items = true;
    for (const auto& element : x.elements) {
      node.children.push_back(plan(*element));
      constant_items = constant_items && is_constant(node.children.back());
    }
    node.optional = x.optional;
    return maybe_folded(std::move(node), constant_items);
  }
  NodeIndex map(const Expr& e, const MapExpr& x) {
    Node node;
    node.op = Op::kMap;
    node.id = e.id;
    bool constant_items = true;
    for (const auto& entry : x.entries) {
      for (const Expr* part : {entry.key.get(), entry.value.get()}) {
        node.children.push_back(plan(*part));
        constant_items = constant_items && is_constant(node.children.back());
      }
      node.optional.push_back(entry.optional);
    }
    return maybe_folded(std::move(node), constant_items);
  }
  NodeIndex maybe_folded(Node node, bool constant_items) {
    const ExprId id = node.id;
    const NodeIndex n = add(std::move(node));
    if (!constant_items) return n;
    Value v = evaluate_constant(program_, n);
    program_.nodes[n] = Node{};
    program_.nodes[n].id = id;
    program_.nodes[n].constant = std::move(v);
    return n;
  }
  NodeIndex object(const Expr& e, const StructExpr& x) {
    Node node;
    node.op = Op::kObject;
    node.id = e.id;
    node.function_name = x.type_name;
    for (const auto& field : x.fields) node.children.push_back(plan(*field.value));
    return add(std::move(node));
  }

  std::uint32_t new_slot(NodeIndex init) {
    program_.slot_init.push_back(init);
    return static_cast<std::uint32_t>(program_.slot_init.size() - 1);
  }

  NodeIndex fold(const Expr& e, const ComprehensionExpr& x) {
    Node node;
    node.op = Op::kFold;
    node.id = e.id;
    const NodeIndex accumulator = plan(*x.accu_init);
    const NodeIndex range = plan(*x.range);
    node.accu_slot = new_slot(accumulator);
    node.var_slot = new_slot(kNoIndex);
    if (!x.var2.empty()) node.var2_slot = new_slot(kNoIndex);
    const std::size_t outside = bindings_.size();
    // The accumulator is found before variables of the same name.
    if (!x.var2.empty()) bindings_.push_back({x.var2, node.var2_slot});
    bindings_.push_back({x.var, node.var_slot});
    bindings_.push_back({x.accu_var, node.accu_slot});
    const NodeIndex condition = plan(*x.condition);
    const NodeIndex step = plan(*x.step);
    bindings_.resize(outside);
    bindings_.push_back({x.accu_var, node.accu_slot});
    const NodeIndex result = plan(*x.result);
    bindings_.resize(outside);
    node.children = {range, accumulator, condition, step, result};
    return add(std::move(node));
  }

  // --- the end
  // --------------------------------------------------------------------------------------------------------

  ExprId id_of(AttributeIndex i) const {
    const Attribute& a = program_.attributes[i];
    if (a.root == Attribute::Root::kConditional) {
      const ExprId yes = id_of(a.yes);
      return yes == id_of(a.no) ? yes : a.id;
    }
    return a.qualifiers.empty() ? a.id : a.qualifiers.back().id;
  }
  void finish(Attribute& a) {
    a.last_id = id_of(static_cast<AttributeIndex>(&a - program_.attributes.data()));
    if (a.root != Attribute::Root::kGlobal || a.name != "device") return;
    for (const Qualifier& q : a.qualifiers) {
      if (!is_name(q) || q.optional || q.test_only) return;
    }
    auto name = device_name(a.qualifiers);
    if (!name) return;
    const std::uint64_t hash = hash_of(*name);
    a.device_key = Attribute::DeviceKey{std::move(*name), hash};
  }
  /// What the program asks of `device`, where that is single values (or whether they are there).
  std::optional<std::vector<DeviceName>> reads() const {
    std::vector<DeviceName> out;
    for (const Attribute& a : program_.attributes) {
      if (a.root != Attribute::Root::kGlobal || a.name != "device") continue;
      const std::vector<Qualifier>& steps = a.qualifiers;
      if (steps.empty() || !is_name(steps[0])) return std::nullopt;
      if (steps[0].key.text() == "allowMultipleAllocations") continue;  // part of every answer
      const std::size_t depth = steps[0].key.text() == "driver" ? 1 : std::min<std::size_t>(steps.size(), 3);
      const std::vector<Qualifier> first(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(depth));
      auto name = std::ranges::all_of(first, is_name) ? device_name(first) : std::nullopt;
      if (!name) return std::nullopt;
      if (std::ranges::find(out, *name) == out.end()) out.push_back(std::move(*name));
    }
    return out;
  }
  static bool is_name(const Qualifier& q) { return q.computed == kNoIndex && q.key.is(Kind::kString); }
  /// What steps by names lead to in `device`, if it is one of its values.
  static std::optional<DeviceName> device_name(const std::vector<Qualifier>& steps) {
    using enum DeviceName::Section;
    if (steps.size() == 1 && steps[0].key.text() == "driver") return DeviceName{kDriver, {}, {}};
    if (steps.size() != 3) return std::nullopt;
    const std::string& section = steps[0].key.text();
    if (section != "attributes" && section != "capacity") return std::nullopt;
    return DeviceName{section == "capacity" ? kCapacity : kAttributes, steps[1].key.text(),
                      steps[2].key.text()};
  }

  const Checked* checked_;
  const Names& names_;
  Program& program_;
  bool old_costs_;
  std::vector<Binding> bindings_;
};

}  // namespace

Result<std::shared_ptr<const Program>> make_program(const Ast& ast, const Checked* checked,
                                                    const Names& names,
                                                    std::shared_ptr<const Functions> functions,
                                                    std::vector<std::string> globals, bool old_costs) {
  auto program = std::make_shared<Program>();
  program->functions = std::move(functions);
  program->globals = std::move(globals);
  try {
    Planner(checked, names, *program, old_costs).run(*ast.root);
  } catch (const PlanError& error) {
    return failure(error.message);
  }
  return program;
}

}  // namespace etiage::cel
