#include "engines/cel/checker.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/cel/type_mapping.h"

namespace etiage::cel {
namespace {

/// `(int, string)` or, with a target, `dyn.(string)`.
std::string show_call(const std::vector<TypePtr>& args, bool member) {
  std::string out = member ? display(*args[0]) + ".(" : "(";
  for (std::size_t i = member ? 1 : 0; i < args.size(); ++i) {
    if (i > (member ? 1u : 0u)) out += ", ";
    out += display(*args[i]);
  }
  return out + ")";
}

class Checker {
 public:
  Checker(Ast& ast, const Source& source, const Names& names, const Functions& functions, Issues& issues)
      : ast_(ast), source_(source), names_(names), functions_(functions), issues_(issues) {}

  Checked run() {
    check(*ast_.root);
    for (auto& [id, type] : out_.types) type = mapping_.substitute(type, true);
    return std::move(out_);
  }

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

  // --- names
  // ------------------------------------------------------------------------------------------------------

  const TypePtr* local(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      if (const auto found = scope->find(name); found != scope->end()) return &found->second;
    }
    return nullptr;
  }
  /// A global name: a variable, or a type as a value.
  bool resolve_global(Expr& e, const std::string& name) {
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
    }
    return false;
  }

  void check_ident(Expr& e) {
    const std::string name = std::get<IdentExpr>(e.kind).name;
    if (const TypePtr* t = local(name)) return set(e, *t);
    if (resolve_global(e, name)) return;
    set(e, error());
    undeclared(e.id, name);
  }

  /// `a.b.c` where it is nothing but names; empty otherwise.
  static std::string qualified_name(const Expr& e) {
    if (const auto* ident = as<IdentExpr>(e)) return ident->name;
    const auto* select = as<SelectExpr>(e);
    if (select == nullptr || select->test_only) return {};
    const std::string prefix = qualified_name(*select->operand);
    return prefix.empty() ? prefix : prefix + "." + select->field;
  }
  static std::string first_name(const Expr& e) {
    const auto* select = as<SelectExpr>(e);
    return select != nullptr ? first_name(*select->operand) : std::get<IdentExpr>(e.kind).name;
  }

  void check_select(Expr& e) {
    if (const std::string name = qualified_name(e); !name.empty() && local(first_name(e)) == nullptr) {
      if (resolve_global(e, name)) return;
    }
    auto& select = std::get<SelectExpr>(e.kind);
    TypePtr result = field_type(e, *select.operand, select.field, false);
    if (select.test_only) result = simple_type(TypeKind::kBool);
    set(e, mapping_.substitute(result, false));
  }

