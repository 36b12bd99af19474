// Equality and order of values, with the refusals that cel-go and Kubernetes make.

#include <cmath>

#include "engines/cel/numbers.h"
#include "engines/cel/value.h"

namespace etiage::cel {
namespace {

Value list_equals(const std::vector<Value>& a, const std::vector<Value>& b) {
  if (a.size() != b.size()) return Value::boolean(false);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (equals(a[i], b[i]).is_false()) return Value::boolean(false);
  }
  return Value::boolean(true);
}

Value map_equals(const MapObject& a, const MapObject& b) {
  if (a.size() != b.size()) return Value::boolean(false);
  for (const auto& [key, value] : a.entries()) {
    const Value* other = b.find(key);
    if (other == nullptr && b.defaulted) other = &empty_map();
    if (other == nullptr || equals(value, *other).is_false()) return Value::boolean(false);
  }
  return Value::boolean(true);
}

Value optional_equals(const Value& a, const Value& b) {
  if (a.has_value() != b.has_value()) return Value::boolean(false);
  if (!a.has_value()) return Value::boolean(true);
  const Value& x = a.inner();
  if (x.is(Kind::kNull)) return Value::boolean(b.inner().is(Kind::kNull));
  return equals(x, b.inner());
}

Value no_overload() {
  return Value::error("no such overload");
}

/// Types of Kubernetes refuse to be compared with any other.
bool insists_on_type(Kind kind) {
  return kind == Kind::kQuantity || kind == Kind::kSemver || kind == Kind::kUrl || kind == Kind::kIp ||
         kind == Kind::kCidr || kind == Kind::kFormat;
}

Value own_type_equals(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return no_overload();
  switch (a.kind()) {
    case Kind::kQuantity:
      // What arithmetic makes is a pointer in Kubernetes, which its equality does not expect on the right.
      if (b.quantity_by_pointer()) return no_overload();
      return Value::boolean(a.as_quantity() == b.as_quantity());
    case Kind::kSemver:
      return Value::boolean(a.as_semver().order(b.as_semver()) == 0);
    case Kind::kUrl:
      return Value::boolean(to_string(a.as_url()) == to_string(b.as_url()));
    case Kind::kIp:
      return Value::boolean(a.as_ip() == b.as_ip());
    case Kind::kCidr:
      return Value::boolean(a.as_cidr() == b.as_cidr());
    default:
      return Value::boolean(&a.as_format() == &b.as_format());
  }
}

Value order_value(std::partial_ordering order) {
  return Value::integer(order < 0 ? -1 : order > 0 ? 1 : 0);
}

}  // namespace

Value equals(const Value& a, const Value& b) {
  if (a.is(Kind::kNull) || b.is(Kind::kNull)) return Value::boolean(a.kind() == b.kind());
  if (insists_on_type(a.kind())) return own_type_equals(a, b);
  if (is_number(a) && is_number(b)) return Value::boolean(number_order(a, b) == 0);
  if (a.kind() != b.kind()) return Value::boolean(false);
  switch (a.kind()) {
    case Kind::kBool:
    case Kind::kDuration:
      return Value::boolean(a.as_int() == b.as_int());
    case Kind::kType:
      return Value::boolean(std::string_view(a.as_type()) == b.as_type());
    case Kind::kString:
    case Kind::kBytes:
      return Value::boolean(a.text() == b.text());
    case Kind::kTimestamp:
      return Value::boolean(a.as_timestamp().order() == b.as_timestamp().order());
    case Kind::kList:
      return list_equals(a.items(), b.items());
    case Kind::kMap:
      return map_equals(a.map(), b.map());
    case Kind::kOptional:
      return optional_equals(a, b);
    case Kind::kEmpty:
      return Value::boolean(true);
    default:
      return Value::boolean(false);
  }
}

Value compare(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) {
    const auto order = number_order(a, b);
    if (order == std::partial_ordering::unordered) return Value::error("NaN values cannot be ordered");
    return order_value(order);
  }
  if (a.is(Kind::kDouble) && std::isnan(a.as_double())) return Value::error("NaN values cannot be ordered");
  if (a.kind() != b.kind()) return no_overload();
  switch (a.kind()) {
    case Kind::kBool:
    case Kind::kDuration:
      return order_value(a.as_int() <=> b.as_int());
    case Kind::kTimestamp:
      return order_value(a.as_timestamp().order() <=> b.as_timestamp().order());
    case Kind::kString:
    case Kind::kBytes:
      return order_value(a.text() <=> b.text());
    default:
      return no_overload();
  }
}

}  // namespace etiage::cel
