#include "engines/cel/value.h"

#include <algorithm>
#include <cassert>

#include "engines/cel/limits.h"
#include "engines/cel/source.h"
#include "engines/cel/value_objects.h"

namespace etiage::cel {
namespace {

Value text_value(Kind kind, std::string text) {
  auto* o = new TextObject;
  o->text = std::move(text);
  return {kind, o};
}

}  // namespace

Value Value::number(double d) {
  Value v{Kind::kDouble, std::int64_t{0}};
  v.bits_.d = d;
  return v;
}
Value Value::type(const char* name) {
  Value v{Kind::kType, std::int64_t{0}};
  v.bits_.type = name;
  return v;
}
Value Value::timestamp(TimePoint t) {
  return {Kind::kTimestamp, new Boxed<TimePoint>(t)};
}
Value Value::string(std::string text) {
  return text_value(Kind::kString, std::move(text));
}
Value Value::bytes(std::string text) {
  return text_value(Kind::kBytes, std::move(text));
}
Value Value::error(std::string message) {
  return text_value(Kind::kError, std::move(message));
}
Value Value::list(std::vector<Value> items) {
  auto* o = new ListObject;
  o->size = items.size();
  o->items = std::move(items);
  return {Kind::kList, o};
}
Value Value::joined(const Value& a, const Value& b) {
  if (a.list_size() == 0) return b;
  if (b.list_size() == 0) return a;
  auto* o = new ListObject;
  o->left = a;
  o->right = b;
  // Doubling a list often enough leaves every integer behind.
  if (__builtin_add_overflow(a.list_size(), b.list_size(), &o->size)) o->size = SIZE_MAX >> 1;
  return {Kind::kList, o};
}
Value Value::growing_list() {
  Value v = list({});
  static_cast<ListObject*>(v.bits_.object)->growing = true;
  return v;
}
bool Value::append(const Value& more) const {
  auto* o = static_cast<ListObject*>(bits_.object);
  if (!o->growing || more.bits_.object == o) return false;
  o->size += more.list_size();
  if (o->size > kMaxItems) throw CostExceeded{};
  o->items.insert(o->items.end(), more.items().begin(), more.items().end());
  return true;
}
bool Value::insert(const Value& key, const Value& value) const {
  auto* o = static_cast<MapObject*>(bits_.object);
  if (o->growing) o->put(key, value);
  return o->growing;
}
void Value::settle() const {
  if (kind_ == Kind::kList) static_cast<ListObject*>(bits_.object)->growing = false;
  if (kind_ == Kind::kMap) static_cast<MapObject*>(bits_.object)->growing = false;
}
Value Value::optional(Value inner) {
  auto* o = new OptionalObject;
  o->value = std::move(inner);
  return {Kind::kOptional, o};
}
Value Value::optional_none() {
  return {Kind::kOptional, new OptionalObject};
}
Value Value::semver(Semver v) {
  return {Kind::kSemver, new Boxed<Semver>(std::move(v))};
}
Value Value::url(Url u) {
  return {Kind::kUrl, new Boxed<Url>(std::move(u))};
}
Value Value::ip(const IpAddress& a) {
  return {Kind::kIp, new Boxed<IpAddress>(a)};
}
Value Value::cidr(const IpPrefix& p) {
  return {Kind::kCidr, new Boxed<IpPrefix>(p)};
}
Value Value::format(const NamedFormat* f) {
  Value v{Kind::kFormat, std::int64_t{0}};
  v.bits_.type = reinterpret_cast<const char*>(f);
  return v;
}

void Value::destroy() noexcept {
  switch (kind_) {
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kError:
      delete static_cast<TextObject*>(bits_.object);
      break;
    case Kind::kList:
      delete static_cast<ListObject*>(bits_.object);
      break;
    case Kind::kMap:
      delete static_cast<MapObject*>(bits_.object);
      break;
    case Kind::kOptional:
      delete static_cast<OptionalObject*>(bits_.object);
      break;
    case Kind::kQuantity:
      delete static_cast<QuantityObject*>(bits_.object);
      break;
    case Kind::kSemver:
      delete static_cast<Boxed<Semver>*>(bits_.object);
      break;
    case Kind::kUrl:
      delete static_cast<Boxed<Url>*>(bits_.object);
      break;
    case Kind::kIp:
      delete static_cast<Boxed<IpAddress>*>(bits_.object);
      break;
    case Kind::kCidr:
      delete static_cast<Boxed<IpPrefix>*>(bits_.object);
      break;
    case Kind::kTimestamp:
      delete static_cast<Boxed<TimePoint>*>(bits_.object);
      break;
    default:
      assert(false);
  }
}

const TimePoint& Value::as_timestamp() const {
  return object<Boxed<TimePoint>>(bits_.object).value;
}
const std::string& Value::text() const {
  return object<TextObject>(bits_.object).text;
}
std::size_t Value::points() const {
  const auto& o = object<TextObject>(bits_.object);
  if (o.points == SIZE_MAX) o.points = count_points(o.text);
  return o.points;
}
std::size_t Value::list_size() const {
  return object<ListObject>(bits_.object).size;
}
const std::vector<Value>& Value::items() const {
  auto& o = *static_cast<ListObject*>(bits_.object);
  if (o.items.size() == o.size) return o.items;
  if (o.size > kMaxItems) throw CostExceeded{};
  // Laid out from the right, with the lists still to come on a stack: chains may be long.
  std::vector<Value> todo{o.left, o.right};
  std::vector<Value> items;
  items.reserve(o.size);
  while (!todo.empty()) {
    const Value part = std::move(todo.back());
    todo.pop_back();
    const auto& p = object<ListObject>(part.bits_.object);
    if (p.items.size() == p.size) {
      items.insert(items.end(), p.items.rbegin(), p.items.rend());
    } else {
      todo.push_back(p.left);
      todo.push_back(p.right);
    }
  }
  std::ranges::reverse(items);
  o.items = std::move(items);
  o.left = o.right = Value();
  return o.items;
}
const MapObject& Value::map() const {
  return object<MapObject>(bits_.object);
}
bool Value::has_value() const {
  return object<OptionalObject>(bits_.object).value.has_value();
}
const Value& Value::inner() const {
  return *object<OptionalObject>(bits_.object).value;
}
const Semver& Value::as_semver() const {
  return object<Boxed<Semver>>(bits_.object).value;
}
const Url& Value::as_url() const {
  return object<Boxed<Url>>(bits_.object).value;
}
const IpAddress& Value::as_ip() const {
  return object<Boxed<IpAddress>>(bits_.object).value;
}
const IpPrefix& Value::as_cidr() const {
  return object<Boxed<IpPrefix>>(bits_.object).value;
}
const NamedFormat& Value::as_format() const {
  return *reinterpret_cast<const NamedFormat*>(bits_.type);
}

bool has_size(const Value& v) {
  switch (v.kind()) {
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kList:
    case Kind::kMap:
    case Kind::kIp:
    case Kind::kCidr:
      return true;
    default:
      return false;
  }
}

std::uint64_t actual_size(const Value& v) {
  switch (v.kind()) {
    case Kind::kString:
      return v.points();
    case Kind::kBytes:
      return v.text().size();
    case Kind::kList:
      return v.list_size();
    case Kind::kMap:
      return v.map().size();
    case Kind::kIp:
      return v.as_ip().v4 ? 4 : 16;
    case Kind::kCidr:
      return static_cast<std::uint64_t>((v.as_cidr().bits + 7) / 8);
    default:
      return 1;
  }
}

}  // namespace etiage::cel
