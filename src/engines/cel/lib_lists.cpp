#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>

#include "engines/cel/library.h"
#include "engines/cel/limits.h"

namespace etiage::cel {
namespace {

using Line = Declarations::Line;

constexpr std::array<std::string_view, 8> kComparable{"int",      "uint",      "double", "bool",
                                                      "duration", "timestamp", "string", "bytes"};
/// The same types by their run-time names, in the order of cel-go's own list library.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kSortable{
    {{"int", "int"},
     {"uint", "uint"},
     {"double", "double"},
     {"bool", "bool"},
     {"duration", "google.protobuf.Duration"},
     {"timestamp", "google.protobuf.Timestamp"},
     {"string", "string"},
     {"bytes", "bytes"}}};

bool comparable(const Value& v) {
  return (traits_of(v.kind()) & kComparer) != 0;
}

// --- Kubernetes's list functions
// ------------------------------------------------------------------------------------

Value is_sorted(Args args) {
  const Value* previous = nullptr;
  for (const Value& item : args[0].items()) {
    if (!comparable(item)) return no_such_overload();
    if (previous != nullptr) {
      const Value order = compare(*previous, item);
      if (order.is(Kind::kInt) && order.as_int() == 1) return Value::boolean(false);
    }
    previous = &item;
  }
  return Value::boolean(true);
}

template <Value (*add)(const Value&, const Value&)>
Value sum_from(Value total, const std::vector<Value>& items) {
  for (const Value& item : items) {
    if ((traits_of(item.kind()) & kAdder) == 0) return no_such_overload();
    total = add(total, item);
    if (total.is_error()) return total;
  }
  return total;
}
Value add_values(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return no_such_overload();
  switch (a.kind()) {
    case Kind::kInt:
    case Kind::kDuration: {
      std::int64_t sum;
      if (__builtin_add_overflow(a.as_int(), b.as_int(), &sum)) return Value::error("integer overflow");
      return a.is(Kind::kInt) ? Value::integer(sum) : Value::duration(sum);
    }
    case Kind::kUint: {
      std::uint64_t sum;
      if (__builtin_add_overflow(a.as_uint(), b.as_uint(), &sum))
        return Value::error("unsigned integer overflow");
      return Value::uinteger(sum);
    }
    default:
      return Value::number(a.as_double() + b.as_double());
  }
}
Value sum_int(Args args) {
  return sum_from<add_values>(Value::integer(0), args[0].items());
}
Value sum_uint(Args args) {
  return sum_from<add_values>(Value::uinteger(0), args[0].items());
}
Value sum_double(Args args) {
  return sum_from<add_values>(Value::number(0), args[0].items());
}
Value sum_duration(Args args) {
  return sum_from<add_values>(Value::duration(0), args[0].items());
}

/// The first item that no later one is beyond (`wanted`: 1 for the smallest, -1 for the largest).
Value extreme(const std::vector<Value>& items, std::int64_t wanted, std::string_view name) {
  const Value* best = nullptr;
  for (const Value& item : items) {
    if (!comparable(item)) return no_such_overload();
    if (best == nullptr) {
      best = &item;
      continue;
    }
    const Value order = compare(*best, item);
    if (order.is(Kind::kInt) && order.as_int() == wanted) best = &item;
  }
  return best != nullptr ? *best : Value::error(fmt::format("{} called on empty list", name));
}
Value min_of(Args args) {
  return extreme(args[0].items(), 1, "min");
}
Value max_of(Args args) {
  return extreme(args[0].items(), -1, "max");
}

Value index_of(Args args) {
  const auto& items = args[0].items();
  const auto found = std::ranges::find_if(items, [&](const Value& v) { return same(v, args[1]); });
  return Value::integer(found == items.end() ? -1 : found - items.begin());
}
Value last_index_of(Args args) {
  const auto& items = args[0].items();
  const auto found =
      std::find_if(items.rbegin(), items.rend(), [&](const Value& v) { return same(v, args[1]); });
  return Value::integer(items.rend() - found - 1);
}

template <std::size_t limit>
Value includes(Args args) {
  if (!args[0].is(Kind::kList)) return Value::boolean(same(args[0], args[1]));
  std::size_t seen = 0;
  for (const Value& item : args[0].items()) {
    if (limit > 0 && seen++ >= limit) {
      return Value::error(
          fmt::format("'includes' function cannot be applied to lists longer than {} values", limit));
    }
    if (same(item, args[1])) return Value::boolean(true);
  }
  return Value::boolean(false);
}

// --- cel-go's list functions
// ----------------------------------------------------------------------------------------

Value slice(Args args) {
  const auto& items = args[0].items();
  const std::int64_t begin = args[1].as_int(), end = args[2].as_int();
  const auto refused = [&](std::string why) {
    return Value::error(fmt::format("cannot slice({}, {}), {}", begin, end, why));
  };
  if (begin < 0 || end < 0) return refused("negative indexes not supported");
  if (begin > end) return refused("start index must be less than or equal to end index");
  if (static_cast<std::int64_t>(items.size()) < end)
    return refused(fmt::format("list is length {}", items.size()));
  return Value::list({items.begin() + begin, items.begin() + end});
}

void flatten_into(std::vector<Value>& out, const std::vector<Value>& items, std::int64_t depth) {
  for (const Value& item : items) {
    if (item.is(Kind::kList) && depth > 0)
      flatten_into(out, item.items(), depth - 1);
    else
      out.push_back(item);
    if (out.size() > kMaxItems) throw CostExceeded{};
  }
}
Value flatten(Args args) {
  if (!args[0].is(Kind::kList)) {
    return Value::error(fmt::format("no such overload: {}.flatten()", type_name(args[0])));
  }
  std::vector<Value> out;
  flatten_into(out, args[0].items(), 1);
  return Value::list(std::move(out));
}
Value flatten_depth(Args args) {
  if (!args[0].is(Kind::kList) || !args[1].is(Kind::kInt)) {
    return Value::error(
        fmt::format("no such overload: {}.flatten({})", type_name(args[0]), type_name(args[1])));
  }
  if (args[1].as_int() < 0) return Value::error("level must be non-negative");
  std::vector<Value> out;
  flatten_into(out, args[0].items(), args[1].as_int());
  return Value::list(std::move(out));
}

Value sort_by_keys(const Value& list, const Value& keys) {
  const auto &items = list.items(), &by = keys.items();
  if (items.size() != by.size()) {
    return Value::error(
        fmt::format("@sortByAssociatedKeys() expected a list of the same size as the associated keys "
                    "list, but got {} and {} elements respectively",
                    items.size(), by.size()));
  }
  if (items.empty()) return list;
  if (!comparable(by[0])) return Value::error("list elements must be comparable");
  const bool mixed =
      by.size() > 1 && std::ranges::any_of(by, [&](const Value& k) { return k.kind() != by[0].kind(); });
  if (mixed) return Value::error("list elements must have the same type");
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  // Go's sort is not stable either, but sorts up to twelve elements by insertion.
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const Value c = compare(by[a], by[b]);
    return c.is(Kind::kInt) && c.as_int() < 0;
  });
  std::vector<Value> sorted;
  sorted.reserve(items.size());
  for (const std::size_t i : order) sorted.push_back(items[i]);
  return Value::list(std::move(sorted));
}
Value sort(Args args) {
  return sort_by_keys(args[0], args[0]);
}
Value sort_by(Args args) {
  return sort_by_keys(args[0], args[1]);
}

