#include "engines/cel/cost_estimate.h"

#include <algorithm>
#include <unordered_map>

namespace etiage::cel {
namespace {

constexpr double kTraversal = 0.1, kRegexLength = 0.25;
constexpr Range kSelect = fixed(1);

/// What is known of the entries of a list or map.
struct EntrySizes {
  bool of_list = true;
  Range key, value;
};

struct Local {
  Path path;
  std::optional<Range> size;
  std::optional<EntrySizes> entries;
};

class Coster {
 public:
  Coster(const Checked& checked, const CostRules& rules) : checked_(checked), rules_(rules) {}

  Range cost(const Expr& e) {
    if (as<LiteralExpr>(e)) return {};
    if (const auto* x = as<IdentExpr>(e)) return ident(e, *x);
    if (const auto* x = as<SelectExpr>(e)) return select(e, *x);
    if (const auto* x = as<CallExpr>(e)) return call(e, *x);
    if (const auto* x = as<ListExpr>(e)) return list(e, *x);
    if (const auto* x = as<MapExpr>(e)) return map(e, *x);
    if (const auto* x = as<StructExpr>(e)) return message(*x);
    if (const auto* x = as<ComprehensionExpr>(e)) return is_bind(*x) ? bind(e, *x) : comprehension(e, *x);
    return {};
  }

 private:
  // --- what is known of parts
  // ---------------------------------------------------------------------------------------

  const Local* local(const std::string& name) const {
    const auto found = locals_.find(name);
    return found == locals_.end() || found->second.empty() ? nullptr : &found->second.back();
  }
  Path path(const Expr& e) const {
    if (const auto* x = as<IdentExpr>(e)) {
      if (const Local* l = local(x->name)) return l->path;
    }
    const auto found = paths_.find(e.id);
    return found == paths_.end() ? Path() : found->second;
  }

  static std::optional<Range> size_of_expression(const Expr& e) {
    if (const auto* x = as<LiteralExpr>(e)) {
      switch (x->value.kind()) {
        case Kind::kString:
          return fixed(x->value.points());
        case Kind::kBytes:
          return fixed(x->value.text().size());
        default:
          return fixed(1);
      }
    }
    if (const auto* x = as<ListExpr>(e)) return fixed(x->elements.size());
    if (const auto* x = as<MapExpr>(e)) return fixed(x->entries.size());
    return std::nullopt;
  }
  static bool scalar(const Type& t) {
    switch (t.kind) {
      case TypeKind::kBool:
      case TypeKind::kDouble:
      case TypeKind::kDuration:
      case TypeKind::kInt:
      case TypeKind::kTimestamp:
      case TypeKind::kUint:
        return true;
      default:
        return t.is_optional() && scalar(*t.params[0]);
    }
  }
  std::optional<Range> size(const Expr& e) {
    if (const auto found = sizes_.find(e.id); found != sizes_.end()) return found->second;
    if (auto s = size_of_expression(e)) return s;
    if (auto s = rules_.size_at(path(e))) {
      sizes_[e.id] = *s;
      return s;
    }
    if (scalar(*checked_.type(e.id))) return fixed(1);
    if (const auto* x = as<IdentExpr>(e)) {
      if (const Local* l = local(x->name)) return l->size;
    }
    return std::nullopt;
  }
  Range size_or_unknown(const Expr& e) { return size(e).value_or(kUnknownSize); }
  static Range size_or_unknown(const CostNode& n) { return n.size.value_or(kUnknownSize); }
  std::optional<EntrySizes> entries(const Expr& e) const {
    if (const auto found = entry_sizes_.find(e.id); found != entry_sizes_.end()) return found->second;
    if (const auto* x = as<IdentExpr>(e)) {
      if (const Local* l = local(x->name)) return l->entries;
    }
    return std::nullopt;
  }
  void set_size(const Expr& e, std::optional<Range> s) {
    if (s) sizes_[e.id] = *s;
  }
  void set_entries(const Expr& e, std::optional<EntrySizes> s) {
    if (s) entry_sizes_[e.id] = *s;
  }
  static std::optional<EntrySizes> united(const std::optional<EntrySizes>& a,
                                          const std::optional<EntrySizes>& b) {
    if (!a || !b) return std::nullopt;
    return EntrySizes{a->of_list, a->key.united(b->key), a->value.united(b->value)};
  }
  CostNode node(const Expr& e) {
    Path p = path(e);
    if (!p.empty() && (p[0] == kAccumulator || p[0] == "__result__")) p = {};
    return {&e, std::move(p), checked_.type(e.id), size(e)};
  }

  // --- expressions
  // --------------------------------------------------------------------------------------------------

  Range ident(const Expr& e, const IdentExpr& x) {
    const Local* l = local(x.name);
    paths_[e.id] = l != nullptr ? l->path : Path::root(x.name);
    return kSelect;
  }

