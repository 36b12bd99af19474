#include "render/yaml.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/ascii.h"
#include "base/json_writer.h"

namespace etiage::render {
namespace {

constexpr int kIndent = 2;

/// Null, booleans, infinities and merge keys of YAML 1.1 and 1.2, in any letter case.
bool is_reserved_word(std::string_view text) {
  static constexpr std::array<std::string_view, 16> kWords{"~",    "null", "true",  "false", "yes", "no",
                                                           "on",   "off",  "y",     "n",     "=",   "<<",
                                                           ".nan", ".inf", "-.inf", "+.inf"};
  return std::ranges::find(kWords, lower_case(text)) != kWords.end();
}

/// Numbers of any notation, times and dates begin with a digit, or with a sign or point before one.
/// Of those only texts with a letter no number has are plain: `8xH100`, but not `1e3`, `0x1F`, `1_000`,
/// `12:30`.
bool may_be_number_or_time(std::string_view text) {
  std::string_view rest = text;
  while (!rest.empty() && (rest.front() == '+' || rest.front() == '-' || rest.front() == '.'))
    rest.remove_prefix(1);
  if (rest.empty() || !std::isdigit(static_cast<unsigned char>(rest.front()))) return false;
  return lower_case(text).find_first_not_of("0123456789+-._:eabcdfoxtz ") == std::string::npos;
}

bool has_break_or_control(std::string_view text) {
  return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }) ||
         text.find("\u0085") != text.npos || text.find("\u2028") != text.npos ||
         text.find("\u2029") != text.npos || text.find("\ufeff") != text.npos;
}

bool is_plain(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (std::string_view("?:,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos) return false;
  if (text.front() == '-' && (text.size() == 1 || text[1] == ' ' || text.starts_with("---"))) return false;
  if (text.starts_with("...") || text.find(": ") != text.npos || text.find(" #") != text.npos) return false;
  return !is_reserved_word(text) && !may_be_number_or_time(text) && !has_break_or_control(text);
}

/// JSON's escapes, and YAML's further line breaks escaped, which double quotes would fold to blanks.
std::string double_quoted(std::string_view text) {
  std::string out = json_quoted(text);
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kEscapes{
      {{"\u0085", "\\u0085"}, {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"}, {"\ufeff", "\\ufeff"}}};
  for (const auto& [raw, escape] : kEscapes)
    for (std::size_t at = 0; (at = out.find(raw, at)) != std::string::npos; at += escape.size())
      out.replace(at, raw.size(), escape);
  return out;
}

/// Several lines, with nothing in them that a literal block would lose.
bool is_literal(std::string_view text) {
  if (text.find('\n') == text.npos || text.front() == ' ' || text.front() == '\n' || text.ends_with("\n\n"))
    return false;
  std::string joined(text);
  std::erase(joined, '\n');
  return !joined.empty() && !has_break_or_control(joined) && text.find(" \n") == text.npos;
}

std::string literal(std::string_view text, int indent) {
  std::string out = text.ends_with('\n') ? "|" : "|-";
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += '\n';
    if (end > at) out.append(static_cast<std::size_t>(indent), ' ').append(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// YAML 1.1 takes `1e+06` for a string: it wants a point.
std::string number(std::string text) {
  const std::size_t exponent = text.find_first_of("eE");
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

std::string scalar(const Tree& tree, int indent) {
  switch (tree.kind()) {
    case Tree::Kind::kNull:
      return "null";
    case Tree::Kind::kBool:
      return tree.text();
    case Tree::Kind::kNumber:
      return number(tree.text());
    case Tree::Kind::kSequence:
      return "[]";
    case Tree::Kind::kMap:
      return "{}";
    case Tree::Kind::kString:
      break;
  }
  if (is_plain(tree.text())) return tree.text();
  return is_literal(tree.text()) ? literal(tree.text(), indent) : double_quoted(tree.text());
}

bool is_inline(const Tree& tree) {
  return tree.members().empty() && tree.items().empty();
}

/// Writes a map or sequence whose first line may continue the one that is begun (after `- `).
void write_block(std::string& out, const Tree& tree, int indent) {
  bool first = true;
  const auto begin_line = [&] {
    if (!first) out.append(static_cast<std::size_t>(indent), ' ');
    first = false;
  };
  for (const auto& [key, value] : tree.members()) {
    begin_line();
    out += (is_plain(key) ? key : double_quoted(key)) + ':';
    if (is_inline(value)) {
      out += ' ' + scalar(value, indent + kIndent) + '\n';
      continue;
    }
    // As kubectl prints them, sequences stand at their key's own depth.
    const int inner = value.is_sequence() ? indent : indent + kIndent;
    out += '\n' + std::string(static_cast<std::size_t>(inner), ' ');
    write_block(out, value, inner);
  }
  for (const Tree& item : tree.items()) {
    begin_line();
    out += "- ";
    if (is_inline(item))
      out += scalar(item, indent + kIndent) + '\n';
    else
      write_block(out, item, indent + kIndent);
  }
}

}  // namespace

std::string to_yaml(const Tree& tree) {
  if (is_inline(tree)) return scalar(tree, kIndent) + '\n';
  std::string out;
  write_block(out, tree, 0);
  return out;
}

}  // namespace etiage::render
