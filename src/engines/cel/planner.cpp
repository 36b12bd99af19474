#include "engines/cel/planner.h"

#include <algorithm>

#include "engines/cel/device_reads.h"

namespace etiage::cel {
namespace {

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
      return node.op == Node::Op::kFold;
  }
}

}  // namespace

void Planner::run(const Expr& root) {
  program_.root = plan(root);
  link_attributes(program_);
  program_.may_cost_more = std::ranges::any_of(program_.nodes, may_cost_more);
  program_.reads = device_reads(program_);
}

NodeIndex Planner::plan(const Expr& e) {
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

NodeIndex Planner::list(const Expr& e, const ListExpr& x) {
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

NodeIndex Planner::map(const Expr& e, const MapExpr& x) {
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

NodeIndex Planner::maybe_folded(Node node, bool constant_items) {
  const ExprId id = node.id;
  const NodeIndex n = add(std::move(node));
  if (!constant_items) return n;
  Value v = evaluate_constant(program_, n);
  program_.nodes[n] = Node{};
  program_.nodes[n].id = id;
  program_.nodes[n].constant = std::move(v);
  return n;
}

NodeIndex Planner::object(const Expr& e, const StructExpr& x) {
  Node node;
  node.op = Op::kObject;
  node.id = e.id;
  node.function_name = x.type_name;
  for (const auto& field : x.fields) {
    node.children.push_back(plan(*field.value));
    node.optional.push_back(field.optional);
    node.set.push_back(Value::string(field.field));
  }
  return add(std::move(node));
}

std::uint32_t Planner::new_slot(NodeIndex init) {
  program_.slot_init.push_back(init);
  return static_cast<std::uint32_t>(program_.slot_init.size() - 1);
}

NodeIndex Planner::fold(const Expr& e, const ComprehensionExpr& x) {
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