/// More than any evaluation may cost; the list is not made.
constexpr std::int64_t kRangeCut = 1'100'000;

template <bool refuses_negative, std::int64_t limit>
Value range(Args args) {
  const std::int64_t n = args[0].as_int();
  if (refuses_negative && n < 0) {
    return Value::error(fmt::format("lists.range: size must be non-negative, got {}", n));
  }
  if (limit > 0 && n > limit) {
    return Value::error(fmt::format("lists.range: size {} exceeds maximum allowed ({})", n, limit));
  }
  std::vector<Value> items;
  const std::int64_t count = std::clamp<std::int64_t>(n, 0, kRangeCut);
  items.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) items.push_back(Value::integer(i));
  return Value::list(std::move(items));
}

Value reverse(Args args) {
  const auto& items = args[0].items();
  return Value::list({items.rbegin(), items.rend()});
}

Value distinct(Args args) {
  std::vector<Value> out;
  for (const Value& item : args[0].items()) {
    const bool seen = std::ranges::any_of(out, [&](const Value& v) { return same(item, v); });
    if (!seen) out.push_back(item);
  }
  return Value::list(std::move(out));
}

// --- sets
// -----------------------------------------------------------------------------------------------------------

bool has_item(const std::vector<Value>& items, const Value& v) {
  return std::ranges::any_of(items, [&](const Value& item) { return same(v, item); });
}
bool contains_all(const Value& list, const Value& part) {
  return std::ranges::all_of(part.items(), [&](const Value& v) { return has_item(list.items(), v); });
}
Value sets_contains(Args args) {
  return Value::boolean(contains_all(args[0], args[1]));
}
Value sets_equivalent(Args args) {
  return Value::boolean(contains_all(args[0], args[1]) && contains_all(args[1], args[0]));
}
Value sets_intersects(Args args) {
  return Value::boolean(
      std::ranges::any_of(args[0].items(), [&](const Value& v) { return has_item(args[1].items(), v); }));
}

