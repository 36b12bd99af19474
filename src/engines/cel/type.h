#pragma once
// Types as the checker sees them.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etiage::cel {

struct Type;
using TypePtr = std::shared_ptr<const Type>;

enum class TypeKind {
  kError,
  kDyn,
  kAny,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kNull,
  kTimestamp,
  kDuration,
  kList,
  kMap,
  kType,
  kStruct,
  kOpaque,
  kParam
};

struct Type {
  TypeKind kind = TypeKind::kDyn;
  std::string name;  ///< run-time name, or the name of the parameter
  std::vector<TypePtr> params;
  bool wrapper = false;  ///< of protobuf: like the plain type, and `null` fits too

  bool is(TypeKind k) const { return kind == k; }
  bool is_dyn() const { return kind == TypeKind::kDyn || kind == TypeKind::kAny; }
  bool is_optional() const { return kind == TypeKind::kOpaque && name == "optional_type"; }
};

TypePtr simple_type(TypeKind kind);
TypePtr list_type(TypePtr item);
TypePtr map_type(TypePtr key, TypePtr value);
TypePtr type_type(TypePtr of);  ///< null: `type` itself
TypePtr struct_type(std::string name);
TypePtr opaque_type(std::string name, std::vector<TypePtr> params = {});
TypePtr param_type(std::string name);
inline TypePtr optional_type(TypePtr of) {
  return opaque_type("optional_type", {std::move(of)});
}

/// A type as written in a signature: `list(int)`, `map(K, V)`, `optional(T)`, `type(A)`, `wrapper(int)`,
/// `quantity`; one capital letter is a parameter. The text must be right.
TypePtr type_of(std::string_view text);

bool same_type(const Type& a, const Type& b);
/// As messages name types: `timestamp`, `any`, `list(int)`.
std::string display(const Type& t);
/// As Go prints a type: run-time names, parameters in angle brackets.
std::string go_string(const Type& t);

}  // namespace etiage::cel
