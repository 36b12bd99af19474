#include "engines/cel/library.h"
#include "engines/cel/limits.h"

namespace etiage::cel {
namespace {

bool is_zero(const Value& v) {
  switch (v.kind()) {
    case Kind::kNull:
      return true;
    case Kind::kBool:
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kDuration:
      return v.as_int() == 0;
    case Kind::kDouble:
      return v.as_double() == 0;
    case Kind::kString:
    case Kind::kBytes:
      return v.text().empty();
    case Kind::kList:
      return v.items().empty();
    case Kind::kMap:
      return v.map().size() == 0;
    // The first moment of year 1, as Go's zero time.
    case Kind::kTimestamp:
      return v.as_timestamp().seconds == -62135596800 && v.as_timestamp().nanos == 0;
    default:
      return false;
  }
}

Value of(Args args) {
  return Value::optional(args[0]);
}
Value of_non_zero(Args args) {
  return is_zero(args[0]) ? Value::optional_none() : Value::optional(args[0]);
}
Value none(Args) {
  return Value::optional_none();
}
Value value(Args args) {
  return args[0].has_value() ? args[0].inner() : Value::error("optional.none() dereference");
}
Value has_value(Args args) {
  return Value::boolean(args[0].has_value());
}
Value first(Args args) {
  const auto& items = args[0].items();
  return items.empty() ? Value::optional_none() : Value::optional(items.front());
}
Value last(Args args) {
  const auto& items = args[0].items();
  return items.empty() ? Value::optional_none() : Value::optional(items.back());
}
Value unwrap(Args args) {
  std::vector<Value> out;
  for (const Value& item : args[0].items()) {
    if (!item.is(Kind::kOptional)) return Value::error("value " + show(item) + " is not optional");
    if (item.has_value()) out.push_back(item.inner());
  }
  return Value::list(std::move(out));
}

Value insert_one(const Value& map, const Value& key, const Value& value) {
  if (key.is(Kind::kBytes) || key.is(Kind::kSemver) || key.is(Kind::kFormat)) {
    throw EnginePanic{"runtime error: hash of unhashable type " + go_type(key)};
  }
  if (map.map().find(key) != nullptr)
    return Value::error("insert failed: key " + show(key) + " already exists");
  if (map.insert(key, value)) return map;
  auto copy = std::make_unique<MapObject>();
  for (const auto& [k, v] : map.map().entries()) copy->put(k, v);
  copy->put(key, value);
  return make_map(std::move(copy));
}
Value insert_entry(Args args) {
  return insert_one(args[0], args[1], args[2]);
}
Value insert_map(Args args) {
  Value map = args[0];
  for (const auto& [k, v] : args[1].map().entries()) {
    map = insert_one(map, k, v);
    if (map.is_error()) break;
  }
  return map;
}

}  // namespace

void declare_optionals(Declarations& d) {
  d.function("optional.of", {{"optional_of", "(V) optional(V)", of}});
  d.function("optional.ofNonZeroValue", {{"optional_ofNonZeroValue", "(V) optional(V)", of_non_zero}});
  d.function("optional.none", {{"optional_none", "() optional(V)", none}});
  d.function("value", {{"optional_value", "optional(V).() V", value}});
  d.function("hasValue", {{"optional_hasValue", "optional(V).() bool", has_value}});
  d.function("or", {{"optional_or_optional", "optional(V).(optional(V)) optional(V)"}});
  d.function("orValue", {{"optional_orValue_value", "optional(V).(V) V"}});
  d.function("_?._", {{"select_optional_field", "(dyn, string) optional(V)"}});
  d.function("_[?_]", {{"list_optindex_optional_int", "(list(V), int) optional(V)"},
                       {"optional_list_optindex_optional_int", "(optional(list(V)), int) optional(V)"},
                       {"map_optindex_optional_value", "(map(K, V), K) optional(V)"},
                       {"optional_map_optindex_optional_value", "(optional(map(K, V)), K) optional(V)"}});
  d.function("_[_]", {{"optional_list_index_int", "(optional(list(V)), int) optional(V)"},
                      {"optional_map_index_value", "(optional(map(K, V)), K) optional(V)"}});
  d.function("last", {{"list_last", "list(V).() optional(V)", last}});
  d.function("first", {{"list_first", "list(V).() optional(V)", first}});
  d.function("optional.unwrap", {{"optional_unwrap", "(list(optional(V))) list(V)", unwrap}});
  d.function("unwrapOpt", {{"optional_unwrapOpt", "list(optional(V)).() list(V)", unwrap}});
  d.function("cel.@mapInsert", {{"@mapInsert_map_key_value", "(map(K, V), K, V) map(K, V)", insert_entry},
                                {"@mapInsert_map_map", "(map(K, V), map(K, V)) map(K, V)", insert_map}});
}

}  // namespace etiage::cel
