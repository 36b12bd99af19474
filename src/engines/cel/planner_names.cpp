// Names, and the steps from their values to parts of them.

#include <algorithm>

#include "engines/cel/planner.h"

namespace etiage::cel {

NodeIndex Planner::ident(const Expr& e, const std::string& name) {
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

NodeIndex Planner::type_constant(const Expr& e, const std::string& name) {
  for (const auto& candidate : candidate_names(names_.container, name)) {
    if (names_.variables.contains(candidate)) return kNoIndex;
    if (const auto n = names_.enums.find(candidate); n != names_.enums.end())
      return constant(e.id, Value::integer(n->second));
    if (names_.types.contains(candidate)) {
      const char* known = known_type_name(candidate);
      if (known == nullptr && names_.objects.contains(candidate))
        throw PlanError{"reference to undefined type: " + candidate};
      return constant(e.id,
                      Value::type(known != nullptr ? known : names_.types.find(candidate)->first.c_str()));
    }
  }
  return kNoIndex;
}

NodeIndex Planner::global_name(const Expr& e, const std::string& name) {
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

AttributeIndex Planner::attribute_of(NodeIndex n) {
  if (program_.nodes[n].op == Op::kAttribute) return program_.nodes[n].attribute;
  return add(Attribute{.root = Attribute::Root::kNode, .index = n, .id = program_.nodes[n].id});
}

NodeIndex Planner::chained(NodeIndex operand, AttributeIndex a, ExprId id) {
  return program_.nodes[operand].op == Op::kAttribute ? operand : attribute_node(a, id);
}

void Planner::add_qualifier(AttributeIndex a, const Qualifier& q) {
  Attribute& attribute = program_.attributes[a];
  if (attribute.root == Attribute::Root::kConditional) {
    const AttributeIndex yes = attribute.yes, no = attribute.no;
    add_qualifier(yes, q);
    add_qualifier(no, q);
    return;
  }
  attribute.qualifiers.push_back(q);
}

NodeIndex Planner::select(const Expr& e, const SelectExpr& x) {
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

bool Planner::is_bound(const std::string& name) const {
  return std::ranges::any_of(bindings_, [&](const Binding& b) { return b.name == name; });
}

std::string Planner::dotted(const Expr& e) {
  if (const auto* x = as<IdentExpr>(e)) return x->name;
  const auto* x = as<SelectExpr>(e);
  if (x == nullptr || x->test_only) return {};
  const std::string prefix = dotted(*x->operand);
  return prefix.empty() ? prefix : prefix + "." + x->field;
}

NodeIndex Planner::index(const Expr& e, NodeIndex operand, NodeIndex key, bool optional) {
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

NodeIndex Planner::conditional(const Expr& e, const std::vector<NodeIndex>& args) {
  const AttributeIndex yes = attribute_of(args[1]), no = attribute_of(args[2]);
  return attribute_node(
      add(Attribute{
          .root = Attribute::Root::kConditional, .index = args[0], .yes = yes, .no = no, .id = e.id}),
      e.id);
}

}  // namespace etiage::cel
