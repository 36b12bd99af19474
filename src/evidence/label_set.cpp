#include "evidence/label_set.h"

namespace etiage::evidence {

LabelSet::LabelSet(formats::Labels labels) {
  std::size_t size = 0;
  for (const formats::Label& l : labels) size += l.name.size() + l.value.size() + 2;
  text_.reserve(size);
  places_.reserve(labels.size());
  for (const formats::Label& l : labels) {
    const auto name = static_cast<std::uint32_t>(text_.size());
    places_.push_back({name, name + static_cast<std::uint32_t>(l.name.size()) + 1});
    append(text_, l);
  }
}

void LabelSet::append(std::string& text, const formats::Label& label) {
  text.append(label.name).push_back('\0');
  text.append(label.value).push_back('\1');
}

formats::Label LabelSet::at(std::size_t i) const {
  const Place p = places_[i];
  const std::size_t end = i + 1 < places_.size() ? places_[i + 1].name : text_.size();
  return {std::string_view(text_).substr(p.name, p.value - 1 - p.name),
          std::string_view(text_).substr(p.value, end - 1 - p.value)};
}

std::string_view LabelSet::value(std::string_view name) const {
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].value - 1 - places_[i].name == name.size() &&
        std::string_view(text_).substr(places_[i].name, name.size()) == name)
      return at(i).value;
  return {};
}

}  // namespace etiage::evidence