  Range select(const Expr& e, const SelectExpr& x) {
    const Range operand = cost(*x.operand);
    if (x.test_only) return operand;
    const TypeKind kind = checked_.type(x.operand->id)->kind;
    const bool counts = kind == TypeKind::kMap || kind == TypeKind::kStruct || kind == TypeKind::kParam;
    paths_[e.id] = path(*x.operand).with(x.field);
    return counts ? operand + kSelect : operand;
  }

  Range list(const Expr& e, const ListExpr& x) {
    Range sum, item{x.elements.empty() ? 0 : UINT64_MAX, 0};
    for (const auto& element : x.elements) {
      sum = sum + cost(*element);
      item = item.united(size_or_unknown(*element));
    }
    entry_sizes_[e.id] = {true, fixed(1), item};
    return sum + fixed(10);
  }
  Range map(const Expr& e, const MapExpr& x) {
    const std::uint64_t low = x.entries.empty() ? 0 : UINT64_MAX;
    Range sum, key{low, 0}, value{low, 0};
    for (const auto& entry : x.entries) {
      sum = sum + cost(*entry.key) + cost(*entry.value);
      key = key.united(size_or_unknown(*entry.key));
      value = value.united(size_or_unknown(*entry.value));
    }
    entry_sizes_[e.id] = {false, key, value};
    return sum + fixed(30);
  }
  Range message(const StructExpr& x) {
    Range sum;
    for (const auto& field : x.fields) sum = sum + cost(*field.value);
    return sum + fixed(40);
  }

  // --- calls
  // --------------------------------------------------------------------------------------------------------

  Range call(const Expr& e, const CallExpr& x) {
    if (x.function == "dyn") {
      const Range arg = cost(*x.args[0]);
      copy_sizes(e, *x.args[0]);
      return fixed(1) + arg;
    }
    std::vector<CostNode> args;
    std::vector<Range> costs;
    for (const auto& arg : x.args) {
      costs.push_back(cost(*arg));
      args.push_back(node(*arg));
    }
    const auto* ids = checked_.overload_ids(e.id);
    if (ids == nullptr || ids->empty()) return {};
    Range sum;
    std::optional<CostNode> target;
    if (x.target) {
      sum = cost(*x.target);
      target = node(*x.target);
    }
    Range function{UINT64_MAX, 0};
    std::optional<Range> result;
    for (const auto& id : *ids) {
      const CallEstimate estimate = one_overload(e, x.function, id, target ? &*target : nullptr, args, costs);
      function = function.united(estimate.cost);
      if (estimate.result_size)
        result = result ? result->united(*estimate.result_size) : *estimate.result_size;
      if ((id == "index_list" || id == "index_map") && !x.args.empty()) {
        const auto of = entries(*x.args[0]);
        result = of ? std::optional(of->value) : std::nullopt;
        paths_[e.id] = path(*x.args[0]).with(id == "index_list" ? "@items" : "@values");
      }
      if (!result) result = size(e);
    }
    set_size(e, result);
    return sum + function;
  }

  CallEstimate one_overload(const Expr& e, const std::string& function, const std::string& id,
                            const CostNode* target, const std::vector<CostNode>& args,
                            const std::vector<Range>& costs) {
    Range sum;
    for (const Range& c : costs) sum = sum + c;
    if (auto special = estimate_call(function, id, target, args, rules_)) {
      return {special->cost + sum, special->result_size};
    }
    if (id == "logical_or" || id == "logical_and") {
      return {Range{costs[0].min, (costs[0] + costs[1]).max}, {}};
    }
    if (id == "conditional") {
      set_entries(e, united(entries(*args[1].expr), entries(*args[2].expr)));
      return {costs[0] + costs[1].united(costs[2]),
              size_or_unknown(args[1]).united(size_or_unknown(args[2]))};
    }
    const CallEstimate estimate = standard(e, id, target, args);
    return {estimate.cost + sum, estimate.result_size};
  }

