#include "base/tree.h"

#include <charconv>
#include <cmath>

namespace etiage {
namespace {
const Tree kNothing;
}

Tree Tree::boolean(bool value) {
  Tree t;
  t.kind_ = Kind::kBool;
  t.text_ = value ? "true" : "false";
  return t;
}

Tree Tree::number(std::string text) {
  Tree t;
  t.kind_ = Kind::kNumber;
  t.text_ = std::move(text);
  return t;
}

Tree Tree::string(std::string text) {
  Tree t;
  t.kind_ = Kind::kString;
  t.text_ = std::move(text);
  return t;
}

Tree Tree::sequence(std::vector<Tree> items) {
  Tree t;
  t.kind_ = Kind::kSequence;
  t.items_ = std::move(items);
  return t;
}

Tree Tree::map(std::vector<Member> members) {
  Tree t;
  t.kind_ = Kind::kMap;
  t.members_ = std::move(members);
  return t;
}

std::optional<bool> Tree::as_bool() const {
  if (kind_ != Kind::kBool) return {};
  return text_ == "true";
}

std::optional<std::int64_t> Tree::as_int() const {
  if (kind_ != Kind::kNumber) return {};
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
  if (error == std::errc{} && end == text_.data() + text_.size()) return value;
  const auto real = as_double();  // 1e3 and 2.0 are whole numbers too
  if (!real || std::trunc(*real) != *real || std::fabs(*real) >= 9.2e18) return {};
  return static_cast<std::int64_t>(*real);
}

std::optional<double> Tree::as_double() const {
  if (kind_ != Kind::kNumber) return {};
  double value = 0;
  const char* first = text_.data() + (text_.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
  if (error == std::errc::invalid_argument || end != text_.data() + text_.size()) return {};
  return value;
}

const Tree& Tree::operator[](std::string_view key) const {
  for (const auto& [name, value] : members_)
    if (name == key) return value;
  return kNothing;
}

Tree* Tree::find(std::string_view key) {
  for (auto& [name, value] : members_)
    if (name == key) return &value;
  return nullptr;
}

const Tree& Tree::at(std::size_t index) const {
  return index < items_.size() ? items_[index] : kNothing;
}

void Tree::set(std::string key, Tree value) {
  for (auto& [name, old] : members_)
    if (name == key) {
      old = std::move(value);
      return;
    }
  members_.emplace_back(std::move(key), std::move(value));
}

}  // namespace etiage
