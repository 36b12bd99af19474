#include "engines/cel/checker.h"

#include "engines/cel/checking.h"

namespace etiage::cel {

Checked Checking::run() {
  check(*ast_.root);
  for (auto& [id, type] : out_.types) type = mapping_.substitute(type, true);
  return std::move(out_);
}

TypePtr Checking::literal_type(const Value& v) {
  switch (v.kind()) {
    case Kind::kBool:
      return simple_type(TypeKind::kBool);
    case Kind::kInt:
      return simple_type(TypeKind::kInt);
    case Kind::kUint:
      return simple_type(TypeKind::kUint);
    case Kind::kDouble:
      return simple_type(TypeKind::kDouble);
    case Kind::kString:
      return simple_type(TypeKind::kString);
    case Kind::kBytes:
      return simple_type(TypeKind::kBytes);
    default:
      return simple_type(TypeKind::kNull);
  }
}

TypePtr Checking::join(const TypePtr& previous, const TypePtr& current) {
  if (!previous) return current;
  if (mapping_.assignable(previous, current)) return most_general(previous, current);
  return dyn();
}

TypePtr Checking::unwrapped(const Expr& e, bool optional) {
  const TypePtr t = type(e);
  if (!optional) return t;
  if (t->is_optional()) return t->params[0];
  if (!t->is_dyn()) mismatch(e.id, optional_type(t), t);
  return t;
}

void Checking::check_list(Expr& e) {
  auto& list = std::get<ListExpr>(e.kind);
  TypePtr item;
  for (std::size_t i = 0; i < list.elements.size(); ++i) {
    Expr& element = *list.elements[i];
    check(element);
    item = join(item, unwrapped(element, list.optional[i]));
  }
  set(e, list_type(item ? item : fresh()));
}

void Checking::check_map(Expr& e) {
  auto& map = std::get<MapExpr>(e.kind);
  TypePtr key, value;
  for (auto& entry : map.entries) {
    check(*entry.key);
    key = join(key, type(*entry.key));
    check(*entry.value);
    value = join(value, unwrapped(*entry.value, entry.optional));
  }
  if (!key) {
    key = fresh();
    value = fresh();
  }
  set(e, map_type(key, value));
}

void Checking::check_struct(Expr& e) {
  auto& message = std::get<StructExpr>(e.kind);
  const std::optional<std::string> name = message_name(message.type_name);
  if (!name) {
    undeclared(e.id, message.type_name);
    return set(e, error());
  }
  message.type_name = *name;
  const auto type_of_it = names_.types.find(*name);
  const bool is_message = names_.objects.contains(*name);
  if (!is_message) report(e.id, fmt::format("'{}' is not a message type", *name));
  set(e, !is_message ? error() : type_of_it != names_.types.end() ? type_of_it->second : struct_type(*name));
  for (auto& field : message.fields) {
    check(*field.value);
    if (!is_message) {
      report(field.id, fmt::format("undefined field '{}'", field.field));
      continue;
    }
    const TypePtr expected = object_field(field.id, *name, field.field);
    const TypePtr actual = unwrapped(*field.value, field.optional);
    if (!mapping_.assignable(expected, actual)) {
      report(field.id, fmt::format("expected type of field '{}' is '{}' but provided type is '{}'",
                                   field.field, display(*expected), display(*actual)));
    }
  }
}

std::optional<std::string> Checking::message_name(const std::string& name) const {
  for (const auto& candidate : candidate_names(names_.container, name))
    if (names_.objects.contains(candidate) || names_.types.contains(candidate)) return candidate;
  return std::nullopt;
}

void Checking::check_comprehension(Expr& e) {
  auto& c = std::get<ComprehensionExpr>(e.kind);
  check(*c.range);
  check(*c.accu_init);
  const TypePtr range = mapping_.substitute(type(*c.range), false);
  const TypePtr accumulator = type(*c.accu_init);
  scopes_.push_back({{c.accu_var, accumulator}});
  auto [first, second] = variable_types(c, range);
  scopes_.push_back({});
  scopes_.back()[c.var] = first;
  if (!c.var2.empty()) scopes_.back()[c.var2] = second;
  check(*c.condition);
  want(*c.condition, simple_type(TypeKind::kBool));
  check(*c.step);
  want(*c.step, accumulator);
  scopes_.pop_back();
  check(*c.result);
  scopes_.pop_back();
  set(e, mapping_.substitute(type(*c.result), false));
}

std::pair<TypePtr, TypePtr> Checking::variable_types(const ComprehensionExpr& c, const TypePtr& range) {
  const bool two = !c.var2.empty();
  switch (range->kind) {
    case TypeKind::kList:
      return two ? std::pair(simple_type(TypeKind::kInt), range->params[0])
                 : std::pair(range->params[0], TypePtr());
    case TypeKind::kMap:
      return {range->params[0], range->params[1]};
    case TypeKind::kDyn:
    case TypeKind::kError:
    case TypeKind::kParam:
      mapping_.assignable(dyn(), range);
      return {dyn(), dyn()};
    default:
      break;
  }
  report(c.range->id,
         fmt::format("expression of type '{}' cannot be range of a comprehension (must be list, map, "
                     "or dynamic)",
                     display(*range)));
  return {error(), error()};
}

void Checking::check(Expr& e) {
  if (const auto* literal = as<LiteralExpr>(e))
    set(e, literal_type(literal->value));
  else if (as<IdentExpr>(e))
    check_ident(e);
  else if (as<SelectExpr>(e))
    check_select(e);
  else if (as<CallExpr>(e))
    check_call(e);
  else if (as<ListExpr>(e))
    check_list(e);
  else if (as<MapExpr>(e))
    check_map(e);
  else if (as<StructExpr>(e))
    check_struct(e);
  else if (as<ComprehensionExpr>(e))
    check_comprehension(e);
  else
    set(e, error());
}

std::vector<std::string> candidate_names(const std::string& container, std::string_view name) {
  if (name.starts_with('.')) return {std::string(name.substr(1))};
  std::vector<std::string> out;
  std::string prefix = container;
  while (!prefix.empty()) {
    out.push_back(prefix + "." + std::string(name));
    const auto dot = prefix.rfind('.');
    prefix = dot == std::string::npos ? std::string() : prefix.substr(0, dot);
  }
  out.emplace_back(name);
  return out;
}

Checked check(Ast& ast, const Source& source, const Names& names, const Functions& functions,
              Issues& issues) {
  return Checking(ast, source, names, functions, issues).run();
}

}  // namespace etiage::cel