  CallEstimate standard(const Expr& e, const std::string& id, const CostNode* target,
                        const std::vector<CostNode>& args) {
    const auto traversal = [&](const CostNode& n) { return size_or_unknown(n).scaled(kTraversal); };
    if (id == "string_format" && target) return {traversal(*target), {}};
    if (args.size() == 1) {
      const Range s = size_or_unknown(args[0]);
      if (id == "string_to_bytes") return {s.scaled(kTraversal), Range{s.min, s.max * 4}};
      if (id == "bytes_to_string") return {s.scaled(kTraversal), Range{s.min / 4, s.max}};
      if (id == "strings_quote") return {s.scaled(kTraversal), Range{s.min + 2, s.max * 2 + 2}};
      if (id == "starts_with_string" || id == "ends_with_string") return {s.scaled(kTraversal), {}};
      if (id == "matches_string" && target) return {regex(*target, args[0]), {}};
      if (id == "contains_string" && target) return {traversal(*target) * traversal(args[0]), {}};
    }
    if (args.size() == 2) {
      if (id == "in_list") return {size_or_unknown(args[1]).scaled(1), {}};
      if (id == "matches" && !target && rules_.global_matches) return {regex(args[0], args[1]), {}};
      if (id == "add_string" || id == "add_bytes" || id == "add_list") return sum_of(e, id, args);
      if (compares_texts(id)) {
        const std::uint64_t smallest = std::min(size_or_unknown(args[0]).max, size_or_unknown(args[1]).max);
        return {Range{smallest > 0 ? 1u : 0u, smallest}.scaled(kTraversal), {}};
      }
    }
    return {fixed(1), {}};
  }
  static bool compares_texts(const std::string& id) {
    return id == "equals" || id == "not_equals" || id == "less_string" || id == "greater_string" ||
           id == "less_equals_string" || id == "greater_equals_string" || id == "less_bytes" ||
           id == "greater_bytes" || id == "less_equals_bytes" || id == "greater_equals_bytes";
  }
  static Range regex(const CostNode& text, const CostNode& pattern) {
    return (size_or_unknown(text) + fixed(1)).scaled(kTraversal) *
           size_or_unknown(pattern).scaled(kRegexLength);
  }
  CallEstimate sum_of(const Expr& e, const std::string& id, const std::vector<CostNode>& args) {
    const Range result = size_or_unknown(args[0]) + size_or_unknown(args[1]);
    set_entries(e, united(entries(*args[0].expr), entries(*args[1].expr)));
    return {id == "add_list" ? fixed(1) : result.scaled(kTraversal), result};
  }

  // --- comprehensions
  // -----------------------------------------------------------------------------------------------

  void copy_sizes(const Expr& to, const Expr& from) {
    set_size(to, size(from));
    set_entries(to, entries(from));
  }
  void push_local(const std::string& name, const Expr& value) {
    Local l{path(value), size(value), entries(value)};
    locals_[name].push_back(std::move(l));
  }
  enum class Part { kKey, kValue, kOnly };
  void push_variable(const std::string& name, const Expr& range, Part part) {
    const auto of = entries(range);
    const bool of_list = of ? of->of_list : checked_.type(range.id)->is(TypeKind::kList);
    const bool value = part == Part::kValue || (part == Part::kOnly && of_list);
    const char* step = value ? (of_list ? "@items" : "@values") : (of_list ? "@indices" : "@keys");
    Local l{path(range).with(step), {}, {}};
    if (of) l.size = value ? of->value : of->key;
    locals_[name].push_back(std::move(l));
  }
  void pop(const std::string& name) { locals_[name].pop_back(); }

  static bool is_bind(const ComprehensionExpr& c) {
    const auto* range = as<ListExpr>(c.range);
    const auto* condition = as<LiteralExpr>(c.condition);
    return range != nullptr && range->elements.empty() && condition != nullptr && condition->value.is_false();
  }
  Range bind(const Expr& e, const ComprehensionExpr& c) {
    Range sum = cost(*c.range) + cost(*c.accu_init);
    push_local(c.accu_var, *c.accu_init);
    sum = sum + cost(*c.result);
    pop(c.accu_var);
    copy_sizes(e, *c.result);
    return sum;
  }

  Range comprehension(const Expr& e, const ComprehensionExpr& c) {
    Range sum = cost(*c.range) + cost(*c.accu_init);
    push_local(c.accu_var, *c.accu_init);
    const bool two = !c.var2.empty();
    push_variable(c.var, *c.range, two ? Part::kKey : Part::kOnly);
    if (two) push_variable(c.var2, *c.range, Part::kValue);
    const Range condition = cost(*c.condition);
    const Range step = cost(*c.step);
    pop(c.var);
    if (two) pop(c.var2);
    sum = sum + cost(*c.result);
    pop(c.accu_var);
    const Range rounds = size_or_unknown(*c.range);
    sum = sum + rounds * (step + condition);
    if (as<LiteralExpr>(c.accu_init)) {
      set_size(e, size(*c.accu_init));
    } else if (as<ListExpr>(c.accu_init) || as<MapExpr>(c.accu_init)) {
      set_size(e, rounds);
      set_entries(e, entries(*c.step));
    }
    return sum;
  }

  const Checked& checked_;
  const CostRules& rules_;
  std::unordered_map<ExprId, Path> paths_;
  std::unordered_map<ExprId, Range> sizes_;
  std::unordered_map<ExprId, EntrySizes> entry_sizes_;
  std::unordered_map<std::string, std::vector<Local>> locals_;
};

}  // namespace

std::uint64_t estimate_max_cost(const Ast& ast, const Checked& checked, const CostRules& rules) {
  return Coster(checked, rules).cost(*ast.root).max;
}

}  // namespace etiage::cel
