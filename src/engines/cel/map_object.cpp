// Maps as values, and how keys are found.

#include "engines/cel/numbers.h"
#include "engines/cel/value.h"

namespace etiage::cel {
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

}  // namespace etiage::cel
