#pragma once
// Counts what an evaluation costs, as cel-go's cost tracker does: by a stack of values with the ids of the
// expressions that gave them, from which each call takes its arguments.

#include <cstdint>
#include <span>
#include <vector>

#include "engines/cel/program.h"

namespace etiage::cel {

class CostCounter {
 public:
  CostCounter(const Program& program, std::uint64_t limit) : program_(program), limit_(limit) {}

  std::uint64_t cost() const { return cost_; }

  void constant(ExprId id, const Value& v) { push(id, v); }
  void attribute(const Attribute& a, const Value& v);
  /// `has()`: the last step counts, the chain does not.
  void test(const Attribute& a, ExprId id, const Value& v);
  void qualifier(const Qualifier& q, const Value& v);
  void logic(const Node& node, const Value& v);
  void fold(const Node& node, const Value& v);
  void call(const Node& node, const Value& v);
  void literal(const Node& node, std::uint64_t base, const Value& v);
  void plain(ExprId id, const Value& v) { push(id, v); }

  /// Before a call whose own running time grows faster than its input: stops what will cost too much anyway.
  void foresee(const Node& node, std::span<const Value> args);

 private:
  struct Entry {
    Value value;
    ExprId id;
  };
  void push(ExprId id, const Value& v);
  void drop(ExprId id);
  bool take(ExprId id, Value& out);
  std::size_t find(ExprId id);

  const Program& program_;
  std::uint64_t limit_;
  std::uint64_t cost_ = 0;
  std::vector<Entry> stack_;
  /// By id: places in the stack, the newest last; stale ones are skipped.
  std::vector<std::vector<std::uint32_t>> places_;
};

/// What a call costs, given its arguments and its result.
std::uint64_t call_cost(const Node& node, std::span<const Value> args, const Value& result);

}  // namespace etiage::cel
