#include "engines/cel/device_record.h"

#include <bit>
#include <map>

#include "engines/cel/quantity_form.h"

namespace etiage::cel {
namespace {

std::uint64_t mix(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  return (hash ^ 0xFF) * 0x100000001B3ull;
}

Result<Value> version(const SemanticVersion& v) {
  auto parsed = Semver::parse(v.text);
  if (!parsed) return failure("parse semantic version: " + parsed.error().message);
  return Value::semver(std::move(*parsed));
}

template <class T, class Make>
Result<Value> list_of(const std::vector<T>& items, Make make) {
  std::vector<Value> values;
  for (const auto& item : items) {
    Result<Value> v = make(item);
    if (!v) return v;
    values.push_back(std::move(*v));
  }
  return Value::list(std::move(values));
}

struct ToValue {
  bool lists;
  Result<Value> operator()(std::monostate) const { return failure("unsupported attribute value"); }
  Result<Value> operator()(std::int64_t i) const { return Value::integer(i); }
  Result<Value> operator()(bool b) const { return Value::boolean(b); }
  Result<Value> operator()(const std::string& s) const { return Value::string(s); }
  Result<Value> operator()(const SemanticVersion& v) const { return version(v); }
  template <class T>
  Result<Value> operator()(const std::vector<T>& items) const {
    if (!lists) return failure("unsupported attribute value");
    return list_of(items, [&](const T& item) -> Result<Value> { return (*this)(item); });
  }
};

}  // namespace

std::uint64_t device_key_hash(bool capacity, std::string_view domain, std::string_view name) {
  const std::uint64_t hash = mix(mix(capacity ? 0x9E3779B97F4A7C15ull : 0xCBF29CE484222325ull, domain), name);
  return hash == 0 ? 1 : hash;
}

DeviceRecord::DeviceRecord(std::string_view driver, const Device& device, bool lists) {
  for (const auto& [name, attribute] : device.attributes) {
    auto value = std::visit(ToValue{lists}, attribute);
    if (!value) {
      error_ = "attribute " + name + ": " + value.error().message;
      return;
    }
    add(false, driver, name, std::move(*value));
  }
  for (const auto& [name, capacity] : device.capacity) {
    add(true, driver, name,
        make_quantity(capacity.value.amount, form_of(std::string_view(capacity.value.text))));
  }
  auto map = std::make_unique<MapObject>();
  map->put(Value::string("driver"), Value::string(std::string(driver)));
  map->put(Value::string("allowMultipleAllocations"), Value::boolean(device.allow_multiple_allocations));
  map->put(Value::string("attributes"), section(false));
  map->put(Value::string("capacity"), section(true));
  variable_ = make_map(std::move(map));
  index();
}

void DeviceRecord::add(bool capacity, std::string_view driver, std::string_view qualified_name, Value value) {
  const auto slash = qualified_name.find('/');
  const auto domain = slash == std::string_view::npos ? driver : qualified_name.substr(0, slash);
  const auto name = slash == std::string_view::npos ? qualified_name : qualified_name.substr(slash + 1);
  for (Entry& e : entries_) {
    if (e.capacity == capacity && e.domain == domain && e.name == name) {
      e.value = std::move(value);
      return;
    }
  }
  entries_.push_back({capacity, std::string(domain), std::string(name), std::move(value)});
}

Value DeviceRecord::section(bool capacity) const {
  std::map<std::string, std::unique_ptr<MapObject>> domains;
  for (const Entry& e : entries_) {
    if (e.capacity != capacity) continue;
    auto& domain = domains[e.domain];
    if (!domain) domain = std::make_unique<MapObject>();
    domain->put(Value::string(e.name), e.value);
  }
  auto map = std::make_unique<MapObject>();
  map->defaulted = true;
  for (auto& [name, domain] : domains) map->put(Value::string(name), make_map(std::move(domain)));
  return make_map(std::move(map));
}

void DeviceRecord::index() {
  const std::size_t size = std::bit_ceil(2 * entries_.size() + 1);
  hashes_.assign(size, 0);
  slots_.assign(size, 0);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    const std::uint64_t hash = device_key_hash(entries_[i].capacity, entries_[i].domain, entries_[i].name);
    std::size_t at = hash & (size - 1);
    while (hashes_[at] != 0) at = (at + 1) & (size - 1);
    hashes_[at] = hash;
    slots_[at] = i;
  }
}

const Value* DeviceRecord::find(std::uint64_t hash, bool capacity, std::string_view domain,
                                std::string_view name) const {
  const std::size_t mask = hashes_.size() - 1;
  for (std::size_t at = hash & mask; hashes_[at] != 0; at = (at + 1) & mask) {
    if (hashes_[at] != hash) continue;
    const Entry& e = entries_[slots_[at]];
    if (e.capacity == capacity && e.name == name && e.domain == domain) return &e.value;
  }
  return nullptr;
}

}  // namespace etiage::cel
