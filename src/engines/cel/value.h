#pragma once
// Values of CEL as 16 bytes. Small ones stand in place; the others are counted objects, or borrowed ones that
// outlive the evaluation (constants of the program, attributes of the device), which cost nothing to copy.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/quantity.h"
#include "engines/cel/net.h"
#include "engines/cel/semver.h"
#include "engines/cel/url.h"

namespace etiage::cel {

enum class Kind : std::uint8_t {
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kTimestamp,
  kDuration,
  kEmpty,  ///< google.protobuf.Empty, the only message without a value of its own
  kType,   // in place
  kString,
  kBytes,
  kList,
  kMap,
  kOptional,
  kQuantity,
  kSemver,
  kUrl,
  kIp,
  kCidr,
  kFormat,
  kError  // objects
};

/// A moment: seconds since 1970 (years 1 to 9999) and nanoseconds.
struct TimePoint {
  std::int64_t seconds = 0;
  std::int32_t nanos = 0;
  std::int32_t offset = 0;  ///< of the zone it was written in, seconds east

  constexpr auto order() const { return std::pair(seconds, nanos); }
};

struct NamedFormat;

/// What objects have: how many values hold them.
struct Object {
  std::uint32_t count = 0;

  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
};

class Value {
 public:
  constexpr Value() : kind_(Kind::kNull), counted_(false), bits_{} {}
  Value(const Value& o) noexcept : kind_(o.kind_), counted_(o.counted_), bits_(o.bits_) {
    if (counted_) ++bits_.object->count;
  }
  Value(Value&& o) noexcept : kind_(o.kind_), counted_(std::exchange(o.counted_, false)), bits_(o.bits_) {}
  Value& operator=(Value o) noexcept {
    std::swap(kind_, o.kind_);
    std::swap(counted_, o.counted_);
    std::swap(bits_, o.bits_);
    return *this;
  }
  ~Value() {
    if (counted_ && --bits_.object->count == 0) destroy();
  }

  static Value boolean(bool b) { return {Kind::kBool, static_cast<std::int64_t>(b)}; }
  static Value integer(std::int64_t i) { return {Kind::kInt, i}; }
  static Value uinteger(std::uint64_t u) { return {Kind::kUint, static_cast<std::int64_t>(u)}; }
  static Value number(double d);
  static Value duration(std::int64_t ns) { return {Kind::kDuration, ns}; }
  static Value timestamp(TimePoint t);
  static Value empty_message() { return {Kind::kEmpty, std::int64_t{0}}; }
  /// A type as a value; `name` must live for ever (see type_name()).
  static Value type(const char* name);
  static Value string(std::string text);
  static Value bytes(std::string text);
  static Value list(std::vector<Value> items);
  /// Two lists one after the other, without copying either.
  static Value joined(const Value& a, const Value& b);
  /// An empty list that `+` adds to in place.
  static Value growing_list();
  static Value optional(Value inner);
  static Value optional_none();
  static Value quantity(const Quantity& q, bool by_pointer = false);
  static Value semver(Semver v);
  static Value url(Url u);
  static Value ip(const IpAddress& a);
  static Value cidr(const IpPrefix& p);
  static Value format(const NamedFormat* f);
  static Value error(std::string message);

  Kind kind() const { return kind_; }
  bool is(Kind k) const { return kind_ == k; }
  bool is_error() const { return kind_ == Kind::kError; }
  bool is_true() const { return kind_ == Kind::kBool && bits_.i != 0; }
  bool is_false() const { return kind_ == Kind::kBool && bits_.i == 0; }

