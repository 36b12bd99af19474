#pragma once
// Ids that the compiler tells apart.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace etiage {

/// An index into a table of things of one kind; `Tag` is the kind. Not valid until given a value.
template <class Tag>
struct Id {
  std::uint32_t value = UINT32_MAX;

  constexpr bool valid() const { return value != UINT32_MAX; }
  constexpr std::size_t index() const { return value; }
  constexpr auto operator<=>(const Id&) const = default;
};

}  // namespace etiage

template <class Tag>
struct std::hash<etiage::Id<Tag>> {
  std::size_t operator()(etiage::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