  TypePtr object_field(ExprId id, const std::string& object, const std::string& field) {
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

  TypePtr field_type(Expr& e, Expr& operand, const std::string& field, bool optional) {
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

  // --- calls
  // ------------------------------------------------------------------------------------------------------

  const Function* find_function(std::string_view name) const {
    for (const auto& candidate : candidate_names(names_.container, name)) {
      if (const auto found = functions_.find(candidate); found != functions_.end()) return &found->second;
    }
    return nullptr;
  }

  void check_call(Expr& e) {
    auto& call = std::get<CallExpr>(e.kind);
    if (call.function == "_?._") return check_optional_select(e, call);
    for (auto& arg : call.args) check(*arg);
    if (!call.target) {
      const Function* f = find_function(call.function);
      if (f == nullptr) return unknown_function(e, call.function);
      call.function = f->name;
      return resolve(e, *f, call);
    }
    if (const std::string prefix = qualified_name(*call.target); !prefix.empty()) {
      if (const Function* f = find_function(prefix + "." + call.function)) {
        call.function = f->name;
        call.target = nullptr;
        return resolve(e, *f, call);
      }
    }
    check(*call.target);
    const Function* f = find_function(call.function);
    if (f == nullptr) return unknown_function(e, call.function);
    resolve(e, *f, call);
  }
  void unknown_function(Expr& e, const std::string& name) {
    undeclared(e.id, name);
    set(e, error());
  }

  void check_optional_select(Expr& e, CallExpr& call) {
    const auto* literal = as<LiteralExpr>(call.args[1]);
    const std::string field = literal != nullptr ? literal->value.text() : std::string();
    const TypePtr result = field_type(e, *call.args[0], field, true);
    set(e, mapping_.substitute(result, false));
    out_.overloads[e.id] = {"select_optional_field"};
  }

  void resolve(Expr& e, const Function& f, const CallExpr& call) {
    std::vector<TypePtr> args;
    if (call.target) args.push_back(type(*call.target));
    for (const auto& arg : call.args) args.push_back(type(*arg));
    if (f.name == "_&&_" || f.name == "_||_") return resolve_logic(e, f, call, args);

    TypePtr result;
    std::vector<std::string> ids;
    for (const Overload& o : f.overloads) {
      if (o.member != (call.target != nullptr)) continue;
      const auto [candidate_args, candidate_result] = instantiate(o);
      if (!mapping_.assignable_all(args, candidate_args)) continue;
      ids.push_back(o.id);
      const TypePtr this_result = mapping_.substitute(candidate_result, false);
      if (!result)
        result = this_result;
      else if (!result->is_dyn() && !same_type(*this_result, *result))
        result = dyn();
    }
    if (!result) {
      for (TypePtr& arg : args) arg = mapping_.substitute(arg, true);
      report(e.id, fmt::format("found no matching overload for '{}' applied to '{}'", f.name,
                               show_call(args, call.target != nullptr)));
      return set(e, error());
    }
    set(e, result);
    out_.overloads[e.id] = std::move(ids);
  }

  void resolve_logic(Expr& e, const Function& f, const CallExpr& call, const std::vector<TypePtr>& args) {
    bool fits = true;
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (mapping_.assignable(args[i], simple_type(TypeKind::kBool))) continue;
      mismatch(call.args[i]->id, simple_type(TypeKind::kBool), args[i]);
      fits = false;
    }
    set(e, fits ? simple_type(TypeKind::kBool) : error());
    if (fits) out_.overloads[e.id] = {f.overloads[0].id};
  }

  std::pair<std::vector<TypePtr>, TypePtr> instantiate(const Overload& o) {
    if (!o.has_params) return {o.args, o.result};
    std::map<std::string, TypePtr> params;
    const auto renamed = [&](const auto& self, const TypePtr& t) -> TypePtr {
      if (t->is(TypeKind::kParam)) {
        TypePtr& p = params[t->name];
        if (!p) p = fresh();
        return p;
      }
      if (t->params.empty()) return t;
      Type copy{t->kind, t->name, {}};
      for (const TypePtr& p : t->params) copy.params.push_back(self(self, p));
      return std::make_shared<const Type>(std::move(copy));
    };
    std::vector<TypePtr> args;
    for (const TypePtr& arg : o.args) args.push_back(renamed(renamed, arg));
    return {std::move(args), renamed(renamed, o.result)};
  }

  // --- literals
  // ---------------------------------------------------------------------------------------------------

  static TypePtr literal_type(const Value& v) {
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

  TypePtr join(const TypePtr& previous, const TypePtr& current) {
    if (!previous) return current;
    if (mapping_.assignable(previous, current)) return most_general(previous, current);
    return dyn();
  }
  /// The type inside of an optional element.
  TypePtr unwrapped(const Expr& e, bool optional) {
    const TypePtr t = type(e);
    if (!optional) return t;
    if (t->is_optional()) return t->params[0];
    if (!t->is_dyn()) mismatch(e.id, optional_type(t), t);
    return t;
  }

  void check_list(Expr& e) {
    auto& list = std::get<ListExpr>(e.kind);
    TypePtr item;
    for (std::size_t i = 0; i < list.elements.size(); ++i) {
      Expr& element = *list.elements[i];
      check(element);
      item = join(item, unwrapped(element, list.optional[i]));
    }
    set(e, list_type(item ? item : fresh()));
  }

  void check_map(Expr& e) {
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

  void check_struct(Expr& e) {
    auto& message = std::get<StructExpr>(e.kind);
    const std::string* name = nullptr;
    for (const auto& candidate : candidate_names(names_.container, message.type_name)) {
      const auto found = names_.objects.find(candidate);
      if (found != names_.objects.end()) {
        name = &found->first;
        break;
      }
    }
    if (name == nullptr) {
      undeclared(e.id, message.type_name);
      return set(e, error());
    }
    message.type_name = *name;
    set(e, struct_type(*name));
    for (auto& field : message.fields) {
      check(*field.value);
      const TypePtr expected = object_field(field.id, *name, field.field);
      const TypePtr actual = unwrapped(*field.value, field.optional);
      if (!mapping_.assignable(expected, actual)) {
        report(field.id, fmt::format("expected type of field '{}' is '{}' but provided type is '{}'",
                                     field.field, display(*expected), display(*actual)));
      }
    }
  }

  // --- comprehensions
  // ---------------------------------------------------------------------------------------------

  void check_comprehension(Expr& e) {
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

  std::pair<TypePtr, TypePtr> variable_types(const ComprehensionExpr& c, const TypePtr& range) {
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
  void want(const Expr& e, const TypePtr& t) {
    if (!mapping_.assignable(t, type(e))) mismatch(e.id, t, type(e));
  }

  void check(Expr& e) {
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

}  // namespace

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
  return Checker(ast, source, names, functions, issues).run();
}

}  // namespace etiage::cel
