#include <algorithm>
#include <fmt/format.h>

#include "engines/cel/go_text.h"
#include "engines/cel/library.h"
#include "engines/cel/limits.h"
#include "engines/cel/regex.h"
#include "engines/cel/source.h"
#include "engines/cel/text_format.h"

namespace etiage::cel {
namespace {

Value contains_text(Args args) {
  if (!args[0].is(Kind::kString) || !args[1].is(Kind::kString)) return no_such_overload();
  return Value::boolean(args[0].text().find(args[1].text()) != std::string::npos);
}
Value starts_with(Args args) {
  if (!args[0].is(Kind::kString) || !args[1].is(Kind::kString)) return no_such_overload();
  return Value::boolean(args[0].text().starts_with(args[1].text()));
}
Value ends_with(Args args) {
  if (!args[0].is(Kind::kString) || !args[1].is(Kind::kString)) return no_such_overload();
  return Value::boolean(args[0].text().ends_with(args[1].text()));
}

Value out_of_range(std::int64_t index) {
  return Value::error(fmt::format("index out of range: {}", index));
}

std::string encode(std::u32string_view points) {
  std::string out;
  for (const char32_t c : points) append_utf8(out, c);
  return out;
}

Value char_at(Args args) {
  const auto points = decode_utf8(args[0].text());
  const std::int64_t i = args[1].as_int();
  if (i < 0 || i > static_cast<std::int64_t>(points.size())) return out_of_range(i);
  return Value::string(encode(std::u32string_view(points).substr(static_cast<std::size_t>(i), 1)));
}

Value index_of(Args args) {
  const auto text = decode_utf8(args[0].text()), part = decode_utf8(args[1].text());
  const std::int64_t offset = args.size() == 3 ? args[2].as_int() : 0;
  const auto length = static_cast<std::int64_t>(text.size());
  if (offset < 0) return out_of_range(offset);
  if (part.empty()) return Value::integer(std::min(offset, length));
  if (offset >= length) return Value::integer(-1);
  const auto found = text.find(part, static_cast<std::size_t>(offset));
  return Value::integer(found == std::u32string::npos ? -1 : static_cast<std::int64_t>(found));
}

Value last_index_of(Args args) {
  const auto text = decode_utf8(args[0].text()), part = decode_utf8(args[1].text());
  const auto length = static_cast<std::int64_t>(text.size());
  if (args.size() == 2) {
    if (part.empty()) return Value::integer(length);
    if (args[0].text().size() < args[1].text().size()) return Value::integer(-1);
  }
  const std::int64_t offset = args.size() == 3 ? args[2].as_int() : length - 1;
  if (offset < 0) return out_of_range(offset);
  if (part.empty()) return Value::integer(std::min(offset, length));
  if (offset >= length) return Value::integer(-1);
  const auto found = text.rfind(part, static_cast<std::size_t>(offset));
  return Value::integer(found == std::u32string::npos ? -1 : static_cast<std::int64_t>(found));
}

template <int (*change)(int)>
Value ascii_case(Args args) {
  std::string text = args[0].text();
  for (char& c : text) {
    if ((c & 0x80) == 0) c = static_cast<char>(change(c));
  }
  return Value::string(std::move(text));
}
int lower(int c) {
  return c >= 'A' && c <= 'Z' ? c + 32 : c;
}
int upper(int c) {
  return c >= 'a' && c <= 'z' ? c - 32 : c;
}

Value replace(Args args) {
  const std::string &text = args[0].text(), &old = args[1].text(), &fresh = args[2].text();
  std::int64_t left = args.size() == 4 ? args[3].as_int() : -1;
  std::string out;
  std::size_t at = 0;
  while (left != 0 && at <= text.size()) {
    // An empty part stands before every character and at the end.
    std::size_t found = old.empty() ? at : text.find(old, at);
    if (found == std::string::npos) break;
    out.append(text, at, found - at);
    out += fresh;
    at = found + old.size();
    if (old.empty()) {
      if (found >= text.size()) return Value::string(std::move(out));
      std::size_t next = found + 1;
      while (next < text.size() && (text[next] & 0xC0) == 0x80) ++next;
      out.append(text, found, next - found);
      at = next;
    }
    if (left > 0) --left;
    if (out.size() > kMaxTextBytes) throw CostExceeded{};
  }
  if (at <= text.size()) out.append(text, at);
  return Value::string(std::move(out));
}

Value split(Args args) {
  const std::string &text = args[0].text(), &separator = args[1].text();
  const std::int64_t limit = args.size() == 3 ? args[2].as_int() : -1;
  std::vector<Value> parts;
  if (limit == 0) return Value::list({});
  const auto room = [&] { return limit < 0 || static_cast<std::int64_t>(parts.size()) + 1 < limit; };
  std::size_t at = 0;
  if (separator.empty()) {
    while (at < text.size()) {
      std::size_t next = at + 1;
      while (next < text.size() && (text[next] & 0xC0) == 0x80) ++next;
      if (!room()) next = text.size();
      parts.push_back(Value::string(text.substr(at, next - at)));
      at = next;
    }
    return Value::list(std::move(parts));
  }
  while (room()) {
    const auto found = text.find(separator, at);
    if (found == std::string::npos) break;
    parts.push_back(Value::string(text.substr(at, found - at)));
    at = found + separator.size();
  }
  parts.push_back(Value::string(text.substr(at)));
  return Value::list(std::move(parts));
}

Value substring(Args args) {
  const auto points = decode_utf8(args[0].text());
  const auto length = static_cast<std::int64_t>(points.size());
  const std::int64_t begin = args[1].as_int();
  const std::int64_t end = args.size() == 3 ? args[2].as_int() : length;
  if (args.size() == 3 && begin > end) {
    return Value::error(fmt::format("invalid substring range. start: {}, end: {}", begin, end));
  }
  if (begin < 0 || begin > length) return out_of_range(begin);
  if (end < 0 || end > length) return out_of_range(end);
  return Value::string(encode(std::u32string_view(points).substr(static_cast<std::size_t>(begin),
                                                                 static_cast<std::size_t>(end - begin))));
}

bool is_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

Value trim(Args args) {
  const auto points = decode_utf8(args[0].text());
  std::u32string_view view = points;
  while (!view.empty() && is_space(view.front())) view.remove_prefix(1);
  while (!view.empty() && is_space(view.back())) view.remove_suffix(1);
  return Value::string(encode(view));
}

Value reverse_text(Args args) {
  auto points = decode_utf8(args[0].text());
  std::ranges::reverse(points);
  return Value::string(encode(points));
}

Value join(Args args) {
  std::string out;
  bool first = true;
  for (const Value& item : args[0].items()) {
    if (!first && args.size() == 2) out += args[1].text();
    first = false;
    if (!item.is(Kind::kString)) return Value::error("join: invalid input: " + show(item));
    out += item.text();
    if (out.size() > kMaxTextBytes) throw CostExceeded{};
  }
  return Value::string(std::move(out));
}

Value format(Args args) {
  return format_text(args[0], args[1]);
}

Value quote(Args args) {
  std::string out = "\"";
  for (const char32_t c : decode_utf8(args[0].text())) {
    const std::string_view escape = go_escape(c);
    escape.empty() ? append_utf8(out, c) : void(out.append(escape));
  }
  return Value::string(out + "\"");
}

Value find(Args args) {
  const Regex regex(args[1].text());
  if (!regex.error().empty()) return Value::error("Illegal regex: " + regex.error());
  return Value::string(regex.find(args[0].text()));
}

Value find_all(Args args) {
  const Regex regex(args[1].text());
  if (!regex.error().empty()) return Value::error("Illegal regex: " + regex.error());
  std::vector<Value> found;
  for (auto& match : regex.find_all(args[0].text(), args.size() == 3 ? args[2].as_int() : -1)) {
    found.push_back(Value::string(std::move(match)));
  }
  return Value::list(std::move(found));
}

}  // namespace

void declare_strings(Declarations& d, const LibraryOptions& options) {
  d.function("contains", {{"contains_string", "string.(string) bool", contains_text}}).guarded = false;
  d.function("endsWith", {{"ends_with_string", "string.(string) bool", ends_with}}).guarded = false;
  d.function("startsWith", {{"starts_with_string", "string.(string) bool", starts_with}}).guarded = false;
  d.function("charAt", {{"string_char_at_int", "string.(int) string", char_at}});
  d.function("indexOf", {{"string_index_of_string", "string.(string) int", index_of},
                         {"string_index_of_string_int", "string.(string, int) int", index_of}});
  d.function("lastIndexOf", {{"string_last_index_of_string", "string.(string) int", last_index_of},
                             {"string_last_index_of_string_int", "string.(string, int) int", last_index_of}});
  d.function("lowerAscii", {{"string_lower_ascii", "string.() string", ascii_case<lower>}});
  d.function("replace",
             {{"string_replace_string_string", "string.(string, string) string", replace},
              {"string_replace_string_string_int", "string.(string, string, int) string", replace}});
  d.function("split", {{"string_split_string", "string.(string) list(string)", split},
                       {"string_split_string_int", "string.(string, int) list(string)", split}});
  d.function("substring", {{"string_substring_int", "string.(int) string", substring},
                           {"string_substring_int_int", "string.(int, int) string", substring}});
  d.function("trim", {{"string_trim", "string.() string", trim}});
  d.function("upperAscii", {{"string_upper_ascii", "string.() string", ascii_case<upper>}});
  d.function("format", {{"string_format", "string.(list(dyn)) string", format}}).variadic = true;
  d.function("strings.quote", {{"strings_quote", "(string) string", quote}});
  d.function("join", {{"list_join", "list(string).() string", join},
                      {"list_join_string", "list(string).(string) string", join}});
  if (options.string_reverse) d.function("reverse", {{"string_reverse", "string.() string", reverse_text}});
  if (!options.kubernetes) return;
  d.function("find", {{"string_find_string", "string.(string) string", find}});
  d.function("findAll", {{"string_find_all_string", "string.(string) list(string)", find_all},
                         {"string_find_all_string_int", "string.(string, int) list(string)", find_all}});
}

}  // namespace etiage::cel
