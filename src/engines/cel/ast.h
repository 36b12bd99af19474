#pragma once
// The expression after macros are written out: what is checked, costed and planned.

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engines/cel/source.h"
#include "engines/cel/value.h"

namespace etiage::cel {

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;
using ExprId = std::int32_t;

/// What stands where the text was faulty.
struct NoExpr {};
struct LiteralExpr {
  Value value;
};
struct IdentExpr {
  std::string name;
};
struct SelectExpr {
  ExprPtr operand;
  std::string field;
  bool test_only = false;  ///< of `has()`
};
struct CallExpr {
  std::string function;  ///< operators by their mangled name, as `_+_`
  ExprPtr target;        ///< null: a global call
  std::vector<ExprPtr> args;
};
struct ListExpr {
  std::vector<ExprPtr> elements;
  std::vector<bool> optional;  ///< one an element
};
struct EntryExpr {
  ExprId id = 0;
  ExprPtr key;        ///< of a map
  std::string field;  ///< of a message
  ExprPtr value;
  bool optional = false;
};
struct MapExpr {
  std::vector<EntryExpr> entries;
};
struct StructExpr {
  std::string type_name;
  std::vector<EntryExpr> fields;
};
/// What the macros become: a loop over `range` with an accumulator.
struct ComprehensionExpr {
  ExprPtr range;
  std::string var, var2;  ///< var2 empty: one variable only
  std::string accu_var;
  ExprPtr accu_init, condition, step, result;
};

struct Expr {
  ExprId id = 0;
  std::variant<NoExpr, LiteralExpr, IdentExpr, SelectExpr, CallExpr, ListExpr, MapExpr, StructExpr,
               ComprehensionExpr>
      kind;
};

template <class T>
const T* as(const Expr& e) {
  return std::get_if<T>(&e.kind);
}
template <class T>
const T* as(const ExprPtr& e) {
  return e ? std::get_if<T>(&e->kind) : nullptr;
}

/// Where each id stands in the text, in code points; -1: nowhere.
struct Ast {
  ExprPtr root;
  std::vector<std::int64_t> offsets;  ///< by id

  Location location(ExprId id, const Source& source) const {
    if (id < 0 || static_cast<std::size_t>(id) >= offsets.size() || offsets[static_cast<std::size_t>(id)] < 0)
      return {};
    return source.location(static_cast<std::size_t>(offsets[static_cast<std::size_t>(id)]));
  }
};

/// What the parser accepts beyond the standard.
struct Syntax {
  bool escaped_identifiers = true;  ///< back-quoted fields
  bool two_variable_macros = true;
  bool sort_by = true;
};

/// Faults are reported; the tree is complete only where there are none.
Ast parse(const Source& source, const Syntax& syntax, Issues& issues);

inline constexpr std::string_view kAccumulator = "@result";

}  // namespace etiage::cel
