#include "engines/dra/constraints.h"

#include <algorithm>

namespace etiage::dra {
namespace {

/// A scalar as a list of one; an empty list, or nothing known, stays empty.
template <class T>
std::vector<T> as_list(const DeviceAttribute& a) {
  if (const auto* one = std::get_if<T>(&a)) return {*one};
  if (const auto* many = std::get_if<std::vector<T>>(&a)) return *many;
  return {};
}

template <class T>
bool narrow_as(const DeviceAttribute& a, const DeviceAttribute& b, DeviceAttribute& out) {
  const std::vector<T> x = as_list<T>(a), y = as_list<T>(b);
  std::vector<T> common;
  for (const T& value : x)
    if (std::ranges::find(y, value) != y.end()) common.push_back(value);
  if (common.empty()) return false;
  out = std::move(common);
  return true;
}

/// The values that both have; false where there are none or the types differ.
bool narrow(const DeviceAttribute& a, const DeviceAttribute& b, DeviceAttribute& out) {
  return narrow_as<std::int64_t>(a, b, out) || narrow_as<bool>(a, b, out) ||
         narrow_as<std::string>(a, b, out) || narrow_as<SemanticVersion>(a, b, out);
}

bool has_values(const DeviceAttribute& a) {
  DeviceAttribute ignored;
  return narrow(a, a, ignored);
}

bool is_scalar(const DeviceAttribute& a) {
  return a.index() >= 1 && a.index() <= 4;
}

}  // namespace

const DeviceAttribute* find_attribute(const Device& device, std::string_view driver,
                                      std::string_view attribute) {
  if (const auto found = device.attributes.find(attribute); found != device.attributes.end())
    return &found->second;
  const std::size_t slash = attribute.find('/');
  if (slash == attribute.npos || attribute.substr(0, slash) != driver) return nullptr;
  const auto bare = device.attributes.find(attribute.substr(slash + 1));
  return bare == device.attributes.end() ? nullptr : &bare->second;
}

bool affects(const DeviceConstraint& constraint, const RequestName& request) {
  if (constraint.requests.empty()) return true;
  return std::ranges::any_of(constraint.requests, [&](const std::string& name) {
    return name == request.base() || (!request.parent.empty() && name == request.full());
  });
}

bool ConstraintState::add(const RequestName& request, const Device& device, std::string_view driver) {
  if (!affects(*constraint_, request)) return true;
  const DeviceAttribute* attribute = find_attribute(device, driver, constraint_->attribute);
  if (!attribute) return false;
  const bool match = constraint_->kind == DeviceConstraint::Kind::kMatchAttribute;
  if (!(match ? add_matching(*attribute) : add_distinct(request, *attribute))) return false;
  ++count_;
  return true;
}

void ConstraintState::remove(const RequestName& request) {
  if (!affects(*constraint_, request)) return;
  --count_;
  if (!matching_.empty() && !(behaviour_->list_narrowing_sticks && count_ > 0)) matching_.pop_back();
  if (!distinct_.empty()) distinct_.pop_back();
  distinct_of_request_.erase(request.base());
}

bool ConstraintState::add_matching(const DeviceAttribute& attribute) {
  const bool lists = behaviour_->gates.list_type_attributes;
  if (count_ == 0) {
    if (lists && !has_values(attribute)) return false;
    matching_.assign(1, attribute);
    return true;
  }
  DeviceAttribute next = attribute;
  if (lists ? !narrow(matching_.back(), attribute, next)
            : !is_scalar(attribute) || attribute != matching_.back())
    return false;
  if (behaviour_->list_narrowing_sticks) {
    matching_.back() = std::move(next);
  } else {
    matching_.push_back(std::move(next));
  }
  return true;
}

bool ConstraintState::same(const DeviceAttribute& now, const DeviceAttribute& before) const {
  DeviceAttribute ignored;
  if (behaviour_->gates.list_type_attributes) return narrow(now, before, ignored);
  if (!is_scalar(now)) return true;  // of no known type: refused beside any other
  return behaviour_->distinct_never_equal ? &now == &before : now == before;
}

bool ConstraintState::add_distinct(const RequestName& request, const DeviceAttribute& attribute) {
  if (behaviour_->distinct_per_request) {
    const bool lists_need_values = behaviour_->gates.list_type_attributes && count_ > 0;
    if (lists_need_values && !has_values(attribute)) return false;
    if (count_ > 0)
      for (const auto& [name, before] : distinct_of_request_)
        if (same(attribute, *before)) return false;
    distinct_of_request_[request.base()] = &attribute;
    return true;
  }
  if (behaviour_->gates.list_type_attributes && !has_values(attribute)) return false;
  for (const DeviceAttribute* before : distinct_)
    if (same(attribute, *before)) return false;
  distinct_.push_back(&attribute);
  return true;
}

}  // namespace etiage::dra