void declare_kubernetes_lists(Declarations& d, const LibraryOptions& options) {
  for (const auto type : kComparable) {
    const auto t = std::string(type);
    const auto member = "list(" + t + ").() ";
    d.function("isSorted", std::vector<Line>{{"list_" + t + "_is_sorted_bool", member + "bool", is_sorted}});
    d.function("max", std::vector<Line>{{"list_" + t + "_max_" + t, member + t, max_of}});
    d.function("min", std::vector<Line>{{"list_" + t + "_min_" + t, member + t, min_of}});
  }
  d.function("sum", {{"list_int_sum_int", "list(int).() int", sum_int},
                     {"list_uint_sum_uint", "list(uint).() uint", sum_uint},
                     {"list_double_sum_double", "list(double).() double", sum_double},
                     {"list_duration_sum_duration", "list(duration).() duration", sum_duration}});
  d.function("indexOf", {{"list_a_index_of_int", "list(A).(A) int", index_of}});
  d.function("lastIndexOf", {{"list_a_last_index_of_int", "list(A).(A) int", last_index_of}});
  if (!options.includes) return;
  if (options.includes_limit > 0) {
    d.function("includes", {{"dra_includes_dyn_dyn", "dyn.(dyn) bool", includes<48>}});
  } else {
    d.function("includes", {{"list_includes_dyn_dyn", "dyn.(dyn) bool", includes<0>}});
  }
}

}  // namespace

void declare_lists(Declarations& d, const LibraryOptions& options) {
  d.function("sets.contains", {{"list_sets_contains_list", "(list(T), list(T)) bool", sets_contains}});
  d.function("sets.equivalent", {{"list_sets_equivalent_list", "(list(T), list(T)) bool", sets_equivalent}});
  d.function("sets.intersects", {{"list_sets_intersects_list", "(list(T), list(T)) bool", sets_intersects}});
  if (options.kubernetes) declare_kubernetes_lists(d, options);
  if (!options.lists) return;
  d.function("slice", {{"list_slice", "list(T).(int, int) list(T)", slice}});
  Function& flat = d.function("flatten", {{"list_flatten", "list(list(T)).() list(T)", flatten},
                                          {"list_flatten_int", "list(dyn).(int) list(dyn)", flatten_depth}});
  flat.guarded = false;
  for (const auto& [type, name] : kSortable) {
    const auto list = "list(" + std::string(type) + ")";
    const auto prefix = "list_" + std::string(name);
    d.function("sort", std::vector<Line>{{prefix + "_sort", list + ".() " + list}});
    d.function("@sortByAssociatedKeys",
               std::vector<Line>{{prefix + "_sortByAssociatedKeys", "list(T).(" + list + ") list(T)"}});
  }
  constexpr unsigned kLister = kAdder | kContainer | kIndexer | kIterable | kSizer;
  d.singleton("sort", sort, kLister, {});
  d.singleton("@sortByAssociatedKeys", sort_by, kLister, {});
  const Compute make_range = options.refuses_negative_range ? range<true, 1'000'000> : range<false, 0>;
  d.function("lists.range", {{"lists_range", "(int) list(int)", make_range}});
  d.function("reverse", {{"list_reverse", "list(T).() list(T)", reverse}});
  d.function("distinct", {{"list_distinct", "list(T).() list(T)", distinct}});
}

}  // namespace etiage::cel
