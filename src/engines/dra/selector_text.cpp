#include "engines/dra/selector_text.h"

#include <algorithm>
#include <cctype>

namespace etiage::dra {
namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// The name that begins at `at`.
std::string_view name_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && is_name(text[end])) ++end;
  return text.substr(at, end - at);
}

}  // namespace

std::optional<Threshold> find_threshold(std::string_view expression) {
  constexpr std::string_view kQuantity = "quantity(", kCapacity = "device.capacity[";
  const std::size_t call = expression.find(kQuantity);
  if (call == expression.npos) return std::nullopt;
  const std::size_t field = expression.rfind(kCapacity, call);
  if (field == expression.npos) return std::nullopt;
  const std::size_t bracket = expression.find("].", field);
  if (bracket == expression.npos || bracket > call) return std::nullopt;
  const std::size_t begin = call + kQuantity.size() + 1;
  if (begin >= expression.size()) return std::nullopt;
  const std::size_t end = expression.find(expression[begin - 1], begin);
  if (end == expression.npos) return std::nullopt;
  return Threshold{std::string(name_at(expression, bracket + 2)),
                   std::string(expression.substr(begin, end - begin)), begin, end};
}

std::string with_amount(std::string_view expression, const Threshold& threshold, std::string_view amount) {
  return std::string(expression.substr(0, threshold.begin))
      .append(amount)
      .append(expression.substr(threshold.end));
}

std::optional<std::string> missing_field(std::string_view expression, std::string_view error) {
  constexpr std::string_view kError = "no such key: ";
  const std::size_t at = error.find(kError);
  if (at == error.npos) return std::nullopt;
  const std::string member = "]." + std::string(name_at(error, at + kError.size()));
  for (std::size_t end = expression.find(member); end != expression.npos;
       end = expression.find(member, end + 1)) {
    if (end + member.size() < expression.size() && is_name(expression[end + member.size()])) continue;
    const std::size_t attributes = expression.rfind("device.attributes[", end),
                      capacity = expression.rfind("device.capacity[", end);
    const std::size_t begin = attributes == expression.npos ? capacity
                              : capacity == expression.npos ? attributes
                                                            : std::max(attributes, capacity);
    if (begin != expression.npos) return std::string(expression.substr(begin, end + member.size() - begin));
  }
  return std::nullopt;
}

}  // namespace etiage::dra
