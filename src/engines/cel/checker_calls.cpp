// Which overloads the arguments of a call fit.

#include "engines/cel/checking.h"

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

}  // namespace

const Function* Checking::find_function(std::string_view name) const {
  for (const auto& candidate : candidate_names(names_.container, name)) {
    if (const auto found = functions_.find(candidate); found != functions_.end()) return &found->second;
  }
  return nullptr;
}

void Checking::check_call(Expr& e) {
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

void Checking::unknown_function(Expr& e, const std::string& name) {
  undeclared(e.id, name);
  set(e, error());
}

void Checking::check_optional_select(Expr& e, CallExpr& call) {
  const auto* literal = as<LiteralExpr>(call.args[1]);
  const std::string field = literal != nullptr ? literal->value.text() : std::string();
  const TypePtr result = field_type(e, *call.args[0], field, true);
  set(e, mapping_.substitute(result, false));
  out_.overloads[e.id] = {"select_optional_field"};
}

void Checking::resolve(Expr& e, const Function& f, const CallExpr& call) {
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

void Checking::resolve_logic(Expr& e, const Function& f, const CallExpr& call,
                             const std::vector<TypePtr>& args) {
  bool fits = true;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (mapping_.assignable(args[i], simple_type(TypeKind::kBool))) continue;
    mismatch(call.args[i]->id, simple_type(TypeKind::kBool), args[i]);
    fits = false;
  }
  set(e, fits ? simple_type(TypeKind::kBool) : error());
  if (fits) out_.overloads[e.id] = {f.overloads[0].id};
}

std::pair<std::vector<TypePtr>, TypePtr> Checking::instantiate(const Overload& o) {
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

}  // namespace etiage::cel
