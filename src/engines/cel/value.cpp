#include "engines/cel/value.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "engines/cel/go_text.h"
#include "engines/cel/limits.h"
#include "engines/cel/named_format.h"
#include "engines/cel/numbers.h"
#include "engines/cel/quantity_form.h"
#include "engines/cel/source.h"

namespace etiage::cel {
namespace {

template <class T>
struct Boxed : Object {
  T value;
  explicit Boxed(T v) : value(std::move(v)) {}
};
struct QuantityObject : Object {
  Quantity value;
  QuantityForm form;
  bool by_pointer = false;
};
/// Quantities whose digits another shares and changed, in this thread's evaluation.
struct ChangedQuantities {
  struct Entry {
    Value holder;
    const QuantityObject* object;
    std::size_t cell;
  };
  std::vector<Entry> entries;
  std::deque<Quantity> cells;

  const Entry* find(const QuantityObject* object) const {
    const auto found = std::ranges::find(entries, object, &Entry::object);
    return found == entries.end() ? nullptr : &*found;
  }
};
thread_local ChangedQuantities changed_quantities;

struct OptionalObject : Object {
  std::optional<Value> value;
};

template <class T>
const T& object(const void* p) {
  return *static_cast<const T*>(static_cast<const Object*>(p));
}

Value text_value(Kind kind, std::string text) {
  auto* o = new TextObject;
  o->text = std::move(text);
  return {kind, o};
}

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

std::string show_entries(const MapObject& map) {
  std::string out = "{";
  for (const auto& [key, value] : map.entries()) {
    if (out.size() > 1) out += ", ";
    out += show(key) + ": " + show(value);
  }
  return out + "}";
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
Value Value::quantity(const Quantity& q, bool by_pointer) {
  auto* o = new QuantityObject;
  o->value = q;
  o->by_pointer = by_pointer;
  return {Kind::kQuantity, o};
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
const Quantity& Value::as_quantity() const {
  const auto& o = object<QuantityObject>(bits_.object);
  if (o.form.wide) [[unlikely]] {
    if (const auto* changed = changed_quantities.find(&o)) return changed_quantities.cells[changed->cell];
  }
  return o.value;
}
Value make_quantity(const Quantity& q, QuantityForm form, bool by_pointer) {
  Value v = Value::quantity(q, by_pointer);
  // Nobody else has it yet.
  const_cast<QuantityObject*>(static_cast<const QuantityObject*>(v.identity()))->form = form;
  return v;
}
QuantityForm form_of(const Value& quantity) {
  return object<QuantityObject>(quantity.identity()).form;
}
Value change_quantity(const Value& left, const Quantity& sum, QuantityForm form) {
  auto& all = changed_quantities;
  const auto* object = static_cast<const QuantityObject*>(left.identity());
  const auto* mine = all.find(object);
  const std::size_t cell = mine != nullptr ? mine->cell : all.cells.size();
  if (mine == nullptr) {
    all.cells.push_back(sum);
    all.entries.push_back({left, object, cell});
  }
  all.cells[cell] = sum;
  Value out = make_quantity(sum, form, true);
  all.entries.push_back({out, static_cast<const QuantityObject*>(out.identity()), cell});
  return out;
}
void forget_changed_quantities() {
  if (changed_quantities.entries.empty()) [[likely]]
    return;
  changed_quantities.entries.clear();
  changed_quantities.cells.clear();
}
bool Value::quantity_by_pointer() const {
  return object<QuantityObject>(bits_.object).by_pointer;
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

namespace {

constexpr std::size_t kIndexFrom = 16;

std::size_t hash_key(const Value& key) {
  switch (key.kind()) {
    case Kind::kString:
      return std::hash<std::string>{}(key.text());
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kUint:
      return std::hash<std::int64_t>{}(key.as_int());
    case Kind::kDouble:
      return std::hash<double>{}(key.as_double());
    default:
      return 0;
  }
}

}  // namespace

const Value* MapObject::find_exact(const Value& key) const {
  if (!index_.empty()) {
    const auto [begin, end] = index_.equal_range(hash_key(key));
    for (auto i = begin; i != end; ++i) {
      const auto& [k, v] = entries_[i->second];
      if (k.kind() == key.kind() && same(k, key)) return &v;
    }
    return nullptr;
  }
  for (const auto& [k, v] : entries_) {
    if (k.kind() == key.kind() && same(k, key)) return &v;
  }
  return nullptr;
}

const Value* MapObject::find_string(std::string_view key) const {
  for (const auto& [k, v] : entries_) {
    if (k.is(Kind::kString) && k.text() == key) return &v;
  }
  return nullptr;
}

const Value* MapObject::find(const Value& key) const {
  if (const Value* found = find_exact(key)) return found;
  switch (key.kind()) {
    case Kind::kDouble:
      if (const auto i = exact_int(key.as_double())) {
        if (const Value* found = find_exact(Value::integer(*i))) return found;
      }
      if (const auto u = exact_uint(key.as_double())) return find_exact(Value::uinteger(*u));
      return nullptr;
    case Kind::kInt:
      return key.as_int() >= 0 ? find_exact(Value::uinteger(key.as_uint())) : nullptr;
    case Kind::kUint:
      return key.as_int() >= 0 ? find_exact(Value::integer(key.as_int())) : nullptr;
    default:
      return nullptr;
  }
}

void MapObject::put(Value key, Value value) {
  if (const Value* found = find_exact(key)) {
    *const_cast<Value*>(found) = std::move(value);
    return;
  }
  entries_.emplace_back(std::move(key), std::move(value));
  if (entries_.size() == kIndexFrom) {
    for (std::uint32_t i = 0; i < entries_.size(); ++i) index_.emplace(hash_key(entries_[i].first), i);
  } else if (entries_.size() > kIndexFrom) {
    index_.emplace(hash_key(entries_.back().first), static_cast<std::uint32_t>(entries_.size() - 1));
  }
}

Value make_map(std::unique_ptr<MapObject> map) {
  return {Kind::kMap, map.release()};
}

Value growing_map() {
  auto map = std::make_unique<MapObject>();
  map->growing = true;
  return make_map(std::move(map));
}

const Value& empty_map() {
  static const Value kEmpty = make_map(std::make_unique<MapObject>());
  static const Value kBorrowed = kEmpty.borrowed();
  return kBorrowed;
}

const char* type_name(const Value& v) {
  switch (v.kind()) {
    case Kind::kNull:
      return "null_type";
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return "int";
    case Kind::kUint:
      return "uint";
    case Kind::kDouble:
      return "double";
    case Kind::kTimestamp:
      return "google.protobuf.Timestamp";
    case Kind::kDuration:
      return "google.protobuf.Duration";
    case Kind::kType:
      return "type";
    case Kind::kString:
      return "string";
    case Kind::kBytes:
      return "bytes";
    case Kind::kList:
      return "list";
    case Kind::kMap:
      return "map";
    case Kind::kOptional:
      return "optional_type";
    case Kind::kQuantity:
      return "kubernetes.Quantity";
    case Kind::kSemver:
      return "kubernetes.Semver";
    case Kind::kUrl:
      return "kubernetes.URL";
    case Kind::kIp:
      return "net.IP";
    case Kind::kCidr:
      return "net.CIDR";
    case Kind::kFormat:
      return "kubernetes.NamedFormat";
    case Kind::kError:
      return "error";
  }
  return "";
}

const char* known_type_name(std::string_view name) {
  static constexpr std::array<const char*, 21> kNames{"null_type",
                                                      "bool",
                                                      "int",
                                                      "uint",
                                                      "double",
                                                      "google.protobuf.Timestamp",
                                                      "google.protobuf.Duration",
                                                      "type",
                                                      "string",
                                                      "bytes",
                                                      "list",
                                                      "map",
                                                      "optional_type",
                                                      "kubernetes.Quantity",
                                                      "kubernetes.Semver",
                                                      "kubernetes.URL",
                                                      "net.IP",
                                                      "net.CIDR",
                                                      "kubernetes.NamedFormat",
                                                      "dyn",
                                                      "kubernetes.DRADevice"};
  const auto found = std::ranges::find(kNames, name);
  return found == kNames.end() ? nullptr : *found;
}

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

std::string show(const Value& v) {
  switch (v.kind()) {
    case Kind::kNull:
      return "0";
    case Kind::kBool:
      return v.as_bool() ? "true" : "false";
    case Kind::kInt:
      return std::to_string(v.as_int());
    case Kind::kUint:
      return std::to_string(v.as_uint());
    case Kind::kDouble:
      return go_float(v.as_double());
    case Kind::kType:
      return v.as_type();
    case Kind::kString:
    case Kind::kError:
      return v.text();
    case Kind::kBytes: {
      std::string out = "[";
      for (const char c : v.text())
        out += fmt::format("{}{}", out.size() > 1 ? " " : "", static_cast<unsigned char>(c));
      return out + "]";
    }
    case Kind::kDuration:
      return go_duration(v.as_duration());
    case Kind::kTimestamp:
      return go_time_default(v.as_timestamp());
    case Kind::kList: {
      std::string out = "[";
      for (const Value& item : v.items()) out += (out.size() > 1 ? ", " : "") + show(item);
      return out + "]";
    }
    case Kind::kMap:
      return show_entries(v.map());
    case Kind::kOptional:
      return v.has_value() ? "optional(" + show(v.inner()) + ")" : "optional.none()";
    case Kind::kQuantity:
      return v.as_quantity().canonical();
    case Kind::kSemver:
      return to_string(v.as_semver());
    case Kind::kUrl:
      return to_string(v.as_url());
    case Kind::kIp:
      return to_string(v.as_ip());
    case Kind::kCidr:
      return to_string(v.as_cidr());
    case Kind::kFormat:
      return std::string(v.as_format().name);
  }
  return {};
}

std::string go_type(const Value& v) {
  switch (v.kind()) {
    case Kind::kNull:
      return "types.Null";
    case Kind::kBool:
      return "types.Bool";
    case Kind::kInt:
      return "types.Int";
    case Kind::kUint:
      return "types.Uint";
    case Kind::kDouble:
      return "types.Double";
    case Kind::kTimestamp:
      return "types.Timestamp";
    case Kind::kDuration:
      return "types.Duration";
    case Kind::kType:
      return "*types.Type";
    case Kind::kString:
      return "types.String";
    case Kind::kBytes:
      return "types.Bytes";
    case Kind::kList:
      return "*types.baseList";
    case Kind::kMap:
      return "*types.baseMap";
    case Kind::kOptional:
      return "*types.Optional";
    case Kind::kQuantity:
      return v.quantity_by_pointer() ? "*cel.Quantity" : "cel.Quantity";
    case Kind::kSemver:
      return "cel.Semver";
    case Kind::kUrl:
      return "cel.URL";
    case Kind::kIp:
      return "cel.IP";
    case Kind::kCidr:
      return "cel.CIDR";
    case Kind::kFormat:
      return "cel.Format";
    case Kind::kError:
      return "*types.Err";
  }
  return {};
}

}  // namespace etiage::cel
