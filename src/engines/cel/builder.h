#pragma once
// Makes expressions, each with an id and a place in the text; macros are written out with it.

#include <initializer_list>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engines/cel/ast.h"

namespace etiage::cel {

class Builder {
 public:
  explicit Builder(Ast& ast) : ast_(ast) { ast_.offsets.push_back(-1); }

  /// A fresh id that stands at `offset`.
  ExprId id_at(std::int64_t offset) {
    ast_.offsets.push_back(offset);
    return static_cast<ExprId>(ast_.offsets.size() - 1);
  }
  std::int64_t offset(ExprId id) const {
    return id >= 0 && static_cast<std::size_t>(id) < ast_.offsets.size()
               ? ast_.offsets[static_cast<std::size_t>(id)]
               : -1;
  }
  /// Gives up an id, which is used again if it is the newest.
  void drop_id(ExprId id) {
    if (static_cast<std::size_t>(id) + 1 == ast_.offsets.size())
      ast_.offsets.pop_back();
    else
      ast_.offsets[static_cast<std::size_t>(id)] = -1;
  }
  /// What a macro makes stands where its call does.
  void begin_macro(ExprId call) { macro_offset_ = offset(call); }

  template <class T>
  static ExprPtr make(ExprId id, T kind) {
    auto e = std::make_unique<Expr>();
    e->id = id;
    e->kind = std::move(kind);
    return e;
  }

  // Parts of macros.
  ExprPtr literal(Value v) { return make(next(), LiteralExpr{std::move(v)}); }
  ExprPtr ident(std::string name) { return make(next(), IdentExpr{std::move(name)}); }
  ExprPtr accumulator() { return ident(std::string(kAccumulator)); }
  template <class... E>
  ExprPtr call(std::string_view function, E... args) {
    const ExprId id = next();
    CallExpr c{std::string(function), nullptr, {}};
    (c.args.push_back(std::move(args)), ...);
    return make(id, std::move(c));
  }
  template <class... E>
  ExprPtr member_call(std::string_view function, ExprPtr target, E... args) {
    const ExprId id = next();
    CallExpr c{std::string(function), std::move(target), {}};
    (c.args.push_back(std::move(args)), ...);
    return make(id, std::move(c));
  }
  template <class... E>
  ExprPtr list(E... elements) {
    const ExprId id = next();
    ListExpr l;
    (l.elements.push_back(std::move(elements)), ...);
    l.optional.resize(l.elements.size());
    return make(id, std::move(l));
  }
  ExprPtr map() { return make(next(), MapExpr{}); }
  ExprPtr comprehension(ComprehensionExpr c) { return make(next(), std::move(c)); }
  ExprPtr presence_test(ExprPtr operand, std::string field) {
    return make(next(), SelectExpr{std::move(operand), std::move(field), true});
  }
  /// The same expression under fresh ids.
  ExprPtr copy(const Expr& e);

 private:
  ExprId next() { return id_at(macro_offset_); }

  Ast& ast_;
  std::int64_t macro_offset_ = -1;
};

/// What a macro did with a call: nothing (it is no macro, or not for these arguments), an expression, or a
/// fault at an id.
struct MacroFault {
  ExprId at = 0;
  std::string message;
};
using Expansion = std::variant<std::monostate, ExprPtr, MacroFault>;

/// Takes the arguments it uses; where it does nothing they stay.
Expansion expand_macro(Builder& b, const Syntax& syntax, const std::string& function, ExprPtr& target,
                       std::vector<ExprPtr>& args);

}  // namespace etiage::cel
