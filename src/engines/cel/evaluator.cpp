#include "engines/cel/evaluator.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engines/cel/cost_counter.h"
#include "engines/cel/limits.h"
#include "engines/cel/messages.h"
#include "engines/cel/numbers.h"
#include "engines/cel/quantity_form.h"
#include "engines/cel/steps.h"

namespace etiage::cel {
namespace {

using Op = Node::Op;

struct Slot {
  Value value;
  bool ready = false;
};

/// One evaluation. With `kCounts` every step is told to the cost counter.
template <bool kCounts>
class Evaluator {
 public:
  /// `device`: the only global, where there is one.
  Evaluator(const Program& program, std::span<const Value> globals, const DeviceRecord* device,
            CostCounter* counter)
      : program_(program), globals_(globals), device_(device), counter_(counter) {
    if (program.slot_init.size() > few_slots_.size()) {
      many_slots_.resize(program.slot_init.size());
      slots_ = many_slots_.data();
    }
  }

  Value eval(NodeIndex index) {
    const Node& node = program_.nodes[index];
    switch (node.op) {
      case Op::kConstant:
        return told_constant(node);
      case Op::kAttribute: {
        const Attribute& a = program_.attributes[node.attribute];
        Value v = resolve(a);
        if constexpr (kCounts) counter_->attribute(a, v);
        return v;
      }
      case Op::kTest:
        return test(node);
      case Op::kAnd:
        return logic(node, false);
      case Op::kOr:
        return logic(node, true);
      case Op::kEquals:
      case Op::kNotEquals:
        return equality(node);
      case Op::kCall:
      case Op::kIn:
        return call(node);
      case Op::kSetMembership:
        return membership(node);
      case Op::kOptionalOr:
      case Op::kOptionalOrValue:
        return optional_or(node);
      case Op::kList:
        return list(node);
      case Op::kMap:
        return map(node);
      case Op::kObject:
        return object(node);
      case Op::kFold:
        return fold(node);
    }
    return {};
  }

 private:
  Value told_constant(const Node& node) {
    Value v = node.constant.borrowed();
    if constexpr (kCounts) counter_->constant(node.id, v);
    return v;
  }

  // --- attributes
  // -----------------------------------------------------------------------------------------------------

  Value resolve(const Attribute& a) {
    switch (a.root) {
      case Attribute::Root::kGlobal:
        if constexpr (!kCounts) {
          if (device_ != nullptr && a.index == 0)
            return a.device_key ? device_part(*a.device_key)
                                : walk(device_->variable().borrowed(), a.qualifiers);
        }
        if (a.index == kNoIndex || a.index >= globals_.size()) {
          return Value::error("no such attribute(s): " + a.name);
        }
        return walk(globals_[a.index].borrowed(), a.qualifiers);
      case Attribute::Root::kSlot:
        return walk(slot(a.index), a.qualifiers);
      case Attribute::Root::kNode:
        return walk(eval(a.index), a.qualifiers);
      case Attribute::Root::kConditional:
        break;
    }
    const Value condition = eval(a.index);
    if (condition.is(Kind::kBool)) return resolve(program_.attributes[condition.as_bool() ? a.yes : a.no]);
    return condition.is_error() ? condition : no_such_overload();
  }

  Value device_part(const Attribute::DeviceKey& key) {
    if (const Value* v = device_->find(key.hash, key.name)) return v->borrowed();
    return Value::error("no such key: " + key.name.name);
  }

  Value slot(std::uint32_t index) {
    Slot& s = slots_[index];
    if (!s.ready) {
      s.ready = true;
      const NodeIndex init = program_.slot_init[index];
      if (init != kNoIndex) s.value = growing(eval(init));
    }
    return s.value;
  }
  /// An empty list or map that a loop begins with is its own, to be added to in place.
  static Value growing(Value v) {
    if (v.is(Kind::kList) && v.list_size() == 0) return Value::growing_list();
    if (v.is(Kind::kMap) && v.map().size() == 0) return growing_map();
    return v;
  }

  Value walk(Value v, const std::vector<Qualifier>& qualifiers) {
    if (v.is_error()) return v;
    bool optional = v.is(Kind::kOptional);
    if (optional) {
      if (!v.has_value()) return v;
      v = Value(v.inner());
    }
    for (const Qualifier& q : qualifiers) {
      optional = optional || q.optional;
      Step step = qualify(q, v, optional);
      if (step.value.is_error()) return std::move(step.value);
      if (optional && !step.present) return Value::optional_none();
      v = std::move(step.value);
    }
    return optional ? Value::optional(std::move(v)) : v;
  }

