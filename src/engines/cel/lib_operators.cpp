// Operators and the functions of the standard library that dispatch on what their first argument can do.

#include <array>
#include <cmath>

#include "engines/cel/library.h"
#include "engines/cel/limits.h"
#include "engines/cel/numbers.h"
#include "engines/cel/regex.h"
#include "engines/cel/time_math.h"

namespace etiage::cel {
namespace {

Value int_overflow() {
  return Value::error("integer overflow");
}
Value uint_overflow() {
  return Value::error("unsigned integer overflow");
}

Value add_lists(const Value& a, const Value& b) {
  return a.append(b) ? a : Value::joined(a, b);
}

Value add_texts(const Value& a, const Value& b) {
  if (a.text().size() + b.text().size() > kMaxTextBytes) throw CostExceeded{};
  return a.is(Kind::kString) ? Value::string(a.text() + b.text()) : Value::bytes(a.text() + b.text());
}

Value add(Args args) {
  const Value &a = args[0], &b = args[1];
  if (a.is(Kind::kDuration) || a.is(Kind::kTimestamp)) return add_time(a, b);
  if (a.kind() != b.kind()) return no_such_overload();
  switch (a.kind()) {
    case Kind::kInt: {
      std::int64_t sum;
      return __builtin_add_overflow(a.as_int(), b.as_int(), &sum) ? int_overflow() : Value::integer(sum);
    }
    case Kind::kUint: {
      std::uint64_t sum;
      return __builtin_add_overflow(a.as_uint(), b.as_uint(), &sum) ? uint_overflow() : Value::uinteger(sum);
    }
    case Kind::kDouble:
      return Value::number(a.as_double() + b.as_double());
    case Kind::kString:
    case Kind::kBytes:
      return add_texts(a, b);
    default:
      return add_lists(a, b);
  }
}

Value subtract(Args args) {
  const Value &a = args[0], &b = args[1];
  if (a.is(Kind::kDuration) || a.is(Kind::kTimestamp)) return subtract_time(a, b);
  if (a.kind() != b.kind()) return no_such_overload();
  switch (a.kind()) {
    case Kind::kInt: {
      std::int64_t rest;
      return __builtin_sub_overflow(a.as_int(), b.as_int(), &rest) ? int_overflow() : Value::integer(rest);
    }
    case Kind::kUint:
      return b.as_uint() > a.as_uint() ? uint_overflow() : Value::uinteger(a.as_uint() - b.as_uint());
    default:
      return Value::number(a.as_double() - b.as_double());
  }
}

Value multiply(Args args) {
  const Value &a = args[0], &b = args[1];
  if (a.kind() != b.kind()) return no_such_overload();
  switch (a.kind()) {
    case Kind::kInt: {
      std::int64_t product;
      return __builtin_mul_overflow(a.as_int(), b.as_int(), &product) ? int_overflow()
                                                                      : Value::integer(product);
    }
    case Kind::kUint: {
      std::uint64_t product;
      return __builtin_mul_overflow(a.as_uint(), b.as_uint(), &product) ? uint_overflow()
                                                                        : Value::uinteger(product);
    }
    default:
      return Value::number(a.as_double() * b.as_double());
  }
}

constexpr std::int64_t kMinInt = std::numeric_limits<std::int64_t>::min();

Value divide(Args args) {
  const Value &a = args[0], &b = args[1];
  if (a.kind() != b.kind()) return no_such_overload();
  if (a.is(Kind::kDouble)) return Value::number(a.as_double() / b.as_double());
  if (b.as_uint() == 0) return Value::error("division by zero");
  if (a.is(Kind::kUint)) return Value::uinteger(a.as_uint() / b.as_uint());
  if (a.as_int() == kMinInt && b.as_int() == -1) return int_overflow();
  return Value::integer(a.as_int() / b.as_int());
}

Value modulo(Args args) {
  const Value &a = args[0], &b = args[1];
  if (a.kind() != b.kind()) return no_such_overload();
  if (b.as_uint() == 0) return Value::error("modulus by zero");
  if (a.is(Kind::kUint)) return Value::uinteger(a.as_uint() % b.as_uint());
  if (a.as_int() == kMinInt && b.as_int() == -1) return int_overflow();
  return Value::integer(a.as_int() % b.as_int());
}

Value negate(Args args) {
  const Value& a = args[0];
  switch (a.kind()) {
    case Kind::kInt:
      return a.as_int() == kMinInt ? int_overflow() : Value::integer(-a.as_int());
    case Kind::kDouble:
      return Value::number(-a.as_double());
    case Kind::kDuration:
      return a.as_int() == kMinInt ? int_overflow() : Value::duration(-a.as_int());
    default:
      return no_such_overload();
  }
}

Value logical_not(Args args) {
  return args[0].is(Kind::kBool) ? Value::boolean(!args[0].as_bool()) : no_such_overload();
}
Value not_strictly_false(Args args) {
  return args[0].is(Kind::kBool) ? args[0] : Value::boolean(true);
}

template <class Test>
Value ordered(Args args, Test test) {
  Value order = compare(args[0], args[1]);
  return order.is_error() ? order : Value::boolean(test(order.as_int()));
}
Value less(Args args) {
  return ordered(args, [](auto o) { return o < 0; });
}
Value less_equals(Args args) {
  return ordered(args, [](auto o) { return o <= 0; });
}
Value greater(Args args) {
  return ordered(args, [](auto o) { return o > 0; });
}
Value greater_equals(Args args) {
  return ordered(args, [](auto o) { return o >= 0; });
}

Value size(Args args) {
  return Value::integer(static_cast<std::int64_t>(actual_size(args[0])));
}

Value match(Args args) {
  if (!args[1].is(Kind::kString)) return no_such_overload();
  return regex_matches(args[0].text(), args[1].text());
}

void declare_order(Declarations& d, std::string_view op, std::string_view word, Compute compute) {
  static constexpr std::array<std::array<std::string_view, 3>, 14> kPairs{
      {{"bool", "bool", "bool"},
       {"int64", "int", "int"},
       {"int64_double", "int", "double"},
       {"int64_uint64", "int", "uint"},
       {"uint64", "uint", "uint"},
       {"uint64_double", "uint", "double"},
       {"uint64_int64", "uint", "int"},
       {"double", "double", "double"},
       {"double_int64", "double", "int"},
       {"double_uint64", "double", "uint"},
       {"string", "string", "string"},
       {"bytes", "bytes", "bytes"},
       {"timestamp", "timestamp", "timestamp"},
       {"duration", "duration", "duration"}}};
  for (const auto& [suffix, left, right] : kPairs) {
    const std::string id = std::string(word) + "_" + std::string(suffix);
    const std::string signature = "(" + std::string(left) + ", " + std::string(right) + ") bool";
    d.function(op, std::vector<Declarations::Line>{{id, signature}});
  }
  Function& f = d.function(op, {});
  f.singleton = compute;
  f.trait = kComparer;
}

}  // namespace

void declare_operators(Declarations& d) {
  d.function("_?_:_", {{"conditional", "(bool, A, A) A"}});
  d.function("_&&_", {{"logical_and", "(bool, bool) bool"}});
  d.function("_||_", {{"logical_or", "(bool, bool) bool"}});
  d.singleton("!_", logical_not, kNoTrait, {{"logical_not", "(bool) bool"}});
  d.function("@not_strictly_false", {{"not_strictly_false", "(bool) bool", not_strictly_false}}).strict =
      false;
  d.function("_==_", {{"equals", "(A, A) bool"}});
  d.function("_!=_", {{"not_equals", "(A, A) bool"}});
  d.singleton("_+_", add, kAdder,
              {{"add_bytes", "(bytes, bytes) bytes"},
               {"add_double", "(double, double) double"},
               {"add_duration_duration", "(duration, duration) duration"},
               {"add_duration_timestamp", "(duration, timestamp) timestamp"},
               {"add_timestamp_duration", "(timestamp, duration) timestamp"},
               {"add_int64", "(int, int) int"},
               {"add_list", "(list(A), list(A)) list(A)"},
               {"add_string", "(string, string) string"},
               {"add_uint64", "(uint, uint) uint"}});
  d.singleton("_/_", divide, kDivider,
              {{"divide_double", "(double, double) double"},
               {"divide_int64", "(int, int) int"},
               {"divide_uint64", "(uint, uint) uint"}});
  d.singleton("_%_", modulo, kModder,
              {{"modulo_int64", "(int, int) int"}, {"modulo_uint64", "(uint, uint) uint"}});
  d.singleton("_*_", multiply, kMultiplier,
              {{"multiply_double", "(double, double) double"},
               {"multiply_int64", "(int, int) int"},
               {"multiply_uint64", "(uint, uint) uint"}});
  d.singleton("-_", negate, kNegator, {{"negate_double", "(double) double"}, {"negate_int64", "(int) int"}});
  d.singleton("_-_", subtract, kSubtractor,
              {{"subtract_double", "(double, double) double"},
               {"subtract_duration_duration", "(duration, duration) duration"},
               {"subtract_int64", "(int, int) int"},
               {"subtract_timestamp_duration", "(timestamp, duration) timestamp"},
               {"subtract_timestamp_timestamp", "(timestamp, timestamp) duration"},
               {"subtract_uint64", "(uint, uint) uint"}});
  declare_order(d, "_<_", "less", less);
  declare_order(d, "_<=_", "less_equals", less_equals);
  declare_order(d, "_>_", "greater", greater);
  declare_order(d, "_>=_", "greater_equals", greater_equals);
  d.function("_[_]", {{"index_list", "(list(A), int) A"}, {"index_map", "(map(A, B), A) B"}});
  d.function("@in", {{"in_list", "(A, list(A)) bool"}, {"in_map", "(A, map(A, B)) bool"}});
  d.singleton("size", size, kSizer,
              {{"size_bytes", "(bytes) int"},
               {"bytes_size", "bytes.() int"},
               {"size_list", "(list(A)) int"},
               {"list_size", "list(A).() int"},
               {"size_map", "(map(A, B)) int"},
               {"map_size", "map(A, B).() int"},
               {"size_string", "(string) int"},
               {"string_size", "string.() int"}});
  d.singleton("matches", match, kMatcher,
              {{"matches", "(string, string) bool"}, {"matches_string", "string.(string) bool"}});
}

}  // namespace etiage::cel
