#pragma once
// Makes the program of one expression. Internal to make_program.

#include <string>
#include <vector>

#include "engines/cel/evaluator.h"
#include "engines/cel/program.h"

namespace etiage::cel {

struct PlanError {
  std::string message;
};

class Planner {
 public:
  Planner(const Checked* checked, const Names& names, Program& program, bool old_costs)
      : checked_(checked), names_(names), program_(program), old_costs_(old_costs) {}

  void run(const Expr& root);

 private:
  using Op = Node::Op;

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

  // planner.cpp
  NodeIndex plan(const Expr& e);
  NodeIndex list(const Expr& e, const ListExpr& x);
  NodeIndex map(const Expr& e, const MapExpr& x);
  NodeIndex maybe_folded(Node node, bool constant_items);
  NodeIndex object(const Expr& e, const StructExpr& x);
  std::uint32_t new_slot(NodeIndex init);
  NodeIndex fold(const Expr& e, const ComprehensionExpr& x);

  // planner_names.cpp
  NodeIndex ident(const Expr& e, const std::string& name);
  NodeIndex type_constant(const Expr& e, const std::string& name);
  NodeIndex global_name(const Expr& e, const std::string& name);
  /// The attribute of a node; one that begins at its value where it is none.
  AttributeIndex attribute_of(NodeIndex n);
  NodeIndex chained(NodeIndex operand, AttributeIndex a, ExprId id);
  void add_qualifier(AttributeIndex a, const Qualifier& q);
  NodeIndex select(const Expr& e, const SelectExpr& x);
  bool is_bound(const std::string& name) const;
  static std::string dotted(const Expr& e);
  NodeIndex index(const Expr& e, NodeIndex operand, NodeIndex key, bool optional);
  NodeIndex conditional(const Expr& e, const std::vector<NodeIndex>& args);

  // planner_calls.cpp
  const Function* find_function(std::string_view name) const;
  NodeIndex call(const Expr& e, const CallExpr& x);
  NodeIndex simple(const Expr& e, Op op, std::vector<NodeIndex> args);
  NodeIndex equality(const Expr& e, Op op, const std::string& name, const std::string& overload,
                     std::vector<NodeIndex> args);
  NodeIndex function_call(const Expr& e, const std::string& name, const std::string& overload,
                          std::vector<NodeIndex> args);
  /// What a text always becomes, for evaluations that do not count; those that do still call.
  void foresee(Node& node, const std::string& name) const;
  static void choose_dispatch(Node& node);
  /// A conversion of a constant, done now.
  NodeIndex folded(Node node);
  NodeIndex set_membership(Node& node);
  void compile_regex(Node& node);

  const Checked* checked_;
  const Names& names_;
  Program& program_;
  bool old_costs_;
  std::vector<Binding> bindings_;
};

}  // namespace etiage::cel
