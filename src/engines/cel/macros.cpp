#include <array>

#include "engines/cel/builder.h"

namespace etiage::cel {
namespace {

using Args = std::vector<ExprPtr>;

std::optional<std::string> ident_name(const ExprPtr& e) {
  const auto* ident = as<IdentExpr>(e);
  return ident ? std::optional(ident->name) : std::nullopt;
}
bool is_accumulator(const std::string& name) {
  return name == kAccumulator || name == "__result__";
}

constexpr std::string_view kOverwrites = "iteration variable overwrites accumulator variable";
constexpr std::string_view kSimpleName = "argument must be a simple name";

enum class Quantifier { kAll, kExists, kExistsOne };

/// Fills in all but the range and the variables.
void quantify(Builder& b, Quantifier q, ComprehensionExpr& c, ExprPtr predicate) {
  c.accu_var = kAccumulator;
  switch (q) {
    case Quantifier::kAll:
      c.accu_init = b.literal(Value::boolean(true));
      c.condition = b.call("@not_strictly_false", b.accumulator());
      c.step = b.call("_&&_", b.accumulator(), std::move(predicate));
      c.result = b.accumulator();
      return;
    case Quantifier::kExists:
      c.accu_init = b.literal(Value::boolean(false));
      c.condition = b.call("@not_strictly_false", b.call("!_", b.accumulator()));
      c.step = b.call("_||_", b.accumulator(), std::move(predicate));
      c.result = b.accumulator();
      return;
    case Quantifier::kExistsOne:
      c.accu_init = b.literal(Value::integer(0));
      c.condition = b.literal(Value::boolean(true));
      c.step = b.call("_?_:_", std::move(predicate),
                      b.call("_+_", b.accumulator(), b.literal(Value::integer(1))), b.accumulator());
      c.result = b.call("_==_", b.accumulator(), b.literal(Value::integer(1)));
  }
}

Expansion quantifier(Builder& b, Quantifier q, ExprPtr& target, Args& args) {
  const auto var = ident_name(args[0]);
  if (!var) return MacroFault{args[0]->id, std::string(kSimpleName)};
  if (is_accumulator(*var)) return MacroFault{args[0]->id, std::string(kOverwrites)};
  ComprehensionExpr c;
  c.var = *var;
  quantify(b, q, c, std::move(args[1]));
  c.range = std::move(target);
  return b.comprehension(std::move(c));
}

/// `map` and `filter` gather a list: `item` of each element for which `filter` (if any) holds.
ExprPtr gather(Builder& b, ExprPtr range, std::string var, ExprPtr filter, ExprPtr item) {
  ComprehensionExpr c{
      .range = nullptr, .var = std::move(var), .var2 = {}, .accu_var = std::string(kAccumulator)};
  c.accu_init = b.list();
  c.condition = b.literal(Value::boolean(true));
  c.step = b.call("_+_", b.accumulator(), b.list(std::move(item)));
  if (filter) c.step = b.call("_?_:_", std::move(filter), std::move(c.step), b.accumulator());
  c.result = b.accumulator();
  c.range = std::move(range);
  return b.comprehension(std::move(c));
}

Expansion map_macro(Builder& b, ExprPtr& target, Args& args) {
  const auto var = ident_name(args[0]);
  if (!var) return MacroFault{args[0]->id, "argument is not an identifier"};
  if (is_accumulator(*var)) return MacroFault{args[0]->id, std::string(kOverwrites)};
  ExprPtr filter = args.size() == 3 ? std::move(args[1]) : nullptr;
  return gather(b, std::move(target), *var, std::move(filter), std::move(args.back()));
}

Expansion filter_macro(Builder& b, ExprPtr& target, Args& args) {
  const auto var = ident_name(args[0]);
  if (!var) return MacroFault{args[0]->id, "argument is not an identifier"};
  if (is_accumulator(*var)) return MacroFault{args[0]->id, std::string(kOverwrites)};
  return gather(b, std::move(target), *var, std::move(args[1]), std::move(args[0]));
}

/// The two variables, or what is wrong with them.
std::variant<std::pair<std::string, std::string>, MacroFault> two_variables(const Args& args) {
  const auto first = ident_name(args[0]), second = ident_name(args[1]);
  if (!first) return MacroFault{args[0]->id, std::string(kSimpleName)};
  if (!second) return MacroFault{args[1]->id, std::string(kSimpleName)};
  if (*first == *second) return MacroFault{args[1]->id, "duplicate variable name: " + *first};
  if (is_accumulator(*first)) return MacroFault{args[0]->id, std::string(kOverwrites)};
  if (is_accumulator(*second)) return MacroFault{args[1]->id, std::string(kOverwrites)};
  return std::pair(*first, *second);
}

template <class Fill>
Expansion two_variable_macro(Builder& b, ExprPtr& target, Args& args, Fill fill) {
  auto vars = two_variables(args);
  if (auto* fault = std::get_if<MacroFault>(&vars)) return *fault;
  ComprehensionExpr c;
  std::tie(c.var, c.var2) = std::get<0>(vars);
  fill(c);
  c.range = std::move(target);
  return b.comprehension(std::move(c));
}

Expansion two_variable_quantifier(Builder& b, Quantifier q, ExprPtr& target, Args& args) {
  return two_variable_macro(b, target, args,
                            [&](ComprehensionExpr& c) { quantify(b, q, c, std::move(args[2])); });
}

enum class Transform { kList, kMap, kMapEntry };

Expansion transform(Builder& b, Transform kind, ExprPtr& target, Args& args) {
  return two_variable_macro(b, target, args, [&](ComprehensionExpr& c) {
    ExprPtr filter = args.size() == 4 ? std::move(args[2]) : nullptr;
    ExprPtr item = std::move(args.back());
    c.accu_var = kAccumulator;
    c.accu_init = kind == Transform::kList ? b.list() : b.map();
    c.condition = b.literal(Value::boolean(true));
    if (kind == Transform::kList) c.step = b.call("_+_", b.accumulator(), b.list(std::move(item)));
    if (kind == Transform::kMap)
      c.step = b.call("cel.@mapInsert", b.accumulator(), b.ident(c.var), std::move(item));
    if (kind == Transform::kMapEntry) c.step = b.call("cel.@mapInsert", b.accumulator(), std::move(item));
    if (filter) c.step = b.call("_?_:_", std::move(filter), std::move(c.step), b.accumulator());
    c.result = b.accumulator();
  });
}

/// A loop that never runs: its accumulator is the variable.
ExprPtr bind(Builder& b, std::string name, ExprPtr value, ExprPtr result, ExprPtr step = nullptr) {
  ComprehensionExpr c;
  c.range = b.list();
  c.var = "#unused";
  c.condition = b.literal(Value::boolean(false));
  c.step = step ? std::move(step) : b.ident(name);
  c.accu_var = std::move(name);
  c.accu_init = std::move(value);
  c.result = std::move(result);
  return b.comprehension(std::move(c));
}

Expansion bind_macro(Builder& b, ExprPtr& target, Args& args) {
  if (ident_name(target) != "cel") return {};
  const auto name = ident_name(args[0]);
  if (!name) return MacroFault{args[0]->id, "cel.bind() variable names must be simple identifiers"};
  return bind(b, *name, std::move(args[1]), std::move(args[2]));
}

Expansion opt_map(Builder& b, bool flat, ExprPtr& target, Args& args) {
  const auto name = ident_name(args[0]);
  if (!name) {
    return MacroFault{args[0]->id, flat ? "optFlatMap() variable name must be a simple identifier"
                                        : "optMap() variable name must be a simple identifier"};
  }
  ExprPtr again = b.copy(*target);
  ExprPtr condition = b.member_call("hasValue", std::move(target));
  ExprPtr value = b.member_call("value", std::move(again));
  ExprPtr then = bind(b, *name, std::move(value), std::move(args[1]));
  if (!flat) then = b.call("optional.of", std::move(then));
  return b.call("_?_:_", std::move(condition), std::move(then), b.call("optional.none"));
}

Expansion sort_by(Builder& b, ExprPtr& target, Args& args) {
  const bool takes = as<ListExpr>(target) || as<SelectExpr>(target) || as<IdentExpr>(target) ||
                     as<ComprehensionExpr>(target) || as<CallExpr>(target);
  if (!takes) {
    return MacroFault{
        target->id,
        "sortBy can only be applied to a list, identifier, comprehension, call or select expression"};
  }
  const std::string name = "@__sortBy_input__";
  auto step = b.ident(name);
  auto keys = map_macro(b, step, args);
  if (auto* fault = std::get_if<MacroFault>(&keys)) return std::move(*fault);
  auto result = b.member_call("@sortByAssociatedKeys", b.ident(name), std::move(std::get<ExprPtr>(keys)));
  return bind(b, name, std::move(target), std::move(result), b.ident(name));
}

Expansion has(Builder& b, Args& args) {
  auto* select = std::get_if<SelectExpr>(&args[0]->kind);
  if (select == nullptr) return MacroFault{args[0]->id, "invalid argument to has() macro"};
  return b.presence_test(std::move(select->operand), select->field);
}

std::optional<Quantifier> quantifier_named(const std::string& name) {
  if (name == "all") return Quantifier::kAll;
  if (name == "exists") return Quantifier::kExists;
  if (name == "exists_one" || name == "existsOne") return Quantifier::kExistsOne;
  return std::nullopt;
}

}  // namespace

Expansion expand_macro(Builder& b, const Syntax& syntax, const std::string& function, ExprPtr& target,
                       Args& args) {
  const std::size_t n = args.size();
  if (!target) return function == "has" && n == 1 ? has(b, args) : Expansion{};
  const auto q = quantifier_named(function);
  if (q && n == 2 && function != "existsOne") return quantifier(b, *q, target, args);
  if (function == "map" && (n == 2 || n == 3)) return map_macro(b, target, args);
  if (function == "filter" && n == 2) return filter_macro(b, target, args);
  if (function == "bind" && n == 3) return bind_macro(b, target, args);
  if (function == "optMap" && n == 2) return opt_map(b, false, target, args);
  if (function == "optFlatMap" && n == 2) return opt_map(b, true, target, args);
  if (function == "sortBy" && n == 2 && syntax.sort_by) return sort_by(b, target, args);
  if (!syntax.two_variable_macros) return {};
  if (q && n == 3) return two_variable_quantifier(b, *q, target, args);
  if (n != 3 && n != 4) return {};
  if (function == "transformList") return transform(b, Transform::kList, target, args);
  if (function == "transformMap") return transform(b, Transform::kMap, target, args);
  if (function == "transformMapEntry") return transform(b, Transform::kMapEntry, target, args);
  return {};
}

ExprPtr Builder::copy(const Expr& e) {
  const ExprId id = id_at(offset(e.id));
  const auto copies = [&](const std::vector<ExprPtr>& list) {
    std::vector<ExprPtr> out;
    for (const auto& item : list) out.push_back(copy(*item));
    return out;
  };
  const auto entries = [&](const std::vector<EntryExpr>& list) {
    std::vector<EntryExpr> out;
    for (const auto& entry : list) {
      const ExprId entry_id = next();
      ExprPtr key = entry.key ? copy(*entry.key) : nullptr;
      out.push_back({entry_id, std::move(key), entry.field, copy(*entry.value), entry.optional});
    }
    return out;
  };
  if (const auto* x = as<LiteralExpr>(e)) return make(id, LiteralExpr{x->value});
  if (const auto* x = as<IdentExpr>(e)) return make(id, IdentExpr{x->name});
  if (const auto* x = as<SelectExpr>(e))
    return make(id, SelectExpr{copy(*x->operand), x->field, x->test_only});
  if (const auto* x = as<CallExpr>(e)) {
    auto args = copies(x->args);
    return make(id, CallExpr{x->function, x->target ? copy(*x->target) : nullptr, std::move(args)});
  }
  if (const auto* x = as<ListExpr>(e)) return make(id, ListExpr{copies(x->elements), x->optional});
  if (const auto* x = as<MapExpr>(e)) return make(id, MapExpr{entries(x->entries)});
  if (const auto* x = as<StructExpr>(e)) return make(id, StructExpr{x->type_name, entries(x->fields)});
  if (const auto* x = as<ComprehensionExpr>(e)) {
    ComprehensionExpr c{.range = copy(*x->range), .var = x->var, .var2 = x->var2, .accu_var = x->accu_var};
    c.accu_init = copy(*x->accu_init);
    c.condition = copy(*x->condition);
    c.step = copy(*x->step);
    c.result = copy(*x->result);
    return make(id, std::move(c));
  }
  return make(id, NoExpr{});
}

}  // namespace etiage::cel