  bool as_bool() const { return bits_.i != 0; }
  std::int64_t as_int() const { return bits_.i; }
  std::uint64_t as_uint() const { return static_cast<std::uint64_t>(bits_.i); }
  double as_double() const { return bits_.d; }
  std::int64_t as_duration() const { return bits_.i; }
  const TimePoint& as_timestamp() const;
  const char* as_type() const { return bits_.type; }
  const std::string& text() const;  ///< of strings, bytes and errors
  /// Code points of a string, counted once.
  std::size_t points() const;
  /// Lays the list out if it is a joined one; throws CostExceeded where it is too long for that.
  const std::vector<Value>& items() const;
  std::size_t list_size() const;
  /// Adds to a growing list or map; false: it is none.
  bool append(const Value& list) const;
  bool insert(const Value& key, const Value& value) const;
  /// The end of growing.
  void settle() const;
  const class MapObject& map() const;
  bool has_value() const;      ///< optionals
  const Value& inner() const;  ///< of an optional that has one
  const Quantity& as_quantity() const;
  bool quantity_by_pointer() const;  ///< made by arithmetic: Kubernetes then knows it as another type
  const Semver& as_semver() const;
  const Url& as_url() const;
  const IpAddress& as_ip() const;
  const IpPrefix& as_cidr() const;
  const NamedFormat& as_format() const;
  const void* identity() const { return bits_.object; }
  /// What stands in place, or where the object stands.
  std::uint64_t bits() const { return static_cast<std::uint64_t>(bits_.i); }
  /// The very same object, or the same in place: equal, but not every equal value is.
  bool is_identical(const Value& o) const { return kind_ == o.kind_ && bits_.i == o.bits_.i; }

  /// The same value without a share in its object, which must outlive the result.
  Value borrowed() const {
    Value v;
    v.kind_ = kind_;
    v.bits_ = bits_;
    return v;
  }

  /// Takes over an object that nothing holds yet.
  Value(Kind kind, Object* object) : kind_(kind), counted_(true) {
    bits_.object = object;
    ++object->count;
  }

 private:
  union Bits {
    std::int64_t i;
    double d;
    Object* object;
    const char* type;
  };
  Value(Kind kind, std::int64_t i) : kind_(kind), counted_(false) { bits_.i = i; }
  void destroy() noexcept;

  Kind kind_;
  bool counted_;
  Bits bits_;
};

struct TextObject : Object {
  std::string text;
  mutable std::size_t points = SIZE_MAX;
};
/// `left` and `right` are lists until the items are laid out.
struct ListObject : Object {
  std::vector<Value> items;
  Value left, right;
  std::size_t size = 0;
  bool growing = false;
};

/// A map with its keys in order. `defaulted`: looking up a key that is not there by selection or index finds
/// an empty map, as the maps of attributes and capacities by domain do; `in`, size and iteration see the real
/// keys only.
class MapObject : public Object {
 public:
  using Entry = std::pair<Value, Value>;

  /// The entry of the key or of a number equal to it; null: none.
  const Value* find(const Value& key) const;
  const Value* find_string(std::string_view key) const;
  /// Adds an entry, or replaces that of the very same key.
  void put(Value key, Value value);
  void reserve(std::size_t n) { entries_.reserve(n); }
  const std::vector<Entry>& entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }

  bool defaulted = false;
  bool growing = false;

 private:
  const Value* find_exact(const Value& key) const;

  std::vector<Entry> entries_;
  /// Places by the hash of the key, once there are many.
  std::unordered_multimap<std::size_t, std::uint32_t> index_;
};

Value make_map(std::unique_ptr<MapObject> map);
/// An empty map that entries are inserted into in place.
Value growing_map();
/// The empty map that `defaulted` maps give.
const Value& empty_map();

/// The run-time type, as in `int`, `google.protobuf.Duration`, `kubernetes.Semver`.
const char* type_name(const Value& v);
/// The name that lives for ever of a type; null where there is none of that name.
const char* known_type_name(std::string_view name);

/// `==` with errors where the left side insists on its own type.
Value equals(const Value& a, const Value& b);
/// -1, 0, 1, or an error where the two have no order.
Value compare(const Value& a, const Value& b);
inline bool same(const Value& a, const Value& b) {
  return equals(a, b).is_true();
}

/// Characters, items or entries; 1 for what has no size.
std::uint64_t actual_size(const Value& v);
bool has_size(const Value& v);
/// How messages show a value, as Go's %v does.
std::string show(const Value& v);
/// The type that Go's %T tells of a value, as in `types.Int`.
std::string go_type(const Value& v);

}  // namespace etiage::cel
