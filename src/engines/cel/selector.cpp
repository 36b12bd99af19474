#include "engines/cel/selector.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/cel/environment.h"
#include "engines/cel/evaluator.h"
#include "engines/cel/parse_tree.h"
#include "engines/cel/validator.h"

namespace etiage::cel {
namespace {

/// What compiling yields before clauses are looked at.
struct Compilation {
  std::shared_ptr<const Program> program;
  std::string type;
  std::uint64_t max_cost = 0;
};

Result<Compilation> compile(const Source& source, const SelectorEnvironment& env) {
  Issues issues;
  const auto failed = [&] { return failure("compilation failed: " + issues.display(source)); };
  Ast ast = parse(source, env.syntax, issues);
  if (!issues.empty()) return failed();
  const Checked checked = check(ast, source, env.names, *env.functions, issues);
  if (!issues.empty()) return failed();
  validate(ast, checked, source, *env.functions, issues);
  if (!issues.empty()) return failed();

  const TypePtr type = checked.type(ast.root->id);
  const bool fits = (type->is(TypeKind::kBool) && (env.takes_wrappers || !type->wrapper)) ||
                    (env.dyn_results && type->is(TypeKind::kDyn)) ||
                    (env.any_results && type->is(TypeKind::kAny));
  if (!fits)
    return failure(fmt::format("must evaluate to bool or the unknown type, not {}", go_string(*type)));
  auto program = make_program(ast, &checked, env.names, env.functions, {"device"}, env.old_costs);
  if (!program) return failure("program instantiation failed: " + program.error().message);
  return Compilation{std::move(*program), go_string(*type), estimate_max_cost(ast, checked, env.costs)};
}

/// The operands of the outermost `&&`; the whole where there is none.
std::vector<Clause> clauses_of(const Source& source) {
  Issues ignored;
  const auto whole = read_syntax(source, ignored);
  const ParseTree* tree = whole.get();
  while (tree != nullptr && tree->shape == ParseTree::Shape::kPassThrough && !tree->children.empty()) {
    tree = tree->children[0].get();
  }
  std::vector<Clause> out;
  const auto add = [&](std::size_t begin, std::size_t end) {
    out.push_back({source.slice(begin, end), source.byte_offset(begin), source.byte_offset(end)});
  };
  if (tree != nullptr && tree->shape == ParseTree::Shape::kAnd) {
    for (const auto& child : tree->children) add(child->start.begin, child->end);
  } else {
    add(0, source.size());
  }
  return out;
}

std::string conversion_fault(const Value& v) {
  switch (v.kind()) {
    case Kind::kInt:
      return "unsupported type conversion from 'int' to bool";
    case Kind::kUint:
      return "unsupported type conversion from 'uint' to bool";
    case Kind::kString:
      return "unsupported native conversion from string to 'bool'";
    case Kind::kDouble:
      return "type conversion error from Double to 'bool'";
    case Kind::kBytes:
      return "type conversion error from Bytes to 'bool'";
    case Kind::kList:
      return "type conversion error from list to 'bool'";
    case Kind::kMap:
      return "type conversion error from map to 'bool'";
    case Kind::kDuration:
      return "type conversion error from 'Duration' to 'bool'";
    case Kind::kTimestamp:
      return "type conversion error from 'Timestamp' to 'bool'";
    case Kind::kNull:
      return "type conversion error from 'null_type' to 'bool'";
    case Kind::kType:
      return "type conversion not supported for 'type'";
    case Kind::kQuantity:
      return "type conversion error from 'Quantity' to 'bool'";
    case Kind::kSemver:
      return "type conversion error from 'Semver' to 'bool'";
    case Kind::kUrl:
      return "type conversion error from 'URL' to 'bool'";
    case Kind::kIp:
      return "type conversion error from 'IP' to 'bool'";
    case Kind::kCidr:
      return "type conversion error from 'CIDR' to 'bool'";
    default:
      return "type conversion error from 'Format' to 'bool'";
  }
}

/// A bool, or what is wrong with the result.
Verdict verdict(const Value& v) {
  if (v.is(Kind::kBool)) return {v.as_bool() ? Outcome::kTrue : Outcome::kFalse, {}, {}};
  if (v.is_error()) return {Outcome::kError, v.text(), {}};
  const Value* inner = &v;
  while (inner->is(Kind::kOptional) && inner->has_value()) inner = &inner->inner();
  if (inner->is(Kind::kBool)) return {inner->as_bool() ? Outcome::kTrue : Outcome::kFalse, {}, {}};
  const std::string why =
      inner->is(Kind::kOptional) ? "optional.none() dereference" : conversion_fault(*inner);
  return {Outcome::kError,
          fmt::format("CEL result of type {} could not be converted to bool: {}", type_name(v), why),
          {}};
}

Verdict run_counting(const Program& program, const DeviceRecord& record) {
  if (record.error()) return {Outcome::kError, *record.error(), {}};
  const Value device = record.variable().borrowed();
  const Evaluation evaluation = evaluate_counting(program, {&device, 1}, kCostLimit);
  Verdict v = verdict(evaluation.value);
  v.cost = evaluation.cost;
  return v;
}

Outcome run(const Program& program, bool too_costly, const DeviceRecord& record) {
  if (record.error()) return Outcome::kError;
  if (too_costly || program.may_cost_more) return run_counting(program, record).outcome;
  const Value v = evaluate_program(program, record);
  return v.is(Kind::kBool) ? (v.as_bool() ? Outcome::kTrue : Outcome::kFalse) : verdict(v).outcome;
}

}  // namespace

Environment default_environment(KubernetesVersion version, bool stored) {
  return {.version = version, .consumable_capacity = version.minor >= 36, .stored = stored};
}

std::string with_hint(std::string message, KubernetesVersion version) {
  if (version.minor >= 37 && message.find("no such key:") != std::string::npos) {
    message +=
        ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() "
        "for "
        "optional fields";
  }
  return message;
}

Selector compile_selector(std::string_view expression, const Environment& environment) {
  Selector s{.expression = std::string(expression)};
  const SelectorEnvironment& env = selector_environment(environment);
  const Source source(expression);
  auto compilation = compile(source, env);
  if (!compilation) {
    s.compile_error = compilation.error().message;
    return s;
  }
  s.type = compilation->type;
  s.max_cost = compilation->max_cost;
  s.too_costly = s.max_cost > kCostLimit;
  s.program = std::move(compilation->program);
  s.clauses = clauses_of(source);
  for (const Clause& clause : s.clauses) {
    if (s.clauses.size() == 1) {
      s.clause_programs.push_back(s.program);
      continue;
    }
    auto alone = compile(Source(clause.text), env);
    // A clause of a bool expression is a bool or of unknown type by itself.
    s.clause_programs.push_back(alone ? std::move(alone->program) : s.program);
  }
  return s;
}

PreparedDevice prepare_device(std::string_view driver, const Device& device, const Environment& environment) {
  return FleetPreparation(environment).prepare(driver, device);
}

FleetPreparation::FleetPreparation(const Environment& environment)
    : lists_(selector_environment(environment).list_attributes),
      vocabulary_(std::make_shared<DeviceVocabulary>()) {}

PreparedDevice FleetPreparation::prepare(std::string_view driver, const Device& device) const {
  return {std::make_shared<const DeviceRecord>(driver, device, lists_, *vocabulary_)};
}

Verdict evaluate(const Selector& selector, const PreparedDevice& device) {
  return run_counting(*selector.program, *device.record);
}

Outcome matches(const Selector& selector, const PreparedDevice& device) {
  return run(*selector.program, selector.too_costly, *device.record);
}

std::vector<Verdict> evaluate_clauses(const Selector& selector, const PreparedDevice& device) {
  std::vector<Verdict> out;
  for (const auto& program : selector.clause_programs) out.push_back(run_counting(*program, *device.record));
  return out;
}

FleetMatch match_fleet(const Selector& selector, std::span<const PreparedDevice> devices) {
  FleetMatch out;
  out.outcomes.reserve(devices.size());
  out.clauses.resize(selector.clauses.size());
  for (const PreparedDevice& device : devices) out.outcomes.push_back(matches(selector, device));
  for (std::size_t c = 0; c < out.clauses.size(); ++c) {
    ClauseCount& count = out.clauses[c];
    for (std::size_t d = 0; d < devices.size(); ++d) {
      const bool whole = selector.clauses.size() == 1;
      const Outcome o = whole ? out.outcomes[d]
                              : run(*selector.clause_programs[c], selector.too_costly, *devices[d].record);
      ++(o == Outcome::kTrue ? count.matched : o == Outcome::kFalse ? count.failed : count.errors);
    }
  }
  return out;
}

}  // namespace etiage::cel
