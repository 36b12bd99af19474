#include "app/label_query.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace etiage::app {
namespace {

using Operator = Requirement::Operator;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

/// Cuts at commas outside of parentheses.
std::vector<std::string_view> terms(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t from = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size()) depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    if (const auto term = trimmed(text.substr(from, i - from)); !term.empty()) out.push_back(term);
    from = i + 1;
  }
  return out;
}

/// Characters that Kubernetes allows in the key of a label, or its value.
bool is_name(std::string_view text, std::string_view marks) {
  return std::ranges::all_of(text, [&](unsigned char c) {
    return std::isalnum(c) != 0 || marks.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

bool is_sound(const Requirement& r) {
  return !r.key.empty() && is_name(r.key, "-_./") &&
         std::ranges::all_of(r.values, [](const std::string& v) { return is_name(v, "-_."); });
}

std::optional<Requirement> with_set(std::string_view term) {
  for (const auto& [word, op] : {std::pair{std::string_view(" notin "), Operator::kNotIn},
                                 std::pair{std::string_view(" in "), Operator::kIn}}) {
    const auto at = term.find(word);
    if (at == std::string_view::npos) continue;
    const std::string_view set = trimmed(term.substr(at + word.size()));
    if (set.size() < 2 || set.front() != '(' || set.back() != ')') return {};
    Requirement out{std::string(trimmed(term.substr(0, at))), op, {}};
    for (std::string_view value : terms(set.substr(1, set.size() - 2))) out.values.emplace_back(value);
    return out;
  }
  return {};
}

std::optional<Requirement> requirement(std::string_view term) {
  if (term.find('(') != std::string_view::npos) return with_set(term);
  if (const auto at = term.find("!="); at != std::string_view::npos)
    return Requirement{std::string(trimmed(term.substr(0, at))),
                       Operator::kNotIn,
                       {std::string(trimmed(term.substr(at + 2)))}};
  if (const auto at = term.find('='); at != std::string_view::npos) {
    const std::string_view value = term.substr(at + (term.substr(at).starts_with("==") ? 2 : 1));
    return Requirement{
        std::string(trimmed(term.substr(0, at))), Operator::kIn, {std::string(trimmed(value))}};
  }
  if (term.find(' ') != std::string_view::npos) return {};
  if (term.front() == '!')
    return Requirement{std::string(trimmed(term.substr(1))), Operator::kDoesNotExist, {}};
  return Requirement{std::string(term), Operator::kExists, {}};
}

}  // namespace

Result<LabelSelector> parse_label_query(std::string_view text) {
  LabelSelector out;
  for (std::string_view term : terms(text)) {
    const auto one = requirement(term);
    if (!one || !is_sound(*one))
      return failure("'" + std::string(term) + "' is no label selector", {},
                     "write app=chat,tier!=batch,env in (prod,stage),!canary");
    out.match_expressions.push_back(*one);
  }
  return out;
}

}  // namespace etiage::app