  Step qualify(const Qualifier& q, const Value& v, bool presence) {
    Value computed;
    const Value* key = &q.key;
    if (q.computed != kNoIndex) {
      computed = resolve(program_.attributes[q.computed]);
      if (!computed.is_error() && !usable_key(computed)) {
        computed = Value::error("invalid qualifier type: " + go_type(computed));
      }
      if (computed.is_error()) return told(q, {computed, false}, presence);
      key = &computed;
    }
    Step step = step_into(v, *key, presence || q.test_only);
    if (q.test_only && !step.value.is_error() && !presence) step = {Value::boolean(step.present), true};
    return told(q, std::move(step), presence);
  }
  Step told(const Qualifier& q, Step step, bool presence) {
    if constexpr (kCounts) {
      if (!presence || step.present) counter_->qualifier(q, step.value);
    }
    return step;
  }

  Value test(const Node& node) {
    const Attribute& a = program_.attributes[node.attribute];
    Value v = resolve(a);
    if (v.is(Kind::kOptional)) v = Value::boolean(v.has_value());
    if constexpr (kCounts) counter_->test(a, node.id, v);
    return v;
  }

  // --- operators
  // ------------------------------------------------------------------------------------------------------

  /// `decides`: the value that settles it, whatever the other terms are.
  Value logic(const Node& node, bool decides) {
    Value result = Value::boolean(!decides);
    for (const NodeIndex child : node.children) {
      Value v = eval(child);
      if (v.is(Kind::kBool)) {
        if (v.as_bool() != decides) continue;
        result = std::move(v);
        break;
      }
      if (!result.is_error()) result = v.is_error() ? std::move(v) : no_such_overload();
    }
    if constexpr (kCounts) counter_->logic(node, result);
    return result;
  }

  Value equality(const Node& node) {
    const Value a = eval(node.children[0]);
    const Value b = eval(node.children[1]);
    Value result = a.is_error() ? a : b.is_error() ? b : equals(a, b);
    if (node.op == Op::kNotEquals && !a.is_error() && !b.is_error())
      result = Value::boolean(!result.is_true());
    if constexpr (kCounts) counter_->call(node, result);
    return result;
  }

  Value call(const Node& node) {
    if constexpr (!kCounts) {
      if (!node.constant.is(Kind::kNull)) return node.constant.borrowed();
    }
    constexpr std::size_t kFew = 4;
    const std::size_t n = node.children.size();
    Value few[kFew];
    std::vector<Value> many;
    if (n > kFew) many.resize(n);
    Value* args = n > kFew ? many.data() : few;
    const bool strict = node.function == nullptr || node.function->strict;
    Value result;
    bool failed = false;
    for (std::size_t i = 0; i < n; ++i) {
      args[i] = eval(node.children[i]);
      if (strict && node.until_error && args[i].is_error()) {
        result = args[i];
        failed = true;
        break;
      }
    }
    for (std::size_t i = 0; strict && !failed && i < n; ++i) {
      if (!args[i].is_error()) continue;
      result = args[i];
      failed = true;
    }
    if (!failed) {
      if constexpr (kCounts) counter_->foresee(node, {args, n});
      result = node.op == Op::kIn ? contained(args[0], args[1]) : call_function(node, {args, n});
    }
    if constexpr (kCounts) counter_->call(node, result);
    return result;
  }

  Value membership(const Node& node) {
    Value v = eval(node.children[0]);
    if (!v.is_error()) {
      require_hashable(v);
      v = Value::boolean(std::ranges::any_of(
          node.set, [&](const Value& item) { return item.kind() == v.kind() && same(item, v); }));
    }
    if constexpr (kCounts) counter_->plain(node.id, v);
    return v;
  }

  Value optional_or(const Node& node) {
    Value v = eval(node.children[0]);
    if (v.is(Kind::kOptional)) {
      if (!v.has_value())
        v = eval(node.children[1]);
      else if (node.op == Op::kOptionalOrValue)
        v = Value(v.inner());
    } else if (!v.is_error()) {
      v = no_such_overload();
    }
    if constexpr (kCounts) counter_->plain(node.id, v);
    return v;
  }

  // --- literals
  // -------------------------------------------------------------------------------------------------------

  Value list(const Node& node) {
    Value result = make_list(node);
    if constexpr (kCounts) counter_->literal(node, 10, result);
    return result;
  }
  Value make_list(const Node& node) {
    std::vector<Value> items;
    items.reserve(node.children.size());
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      Value v = eval(node.children[i]);
      if (v.is_error()) return v;
      if (node.optional[i]) {
        if (!v.is(Kind::kOptional)) {
          return Value::error("cannot initialize optional list element from non-optional value " + show(v));
        }
        if (!v.has_value()) continue;
        v = Value(v.inner());
      }
      items.push_back(std::move(v));
    }
    return Value::list(std::move(items));
  }

