#pragma once
// The gradual type checker: a type for each part of an expression, overloads for its calls, and cel-go's
// words for faults.

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "engines/cel/ast.h"
#include "engines/cel/library.h"
#include "engines/cel/type.h"

namespace etiage::cel {

/// What names mean before any macro binds its own.
struct Names {
  std::map<std::string, TypePtr, std::less<>> variables;
  std::map<std::string, TypePtr, std::less<>> types;  ///< names that stand for a type as a value
  /// Fields of object types.
  std::map<std::string, std::map<std::string, TypePtr, std::less<>>, std::less<>> objects;
  std::map<std::string, std::int64_t, std::less<>> enums;  ///< values of enumerations by their full name
  std::string container;                                   ///< the namespace that names are looked up in
};

/// What the checker found out, by expression id.
struct Checked {
  std::unordered_map<ExprId, TypePtr> types;
  std::unordered_map<ExprId, std::vector<std::string>> overloads;  ///< ids that the arguments fit
  std::unordered_map<ExprId, std::string> type_names;              ///< identifiers that name a type
  std::unordered_map<ExprId, std::string> variables;               ///< identifiers by their full name

  TypePtr type(ExprId id) const {
    const auto found = types.find(id);
    return found == types.end() ? simple_type(TypeKind::kDyn) : found->second;
  }
  const std::vector<std::string>* overload_ids(ExprId id) const {
    const auto found = overloads.find(id);
    return found == overloads.end() ? nullptr : &found->second;
  }
};

/// Rewrites qualified names in the tree; faults are reported.
Checked check(Ast& ast, const Source& source, const Names& names, const Functions& functions, Issues& issues);

/// Names to try for `name` in a container, the innermost first.
std::vector<std::string> candidate_names(const std::string& container, std::string_view name);

}  // namespace etiage::cel
