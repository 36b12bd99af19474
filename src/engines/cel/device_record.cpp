#include "engines/cel/device_record.h"

#include <algorithm>
#include <bit>

#include "engines/cel/quantity_form.h"

namespace etiage::cel {
namespace {

using Section = DeviceName::Section;

std::uint64_t mix(std::uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  return (hash ^ 0xFF) * 0x100000001B3ull;
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
  DeviceVocabulary& vocabulary;
  Result<Value> operator()(std::monostate) const { return failure("unsupported attribute value"); }
  Result<Value> operator()(std::int64_t i) const { return Value::integer(i); }
  Result<Value> operator()(bool b) const { return Value::boolean(b); }
  Result<Value> operator()(const std::string& s) const { return vocabulary.text(s); }
  Result<Value> operator()(const SemanticVersion& v) const { return vocabulary.version(v); }
  template <class T>
  Result<Value> operator()(const std::vector<T>& items) const {
    if (!lists) return failure("unsupported attribute value");
    return list_of(items, [&](const T& item) -> Result<Value> { return (*this)(item); });
  }
};

DeviceName name_in(Section section, std::string_view driver, std::string_view qualified) {
  const auto slash = qualified.find('/');
  const bool plain = slash == std::string_view::npos;
  return {section, std::string(plain ? driver : qualified.substr(0, slash)),
          std::string(plain ? qualified : qualified.substr(slash + 1))};
}

}  // namespace

std::uint64_t hash_of(const DeviceName& name) {
  constexpr std::uint64_t kOffset = 0xCBF29CE484222325ull;
  const std::uint64_t hash =
      mix(mix(kOffset + static_cast<std::uint64_t>(name.section), name.domain), name.name);
  return hash ^ (hash >> 32);
}

DeviceShape::DeviceShape(std::vector<DeviceName> names)
    : names_(std::move(names)), cells_(std::bit_ceil(2 * names_.size() + 1)), mask_(cells_.size() - 1) {
  for (std::uint32_t i = 0; i < names_.size(); ++i) {
    const std::uint64_t hash = hash_of(names_[i]);
    std::size_t at = hash & mask_;
    while (cells_[at].place != kNoPlace) at = (at + 1) & mask_;
    cells_[at] = {hash, i};
  }
}

bool NamePattern::fits(std::string_view other_driver, const Device& device) const {
  const auto key = [](const auto& entry) -> const std::string& { return entry.first; };
  return driver == other_driver && attributes.size() == device.attributes.size() &&
         capacity.size() == device.capacity.size() &&
         std::ranges::equal(attributes, device.attributes, {}, {}, key) &&
         std::ranges::equal(capacity, device.capacity, {}, {}, key);
}

std::shared_ptr<const DeviceShape> DeviceVocabulary::shape(std::vector<DeviceName> names) {
  auto& shape = shapes_[names];
  if (!shape) shape = std::make_shared<const DeviceShape>(std::move(names));
  return shape;
}

const NamePattern& DeviceVocabulary::pattern(std::string_view driver, const Device& device) {
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    const std::size_t at = (last_pattern_ + i) % patterns_.size();
    if (patterns_[at].fits(driver, device)) return patterns_[last_pattern_ = at];
  }
  NamePattern fresh{std::string(driver), {}, {}, {}, {}};
  std::vector<DeviceName> names{{}};
  // The same name with and without the driver's domain: the later one counts.
  const auto add = [&](DeviceName name) {
    const auto found = std::ranges::find(names, name);
    fresh.places.push_back(static_cast<std::uint32_t>(found - names.begin()));
    if (found == names.end()) names.push_back(std::move(name));
  };
  for (const auto& [name, attribute] : device.attributes) {
    fresh.attributes.push_back(name);
    add(name_in(Section::kAttributes, driver, name));
  }
  for (const auto& [name, capacity] : device.capacity) {
    fresh.capacity.push_back(name);
    add(name_in(Section::kCapacity, driver, name));
  }
  fresh.shape = shape(std::move(names));
  constexpr std::size_t kPatterns = 16;
  last_pattern_ = patterns_.size() < kPatterns ? patterns_.size() : (last_pattern_ + 1) % kPatterns;
  if (last_pattern_ == patterns_.size()) patterns_.emplace_back();
  return patterns_[last_pattern_] = std::move(fresh);
}

Value DeviceVocabulary::text(const std::string& text) {
  const auto [entry, fresh] = texts_.try_emplace(text);
  if (fresh) entry->second = Value::string(text);
  return entry->second;
}

Result<Value> DeviceVocabulary::version(const SemanticVersion& v) {
  if (const auto found = versions_.find(v.text); found != versions_.end()) return found->second;
  auto parsed = Semver::parse(v.text);
  if (!parsed) return failure("parse semantic version: " + parsed.error().message);
  return versions_.emplace(v.text, Value::semver(std::move(*parsed))).first->second;
}

Value DeviceVocabulary::quantity(const WrittenQuantity& q) {
  if (const auto found = quantities_.find(q.text);
      found != quantities_.end() && found->second.as_quantity() == q.amount)
    return found->second;
  const QuantityForm form = form_of(std::string_view(q.text));
  const Value made = make_quantity(q.amount, form);
  // A wide one may change during an evaluation, so each device has its own.
  if (!form.wide) quantities_.try_emplace(q.text, made);
  return made;
}

DeviceRecord::DeviceRecord(std::string_view driver, const Device& device, bool lists,
                           DeviceVocabulary& vocabulary)
    : allow_multiple_allocations_(device.allow_multiple_allocations) {
  const NamePattern& pattern = vocabulary.pattern(driver, device);
  values_.resize(pattern.shape->names().size());
  values_[0] = vocabulary.text(pattern.driver);
  std::size_t next = 0;
  for (const auto& [name, attribute] : device.attributes) {
    auto value = std::visit(ToValue{lists, vocabulary}, attribute);
    if (!value) {
      error_ = "attribute " + name + ": " + value.error().message;
      return;
    }
    values_[pattern.places[next++]] = std::move(*value);
  }
  for (const auto& [name, capacity] : device.capacity)
    values_[pattern.places[next++]] = vocabulary.quantity(capacity.value);
  shape_ = pattern.shape;
}

const Value& DeviceRecord::variable() const {
  if (variable_) return *variable_;
  auto map = std::make_unique<MapObject>();
  map->put(Value::string("driver"), values_[0]);
  map->put(Value::string("allowMultipleAllocations"), Value::boolean(allow_multiple_allocations_));
  map->put(Value::string("attributes"), section(Section::kAttributes));
  map->put(Value::string("capacity"), section(Section::kCapacity));
  return variable_.emplace(make_map(std::move(map)));
}

Value DeviceRecord::section(Section section) const {
  std::map<std::string, std::unique_ptr<MapObject>> domains;
  const auto& names = shape_->names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].section != section) continue;
    auto& domain = domains[names[i].domain];
    if (!domain) domain = std::make_unique<MapObject>();
    domain->put(Value::string(names[i].name), values_[i]);
  }
  auto map = std::make_unique<MapObject>();
  map->defaulted = true;
  for (auto& [name, domain] : domains) map->put(Value::string(name), make_map(std::move(domain)));
  return make_map(std::move(map));
}

}  // namespace etiage::cel
