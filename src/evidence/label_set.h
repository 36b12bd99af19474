#pragma once
// The labels of one series in one piece of memory: a fleet has millions of them.

#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "formats/samples.h"

namespace etiage::evidence {

/// Sorted by name, as readers hand them out. A view into the arena that it was made in.
class LabelSet {
 public:
  LabelSet() = default;
  LabelSet(formats::Labels labels, Arena& arena);

  std::size_t size() const { return size_; }
  formats::Label at(std::size_t i) const;
  /// All of them in order.
  auto each() const {
    return std::views::iota(std::size_t{0}, size()) |
           std::views::transform([this](std::size_t i) { return at(i); });
  }
  /// Empty where the label is absent.
  std::string_view value(std::string_view name) const;

  /// Name and value of each label, ended by a byte 0 and a byte 1: equal where the labels are equal, and
  /// sorted as they are.
  std::string_view text() const { return {text_, text_size_}; }
  static void append(std::string& text, const formats::Label& label);
  /// The same labels in another arena: those of series that are looked at one after the other lie together
  /// there.
  LabelSet copied_to(Arena& arena) const;

 private:
  /// Where name and value begin in the text; both end one byte before what follows them.
  struct Place {
    std::uint32_t name, value;
  };

  const Place* places_ = nullptr;  ///< the text behind them
  const char* text_ = nullptr;
  std::uint32_t size_ = 0, text_size_ = 0;
};

}  // namespace etiage::evidence
