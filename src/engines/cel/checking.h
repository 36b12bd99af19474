#pragma once
// One check of one expression. Internal to checker.

#include <fmt/format.h>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engines/cel/checker.h"
#include "engines/cel/type_mapping.h"

namespace etiage::cel {

class Checking {
 public:
  Checking(Ast& ast, const Source& source, const Names& names, const Functions& functions, Issues& issues)
      : ast_(ast), source_(source), names_(names), functions_(functions), issues_(issues) {}

  Checked run();

 private:
  using Scope = std::map<std::string, TypePtr, std::less<>>;

  void report(ExprId id, std::string message) {
    issues_.report(ast_.location(id, source_), std::move(message));
  }
  void undeclared(ExprId id, const std::string& name) {
    report(id, fmt::format("undeclared reference to '{}' (in container '{}')", name, names_.container));
  }
  void mismatch(ExprId id, const TypePtr& expected, const TypePtr& actual) {
    report(id, fmt::format("expected type '{}' but found '{}'", display(*expected), display(*actual)));
  }
  const TypePtr& type(const Expr& e) { return out_.types[e.id]; }
  void set(const Expr& e, TypePtr t) { out_.types[e.id] = std::move(t); }
  static TypePtr error() { return simple_type(TypeKind::kError); }
  static TypePtr dyn() { return simple_type(TypeKind::kDyn); }
  TypePtr fresh() { return param_type(fmt::format("_var{}", fresh_++)); }
  void want(const Expr& e, const TypePtr& t) {
    if (!mapping_.assignable(t, type(e))) mismatch(e.id, t, type(e));
  }

  // checker.cpp
  static TypePtr literal_type(const Value& v);
  TypePtr join(const TypePtr& previous, const TypePtr& current);
  /// The type inside of an optional element.
  TypePtr unwrapped(const Expr& e, bool optional);
  void check_list(Expr& e);
  void check_map(Expr& e);
  void check_struct(Expr& e);
  /// The full name of a type; nothing: there is none.
  std::optional<std::string> message_name(const std::string& name) const;
  void check_comprehension(Expr& e);
  std::pair<TypePtr, TypePtr> variable_types(const ComprehensionExpr& c, const TypePtr& range);
  void check(Expr& e);

  // checker_names.cpp
  const TypePtr* local(std::string_view name) const;
  /// A global name: a variable, or a type as a value.
  bool resolve_global(Expr& e, const std::string& name);
  void check_ident(Expr& e);
  /// `a.b.c` where it is nothing but names; empty otherwise.
  static std::string qualified_name(const Expr& e);
  static std::string first_name(const Expr& e);
  void check_select(Expr& e);
  TypePtr object_field(ExprId id, const std::string& object, const std::string& field);
  TypePtr field_type(Expr& e, Expr& operand, const std::string& field, bool optional);

  // checker_calls.cpp
  const Function* find_function(std::string_view name) const;
  void check_call(Expr& e);
  void unknown_function(Expr& e, const std::string& name);
  void check_optional_select(Expr& e, CallExpr& call);
  void resolve(Expr& e, const Function& f, const CallExpr& call);
  void resolve_logic(Expr& e, const Function& f, const CallExpr& call, const std::vector<TypePtr>& args);
  std::pair<std::vector<TypePtr>, TypePtr> instantiate(const Overload& o);

  Ast& ast_;
  const Source& source_;
  const Names& names_;
  const Functions& functions_;
  Issues& issues_;
  Checked out_;
  TypeMapping mapping_;
  std::vector<Scope> scopes_;
  int fresh_ = 0;
};

}  // namespace etiage::cel
