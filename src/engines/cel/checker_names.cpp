// What names and the fields of values are.

#include "engines/cel/checking.h"

namespace etiage::cel {

const TypePtr* Checking::local(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (const auto found = scope->find(name); found != scope->end()) return &found->second;
  }
  return nullptr;
}

bool Checking::resolve_global(Expr& e, const std::string& name) {
  for (const auto& candidate : candidate_names(names_.container, name)) {
    if (const auto v = names_.variables.find(candidate); v != names_.variables.end()) {
      set(e, v->second);
      out_.variables[e.id] = candidate;
      e.kind = IdentExpr{candidate};
      return true;
    }
    if (const auto t = names_.types.find(candidate); t != names_.types.end()) {
      set(e, type_type(t->second));
      out_.type_names[e.id] = candidate;
      e.kind = IdentExpr{candidate};
      return true;
    }
    if (names_.enums.contains(candidate)) {
      set(e, simple_type(TypeKind::kInt));
      e.kind = IdentExpr{candidate};
      return true;
    }
  }
  return false;
}

void Checking::check_ident(Expr& e) {
  const std::string name = std::get<IdentExpr>(e.kind).name;
  if (const TypePtr* t = local(name)) return set(e, *t);
  if (resolve_global(e, name)) return;
  set(e, error());
  undeclared(e.id, name);
}

std::string Checking::qualified_name(const Expr& e) {
  if (const auto* ident = as<IdentExpr>(e)) return ident->name;
  const auto* select = as<SelectExpr>(e);
  if (select == nullptr || select->test_only) return {};
  const std::string prefix = qualified_name(*select->operand);
  return prefix.empty() ? prefix : prefix + "." + select->field;
}

std::string Checking::first_name(const Expr& e) {
  const auto* select = as<SelectExpr>(e);
  return select != nullptr ? first_name(*select->operand) : std::get<IdentExpr>(e.kind).name;
}

void Checking::check_select(Expr& e) {
  if (const std::string name = qualified_name(e); !name.empty() && local(first_name(e)) == nullptr) {
    if (resolve_global(e, name)) return;
  }
  auto& select = std::get<SelectExpr>(e.kind);
  TypePtr result = field_type(e, *select.operand, select.field, false);
  if (select.test_only) result = simple_type(TypeKind::kBool);
  set(e, mapping_.substitute(result, false));
}

TypePtr Checking::object_field(ExprId id, const std::string& object, const std::string& field) {
  const auto found = names_.objects.find(object);
  if (found == names_.objects.end()) {
    report(id, fmt::format("unexpected failed resolution of '{}'", object));
    return error();
  }
  const auto f = found->second.find(field);
  if (f != found->second.end()) return f->second;
  report(id, fmt::format("undefined field '{}'", field));
  return error();
}

TypePtr Checking::field_type(Expr& e, Expr& operand, const std::string& field, bool optional) {
  check(operand);
  const TypePtr operand_type = mapping_.substitute(type(operand), false);
  const bool unwraps = operand_type->is_optional();
  const TypePtr target = unwraps ? operand_type->params[0] : operand_type;
  TypePtr result = dyn();
  switch (target->kind) {
    case TypeKind::kMap:
      result = target->params[1];
      break;
    case TypeKind::kStruct:
      result = object_field(e.id, target->name, field);
      break;
    case TypeKind::kParam:
      mapping_.assignable(dyn(), target);
      break;
    default:
      if (!target->is_dyn() && !target->is(TypeKind::kError)) {
        report(e.id, fmt::format("type '{}' does not support field selection", display(*target)));
      }
  }
  return unwraps || optional ? optional_type(result) : result;
}

}  // namespace etiage::cel
