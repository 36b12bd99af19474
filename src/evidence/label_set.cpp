#include "evidence/label_set.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace etiage::evidence {
namespace {

char* put(char* to, std::string_view text, char end) {
  to = std::ranges::copy(text, to).out;
  *to = end;
  return to + 1;
}

}  // namespace

LabelSet::LabelSet(formats::Labels labels, Arena& arena) : size_(static_cast<std::uint32_t>(labels.size())) {
  for (const formats::Label& l : labels)
    text_size_ += static_cast<std::uint32_t>(l.name.size() + l.value.size() + 2);
  char* const block = arena.take(size_ * sizeof(Place) + text_size_);
  char* const text = block + size_ * sizeof(Place);
  char* at = text;
  Place* place = reinterpret_cast<Place*>(block);
  for (const formats::Label& l : labels) {
    const auto name = static_cast<std::uint32_t>(at - text);
    std::construct_at(place++, name, name + static_cast<std::uint32_t>(l.name.size()) + 1);
    at = put(put(at, l.name, '\0'), l.value, '\1');
  }
  places_ = reinterpret_cast<const Place*>(block);
  text_ = text;
}

LabelSet LabelSet::copied_to(Arena& arena) const {
  LabelSet out = *this;
  if (size_ == 0) return out;
  const std::size_t before_text = size_ * sizeof(Place);
  char* const block = arena.take(before_text + text_size_);
  std::memcpy(block, places_, before_text + text_size_);
  out.places_ = reinterpret_cast<const Place*>(block);
  out.text_ = block + before_text;
  return out;
}

void LabelSet::append(std::string& text, const formats::Label& label) {
  text.append(label.name).push_back('\0');
  text.append(label.value).push_back('\1');
}

formats::Label LabelSet::at(std::size_t i) const {
  const Place p = places_[i];
  const std::size_t end = i + 1 < size_ ? places_[i + 1].name : text_size_;
  return {text().substr(p.name, p.value - 1 - p.name), text().substr(p.value, end - 1 - p.value)};
}

std::string_view LabelSet::value(std::string_view name) const {
  if (name.empty()) return {};
  for (std::size_t i = 0; i < size_; ++i) {
    const Place p = places_[i];
    // Lengths and last letters tell most names apart without a call.
    if (p.value - 1 - p.name == name.size() && text_[p.value - 2] == name.back() &&
        std::memcmp(text_ + p.name, name.data(), name.size()) == 0)
      return at(i).value;
  }
  return {};
}

}  // namespace etiage::evidence
