#pragma once
// The labels of one series in one piece of memory: a fleet has millions of them.

#include <cstdint>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "formats/samples.h"

namespace etiage::evidence {

/// Sorted by name, as readers hand them out.
class LabelSet {
 public:
  LabelSet() = default;
  explicit LabelSet(formats::Labels labels);

  std::size_t size() const { return places_.size(); }
  formats::Label at(std::size_t i) const;
  /// All of them in order; views into this set.
  auto each() const {
    return std::views::iota(std::size_t{0}, size()) |
           std::views::transform([this](std::size_t i) { return at(i); });
  }
  /// Empty where the label is absent.
  std::string_view value(std::string_view name) const;

  /// Name and value of each label, ended by a byte 0 and a byte 1: equal where the labels are equal, and
  /// sorted as they are.
  std::string_view text() const { return text_; }
  static void append(std::string& text, const formats::Label& label);

 private:
  /// Where name and value begin in `text_`; both end one byte before what follows them.
  struct Place {
    std::uint32_t name, value;
  };

  std::string text_;
  std::vector<Place> places_;
};

}  // namespace etiage::evidence
