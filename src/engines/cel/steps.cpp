#include "engines/cel/steps.h"

#include <algorithm>
#include <fmt/format.h>

#include "base/result.h"
#include "engines/cel/library.h"
#include "engines/cel/limits.h"
#include "engines/cel/numbers.h"

namespace etiage::cel {
namespace {

bool hashable(const Value& v) {
  return v.kind() != Kind::kBytes && v.kind() != Kind::kSemver && v.kind() != Kind::kFormat;
}

Value missing_key(const Value& key) {
  return Value::error("no such key: " + show(key));
}

/// The place in a list that a key means, or an error.
Result<std::int64_t> list_index(const Value& key) {
  switch (key.kind()) {
    case Kind::kInt:
      return key.as_int();
    case Kind::kDouble:
      if (const auto i = exact_int(key.as_double())) return *i;
      break;
    case Kind::kUint:
      if (key.as_int() >= 0) return key.as_int();
      break;
    default:
      return failure(fmt::format("unsupported index type '{}' in list", type_name(key)));
  }
  return failure(fmt::format("unsupported index value {} in list", show(key)));
}

}  // namespace

void require_hashable(const Value& v) {
  if (!hashable(v)) throw EnginePanic{"runtime error: hash of unhashable type " + go_type(v)};
}

Step step_into(const Value& v, const Value& key, bool presence) {
  if (v.is(Kind::kMap)) {
    const MapObject& map = v.map();
    if (map.size() > 0 && !map.defaulted) require_hashable(key);
    if (const Value* found = map.find(key)) return {*found, true};
    if (map.defaulted) return {empty_map(), true};
    return presence ? Step{{}, false} : Step{missing_key(key), false};
  }
  if (v.is(Kind::kList)) {
    const auto index = list_index(key);
    if (!index) return {Value::error(index.error().message), false};
    const auto& items = v.items();
    if (*index >= 0 && *index < static_cast<std::int64_t>(items.size())) {
      return {items[static_cast<std::size_t>(*index)], true};
    }
    return presence ? Step{{}, false} : Step{Value::error("index out of bounds: " + show(key)), false};
  }
  return presence ? Step{{}, false} : Step{missing_key(key), false};
}

Value contained(const Value& item, const Value& in) {
  if (in.is(Kind::kList)) {
    return Value::boolean(std::ranges::any_of(in.items(), [&](const Value& v) { return same(item, v); }));
  }
  if (in.is(Kind::kMap)) {
    if (in.map().size() > 0 && !in.map().defaulted) require_hashable(item);
    return Value::boolean(in.map().find(item) != nullptr);
  }
  return no_such_overload();
}

}  // namespace etiage::cel
