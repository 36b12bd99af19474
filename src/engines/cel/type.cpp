#include "engines/cel/type.h"

#include <array>
#include <cassert>

namespace etiage::cel {
namespace {

struct Named {
  std::string_view word;
  TypeKind kind;
  std::string_view name;
};
/// The words of signatures that stand for types without parameters.
constexpr std::array kNamed{
    Named{"error", TypeKind::kError, "error"},
    Named{"dyn", TypeKind::kDyn, "dyn"},
    Named{"any", TypeKind::kAny, "google.protobuf.Any"},
    Named{"bool", TypeKind::kBool, "bool"},
    Named{"int", TypeKind::kInt, "int"},
    Named{"uint", TypeKind::kUint, "uint"},
    Named{"double", TypeKind::kDouble, "double"},
    Named{"string", TypeKind::kString, "string"},
    Named{"bytes", TypeKind::kBytes, "bytes"},
    Named{"null", TypeKind::kNull, "null_type"},
    Named{"timestamp", TypeKind::kTimestamp, "google.protobuf.Timestamp"},
    Named{"duration", TypeKind::kDuration, "google.protobuf.Duration"},
    Named{"type", TypeKind::kType, "type"},
    Named{"quantity", TypeKind::kStruct, "kubernetes.Quantity"},
    Named{"semver", TypeKind::kStruct, "kubernetes.Semver"},
    Named{"url", TypeKind::kStruct, "kubernetes.URL"},
    Named{"format", TypeKind::kStruct, "kubernetes.NamedFormat"},
    Named{"authorizer", TypeKind::kStruct, "kubernetes.authorization.Authorizer"},
    Named{"path_check", TypeKind::kStruct, "kubernetes.authorization.PathCheck"},
    Named{"group_check", TypeKind::kStruct, "kubernetes.authorization.GroupCheck"},
    Named{"resource_check", TypeKind::kStruct, "kubernetes.authorization.ResourceCheck"},
    Named{"decision", TypeKind::kStruct, "kubernetes.authorization.Decision"},
    Named{"empty", TypeKind::kStruct, "google.protobuf.Empty"},
    Named{"ip", TypeKind::kOpaque, "net.IP"},
    Named{"cidr", TypeKind::kOpaque, "net.CIDR"}};

const std::array<TypePtr, kNamed.size()>& named_types() {
  static const auto kTypes = [] {
    std::array<TypePtr, kNamed.size()> types;
    for (std::size_t i = 0; i < kNamed.size(); ++i) {
      types[i] = std::make_shared<Type>(Type{kNamed[i].kind, std::string(kNamed[i].name), {}});
    }
    return types;
  }();
  return kTypes;
}

/// Reads one type off the front.
TypePtr take_type(std::string_view& text) {
  const auto end = std::min(text.find_first_of("(,)"), text.size());
  const auto word = text.substr(0, end);
  text.remove_prefix(end);
  std::vector<TypePtr> params;
  if (text.starts_with('(')) {
    do {
      text.remove_prefix(1);
      if (text.starts_with(' ')) text.remove_prefix(1);
      params.push_back(take_type(text));
    } while (text.starts_with(','));
    text.remove_prefix(1);
  }
  if (word == "list") return list_type(params[0]);
  if (word == "map") return map_type(params[0], params[1]);
  if (word == "optional") return optional_type(params[0]);
  if (word == "wrapper") return std::make_shared<Type>(Type{params[0]->kind, params[0]->name, {}, true});
  if (word == "type" && !params.empty()) return type_type(params[0]);
  if (word.size() == 1 && word[0] >= 'A' && word[0] <= 'Z') return param_type(std::string(word));
  for (std::size_t i = 0; i < kNamed.size(); ++i) {
    if (kNamed[i].word == word) return named_types()[i];
  }
  assert(false);
  return nullptr;
}

std::string with_params(std::string name, const Type& t, std::string (*show)(const Type&)) {
  if (t.wrapper) return "wrapper(" + name + ")";
  if (t.params.empty()) return name;
  name += "(";
  for (std::size_t i = 0; i < t.params.size(); ++i) name += (i > 0 ? ", " : "") + show(*t.params[i]);
  return name + ")";
}

}  // namespace

TypePtr simple_type(TypeKind kind) {
  for (std::size_t i = 0; i < kNamed.size(); ++i) {
    if (kNamed[i].kind == kind) return named_types()[i];
  }
  assert(false);
  return nullptr;
}
TypePtr list_type(TypePtr item) {
  return std::make_shared<Type>(Type{TypeKind::kList, "list", {std::move(item)}});
}
TypePtr map_type(TypePtr key, TypePtr value) {
  return std::make_shared<Type>(Type{TypeKind::kMap, "map", {std::move(key), std::move(value)}});
}
TypePtr type_type(TypePtr of) {
  return of ? std::make_shared<Type>(Type{TypeKind::kType, "type", {std::move(of)}})
            : simple_type(TypeKind::kType);
}
TypePtr struct_type(std::string name) {
  return std::make_shared<Type>(Type{TypeKind::kStruct, std::move(name), {}});
}
TypePtr opaque_type(std::string name, std::vector<TypePtr> params) {
  return std::make_shared<Type>(Type{TypeKind::kOpaque, std::move(name), std::move(params)});
}
TypePtr param_type(std::string name) {
  return std::make_shared<Type>(Type{TypeKind::kParam, std::move(name), {}});
}

TypePtr type_of(std::string_view text) {
  return take_type(text);
}

bool same_type(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.name != b.name || a.params.size() != b.params.size()) return false;
  for (std::size_t i = 0; i < a.params.size(); ++i) {
    if (!same_type(*a.params[i], *b.params[i])) return false;
  }
  return true;
}

std::string display(const Type& t) {
  switch (t.kind) {
    case TypeKind::kAny:
      return "any";
    case TypeKind::kDuration:
      return "duration";
    case TypeKind::kError:
      return "!error!";
    case TypeKind::kNull:
      return "null";
    case TypeKind::kTimestamp:
      return "timestamp";
    default:
      return with_params(t.name, t, display);
  }
}

std::string go_string(const Type& t) {
  if (t.kind == TypeKind::kParam) return "<" + t.name + ">";
  return with_params(t.name, t, go_string);
}

}  // namespace etiage::cel