  Value map(const Node& node) {
    Value result = make_map_value(node);
    if constexpr (kCounts) counter_->literal(node, 30, result);
    return result;
  }
  Value make_map_value(const Node& node) {
    auto map = std::make_unique<MapObject>();
    for (std::size_t i = 0; 2 * i < node.children.size(); ++i) {
      Value key = eval(node.children[2 * i]);
      if (key.is_error()) return key;
      Value v = eval(node.children[2 * i + 1]);
      if (v.is_error()) return v;
      if (node.optional[i]) {
        if (!v.is(Kind::kOptional)) {
          return Value::error(fmt::format("cannot initialize optional entry '{}' from non-optional value {}",
                                          show(key), show(v)));
        }
        if (!v.has_value()) continue;
        v = Value(v.inner());
      }
      require_hashable(key);
      map->put(std::move(key), std::move(v));
    }
    return make_map(std::move(map));
  }

  Value object(const Node& node) {
    Value result = make_object(node);
    if constexpr (kCounts) counter_->literal(node, 40, result);
    return result;
  }
  Value make_object(const Node& node) {
    std::vector<MessageField> fields;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      Value v = eval(node.children[i]);
      if (v.is_error()) return v;
      if (node.optional[i] && v.is(Kind::kOptional)) {
        if (!v.has_value()) continue;
        v = Value(v.inner());
      }
      fields.push_back({node.set[i].text(), std::move(v)});
    }
    return make_message(node.function_name, fields);
  }

  // --- loops
  // ----------------------------------------------------------------------------------------------------------

  Value fold(const Node& node) {
    Value result = run_fold(node);
    if constexpr (kCounts) counter_->fold(node, result);
    return result;
  }

  Value run_fold(const Node& node) {
    slots_[node.accu_slot] = {};
    const Value range = eval(node.children[0]);
    if (range.is_error()) return range;
    const bool two = node.var2_slot != kNoIndex;
    if (range.is(Kind::kList)) {
      // Items are taken by place: a body may not change the list, but may make it flat.
      const std::size_t n = range.list_size();
      for (std::size_t i = 0; i < n; ++i) {
        const Value& item = range.items()[i];
        if (!(two ? round(node, Value::integer(static_cast<std::int64_t>(i)), item) : round(node, item, {})))
          break;
      }
    } else if (range.is(Kind::kMap)) {
      for (const auto& [key, value] : range.map().entries()) {
        if (!round(node, key, value)) break;
      }
    } else if (two) {
      return Value::error("unsupported comprehension range type: " + go_type(range));
    } else {
      return Value::error(fmt::format("got '{}', expected iterable type", go_type(range)));
    }
    Value result = eval(node.children[4]);
    if (result.is(Kind::kList) || result.is(Kind::kMap)) result.settle();
    return result;
  }

  /// One round; false: the loop is over.
  bool round(const Node& node, Value first, Value second) {
    slots_[node.var_slot] = {std::move(first), true};
    if (node.var2_slot != kNoIndex) slots_[node.var2_slot] = {std::move(second), true};
    const Value condition = eval(node.children[2]);
    if (condition.is_false()) return false;
    Value v = eval(node.children[3]);
    slots_[node.accu_slot] = {std::move(v), true};
    return true;
  }

  const Program& program_;
  std::span<const Value> globals_;
  const DeviceRecord* device_;
  CostCounter* counter_;
  std::array<Slot, 4> few_slots_;
  std::vector<Slot> many_slots_;
  Slot* slots_ = few_slots_.data();
};

}  // namespace

bool usable_key(const Value& v) {
  switch (v.kind()) {
    case Kind::kString:
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kBool:
    case Kind::kDouble:
      return true;
    default:
      return false;
  }
}

Value evaluate_program(const Program& program, const DeviceRecord& device) {
  forget_changed_quantities();
  try {
    return Evaluator<false>(program, {}, &device, nullptr).eval(program.root);
  } catch (const EnginePanic& panic) {
    return Value::error("internal error: " + panic.message);
  } catch (const CostExceeded&) {
    return Value::error(std::string(kCostExceeded));
  }
}

Evaluation evaluate_counting(const Program& program, std::span<const Value> globals, std::uint64_t limit) {
  forget_changed_quantities();
  CostCounter counter(program, limit);
  Evaluation out;
  try {
    out.value = Evaluator<true>(program, globals, nullptr, &counter).eval(program.root);
  } catch (const EnginePanic& panic) {
    out.value = Value::error("internal error: " + panic.message);
  } catch (const CostExceeded&) {
    out.value = Value::error(std::string(kCostExceeded));
  }
  out.cost = counter.cost();
  return out;
}

Value evaluate_constant(const Program& program, NodeIndex node) {
  return Evaluator<false>(program, {}, nullptr, nullptr).eval(node);
}

}  // namespace etiage::cel
