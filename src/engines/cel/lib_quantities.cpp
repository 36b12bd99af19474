// Quantities as values of expressions.

#include <limits>
#include <optional>

#include "engines/cel/library.h"
#include "engines/cel/quantity_form.h"

namespace etiage::cel {
namespace {

Value to_quantity(Args args) {
  const auto q = Quantity::parse(args[0].text());
  return q ? make_quantity(*q, form_of(args[0].text())) : Value::error(q.error().message);
}
Value is_quantity(Args args) {
  return Value::boolean(Quantity::parse(args[0].text()).has_value());
}

/// The whole number that it is, as apimachinery finds it: nothing where it was written with a fraction or
/// with more digits than its short form holds.
std::optional<std::int64_t> whole(const Value& v) {
  const QuantityForm form = form_of(v);
  if (form.wide || form.scale < 0) return std::nullopt;
  const Quantity::Nano units = v.as_quantity().nano() / 1'000'000'000;
  if (units > std::numeric_limits<std::int64_t>::max() || units < std::numeric_limits<std::int64_t>::min()) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(units);
}
Value quantity_sign(Args args) {
  return Value::integer(args[0].as_quantity().sign());
}
Value quantity_as_integer(Args args) {
  const auto n = whole(args[0]);
  return n ? Value::integer(*n) : Value::error("cannot convert value to integer");
}
Value quantity_is_integer(Args args) {
  return Value::boolean(whole(args[0]).has_value());
}
Value quantity_as_float(Args args) {
  return Value::number(args[0].as_quantity().as_double());
}
Value quantity_greater(Args args) {
  return Value::boolean(args[0].as_quantity() > args[1].as_quantity());
}
Value quantity_less(Args args) {
  return Value::boolean(args[0].as_quantity() < args[1].as_quantity());
}
Value quantity_compare(Args args) {
  const auto order = args[0].as_quantity() <=> args[1].as_quantity();
  return Value::integer(order < 0 ? -1 : order > 0 ? 1 : 0);
}
Quantity second_quantity(Args args) {
  return args[1].is(Kind::kInt) ? Quantity::units(args[1].as_int()) : args[1].as_quantity();
}

/// How apimachinery keeps a sum: in its short form as long as all three fit it at the finer of the scales.
QuantityForm form_of_sum(const Quantity& a, QuantityForm fa, const Quantity& b, QuantityForm fb,
                         const Quantity& sum) {
  if (fa.wide || fb.wide) return {0, true};
  if (b.is_zero()) return fa;
  if (a.is_zero()) return fb;
  const int scale = std::min(fa.scale, fb.scale);
  Quantity::Nano unit = 1;
  for (int i = -9; i < std::min(scale, 18); ++i) unit *= 10;
  const auto fits = [&](const Quantity& q) {
    const Quantity::Nano n = q.nano() / unit;
    return n <= std::numeric_limits<std::int64_t>::max() && n >= std::numeric_limits<std::int64_t>::min();
  };
  if (fits(a) && fits(b) && fits(sum)) return {scale, false};
  return {0, true};
}

/// In older releases a wide left side shares its digits with the sum.
template <bool shares, int sign>
Value quantity_sum(Args args) {
  const Quantity a = args[0].as_quantity(), b = second_quantity(args);
  const Quantity sum = sign > 0 ? a + b : a - b;
  const QuantityForm fa = form_of(args[0]);
  const QuantityForm form =
      form_of_sum(a, fa, b, args[1].is(Kind::kInt) ? QuantityForm() : form_of(args[1]), sum);
  return shares && fa.wide ? change_quantity(args[0], sum, form) : make_quantity(sum, form, true);
}

}  // namespace

void declare_quantities(Declarations& d, bool sums_share_digits) {
  d.function("quantity", {{"string_to_quantity", "(string) quantity", to_quantity}});
  d.function("isQuantity", {{"is_quantity_string", "(string) bool", is_quantity}});
  d.function("sign", {{"quantity_sign", "(quantity) int", quantity_sign}});
  d.function("isGreaterThan", {{"quantity_is_greater_than", "quantity.(quantity) bool", quantity_greater}});
  d.function("isLessThan", {{"quantity_is_less_than", "quantity.(quantity) bool", quantity_less}});
  d.function("compareTo", {{"quantity_compare_to", "quantity.(quantity) int", quantity_compare}});
  d.function("asApproximateFloat", {{"quantity_get_float", "quantity.() double", quantity_as_float}});
  d.function("asInteger", {{"quantity_get_int", "quantity.() int", quantity_as_integer}});
  d.function("isInteger", {{"quantity_is_integer", "quantity.() bool", quantity_is_integer}});
  const Compute add = sums_share_digits ? quantity_sum<true, 1> : quantity_sum<false, 1>;
  const Compute subtract = sums_share_digits ? quantity_sum<true, -1> : quantity_sum<false, -1>;
  d.function("add", {{"quantity_add", "quantity.(quantity) quantity", add},
                     {"quantity_add_int", "quantity.(int) quantity", add}});
  d.function("sub", {{"quantity_sub", "quantity.(quantity) quantity", subtract},
                     {"quantity_sub_int", "quantity.(int) quantity", subtract}});
}

}  // namespace etiage::cel
