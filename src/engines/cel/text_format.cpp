#include "engines/cel/text_format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "base/utf8.h"
#include "engines/cel/go_text.h"

namespace etiage::cel {
namespace {

constexpr int kDefaultPrecision = 6;

std::string go_quoted(const Value& v, std::string text) {
  switch (v.kind()) {
    case Kind::kString:
      return go_quote(text);
    case Kind::kBytes:
      return "b" + go_quote(text);
    case Kind::kDouble:
      return std::isfinite(v.as_double()) ? text : go_quote(text);
    default:
      return text;
  }
}

std::string number_word(double d) {
  return std::isnan(d) ? "NaN" : d > 0 ? "+Inf" : "-Inf";
}

/// An element of a list or map as text, before quotes.
Result<std::string> format_member(const Value& v);

Result<std::string> format_list(const std::vector<Value>& items) {
  std::string out = "[";
  for (const Value& item : items) {
    auto text = format_member(item);
    if (!text) return text;
    if (out.size() > 1) out += ", ";
    out += go_quoted(item, std::move(*text));
  }
  return out + "]";
}

Result<std::string> format_map(const MapObject& map) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [key, value] : map.entries()) {
    auto key_text = format_member(key);
    auto value_text = format_member(value);
    if (!value_text) return value_text;
    pairs.emplace_back(go_quoted(key, std::move(*key_text)), go_quoted(value, std::move(*value_text)));
  }
  std::ranges::stable_sort(pairs, {}, &std::pair<std::string, std::string>::first);
  std::string out = "{";
  for (const auto& [key, value] : pairs) out += (out.size() > 1 ? ", " : "") + key + ":" + value;
  return out + "}";
}

Result<std::string> format_member(const Value& v) {
  switch (v.kind()) {
    case Kind::kInt:
      return std::to_string(v.as_int());
    case Kind::kUint:
      return std::to_string(v.as_uint());
    case Kind::kString:
      return v.text();
    case Kind::kBytes:
      return is_utf8(v.text()) ? Result<std::string>(v.text())
                               : failure(
                                     "could not convert argument \"invalid UTF-8 in bytes, cannot convert to "
                                     "string\" to string");
    case Kind::kBool:
      return std::string(v.as_bool() ? "true" : "false");
    case Kind::kNull:
      return std::string("null");
    case Kind::kType:
      return std::string(v.as_type());
    case Kind::kTimestamp:
      return "timestamp(" + go_quote(go_time(v.as_timestamp())) + ")";
    case Kind::kDuration:
      return "duration(" + go_quote(go_duration_seconds(v.as_duration())) + ")";
    case Kind::kDouble:
      return std::isfinite(v.as_double()) ? fmt::format("{:.6f}", v.as_double()) : number_word(v.as_double());
    case Kind::kList:
      return format_list(v.items());
    case Kind::kMap:
      return format_map(v.map());
    default:
      return failure(fmt::format("no formatting function for {}", type_name(v)));
  }
}

Result<std::string> format_string(const Value& v) {
  switch (v.kind()) {
    case Kind::kDouble:
      return go_float(v.as_double());
    case Kind::kTimestamp:
      return go_time(v.as_timestamp());
    case Kind::kDuration:
      return go_duration_seconds(v.as_duration());
    case Kind::kInt:
    case Kind::kUint:
    case Kind::kString:
    case Kind::kBytes:
    case Kind::kBool:
    case Kind::kNull:
    case Kind::kType:
    case Kind::kList:
    case Kind::kMap:
      return format_member(v);
    default:
      return failure(format_refusal('s', type_name(v)));
  }
}

/// Thousands by commas, as the en_US locale has them.
std::string grouped(const std::string& digits) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

/// The double that a float clause is given; nothing where it takes no such value.
std::optional<double> float_of(const Value& v) {
  if (v.is(Kind::kDouble)) return v.as_double();
  if (!v.is(Kind::kString)) return std::nullopt;
  if (v.text() == "NaN") return std::nan("");
  if (v.text() == "Infinity") return HUGE_VAL;
  if (v.text() == "-Infinity") return -HUGE_VAL;
  return std::nullopt;
}

std::string infinity_or_nan(double d) {
  return std::isnan(d) ? "NaN" : d > 0 ? "∞" : "-∞";
}

std::string format_fixed(double d, int precision) {
  if (!std::isfinite(d)) return infinity_or_nan(d);
  const std::string text = fmt::format("{:.{}f}", std::abs(d), precision);
  const auto dot = std::min(text.find('.'), text.size());
  return (std::signbit(d) ? "-" : "") + grouped(text.substr(0, dot)) + text.substr(dot);
}

/// `1.050000×10⁰³`: six digits always; what is asked as precision is taken for a width, as in cel-go's
/// version of that age.
std::string format_scientific(double d, int width) {
  std::string out;
  std::size_t columns;
  if (std::isfinite(d)) {
    const std::string text = fmt::format("{:.6e}", d);
    const auto e = text.find('e');
    out = text.substr(0, e) + "×10";
    columns = e + 3;
    static constexpr std::array<std::string_view, 10> kSuper{"⁰", "¹", "²", "³", "⁴",
                                                             "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (text[e + 1] == '-') out += "⁻", ++columns;
    for (const char digit : text.substr(e + 2))
      out += kSuper[static_cast<std::size_t>(digit - '0')], ++columns;
  } else {
    out = infinity_or_nan(d);
    columns = std::isnan(d) ? 3 : d > 0 ? 1 : 2;
  }
  if (columns < static_cast<std::size_t>(width))
    out.insert(0, static_cast<std::size_t>(width) - columns, ' ');
  return out;
}

std::string in_base(std::int64_t i, const char* spec) {
  const std::uint64_t magnitude = i < 0 ? -static_cast<std::uint64_t>(i) : static_cast<std::uint64_t>(i);
  return (i < 0 ? "-" : "") + fmt::format(fmt::runtime(spec), magnitude);
}

std::optional<std::string> format_integer(char letter, const Value& v) {
  const char* spec = letter == 'b'   ? "{:b}"
                     : letter == 'o' ? "{:o}"
                     : letter == 'x' ? "{:x}"
                     : letter == 'X' ? "{:X}"
                                     : "{}";
  if (v.is(Kind::kInt)) return in_base(v.as_int(), spec);
  if (v.is(Kind::kUint)) return fmt::format(fmt::runtime(spec), v.as_uint());
  if (letter == 'b' && v.is(Kind::kBool)) return std::string(v.as_bool() ? "1" : "0");
  if ((letter == 'x' || letter == 'X') && (v.is(Kind::kString) || v.is(Kind::kBytes))) {
    std::string out;
    for (const char c : v.text()) {
      out += fmt::format(fmt::runtime(letter == 'x' ? "{:02x}" : "{:02X}"), static_cast<unsigned char>(c));
    }
    return out;
  }
  return std::nullopt;
}

/// Reads a clause after its `%`; `rest` loses it.
Result<FormatClause> take_clause(std::string_view& rest) {
  FormatClause clause;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const auto end = rest.find_first_not_of("0123456789");
    if (end == std::string_view::npos) {
      return failure("error while parsing precision: could not find end of precision specifier");
    }
    const auto digits = rest.substr(0, end);
    const auto precision = go_parse_int(digits);
    if (!precision) {
      return failure(
          fmt::format("error while parsing precision: error while converting precision to integer: "
                      "strconv.Atoi: parsing {}: {}",
                      go_quote(digits), digits.empty() ? "invalid syntax" : "value out of range"));
    }
    clause.precision = static_cast<int>(std::min<std::int64_t>(*precision, 1'000'000));
    rest.remove_prefix(end);
  }
  clause.letter = rest[0];
  rest.remove_prefix(1);
  if (std::string_view("sdfebxXo").find(clause.letter) == std::string_view::npos) {
    // Go prints the byte as a code point.
    std::string letter;
    if ((clause.letter & 0x80) != 0) {
      const auto byte = static_cast<unsigned char>(clause.letter);
      letter += static_cast<char>(0xC0 | byte >> 6);
      letter += static_cast<char>(0x80 | (byte & 0x3F));
    } else {
      letter = clause.letter;
    }
    return failure("unrecognized formatting clause \"" + letter + "\"");
  }
  return clause;
}

}  // namespace

std::string format_refusal(char letter, std::string_view type) {
  switch (letter) {
    case 'b':
      return fmt::format("only integers and bools can be formatted as binary, was given {}", type);
    case 'd':
      return fmt::format("decimal clause can only be used on integers, was given {}", type);
    case 'f':
      return fmt::format("fixed-point clause can only be used on doubles, was given {}", type);
    case 'e':
      return fmt::format("scientific clause can only be used on doubles, was given {}", type);
    case 'o':
      return fmt::format("octal clause can only be used on integers, was given {}", type);
    case 'x':
    case 'X':
      return fmt::format("only integers, byte buffers, and strings can be formatted as hex, was given {}",
                         type);
    default:
      return fmt::format(
          "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, "
          "durations, and "
          "timestamps, was given {}",
          type);
  }
}

Result<std::string> format_argument(const FormatClause& clause, const Value& v) {
  if (clause.letter == 's') return format_string(v);
  if (clause.letter == 'f' || clause.letter == 'e') {
    const auto d = float_of(v);
    if (!d) return failure(format_refusal(clause.letter, type_name(v)));
    const int precision = clause.precision.value_or(kDefaultPrecision);
    return clause.letter == 'f' ? format_fixed(*d, precision) : format_scientific(*d, precision);
  }
  const auto text = format_integer(clause.letter, v);
  return text ? Result<std::string>(*text) : failure(format_refusal(clause.letter, type_name(v)));
}

Result<std::string> walk_format(
    std::string_view format, std::size_t arguments, bool checking,
    const std::function<Result<std::string>(const FormatClause&, std::size_t)>& clause) {
  std::string out;
  std::size_t next = 0;
  while (!format.empty()) {
    if (format[0] != '%') {
      out += format[0];
      format.remove_prefix(1);
      continue;
    }
    format.remove_prefix(1);
    if (format.starts_with('%')) {
      out += '%';
      format.remove_prefix(1);
      continue;
    }
    if (!checking && next >= arguments) return failure(fmt::format("index {} out of range", next));
    if (format.empty()) return failure("unexpected end of string");
    if (next >= arguments) return failure(fmt::format("index {} out of range", next));
    const auto parsed = take_clause(format);
    if (!parsed) return failure("could not parse formatting clause: " + parsed.error().message);
    auto text = clause(*parsed, next++);
    if (!text) return failure("error during formatting: " + text.error().message, {}, text.error().hint);
    out += *text;
  }
  return out;
}

Value format_text(const Value& format, const Value& arguments) {
  const auto& items = arguments.items();
  auto text = walk_format(format.text(), items.size(), false, [&](const FormatClause& clause, std::size_t i) {
    return format_argument(clause, items[i]);
  });
  return text ? Value::string(std::move(*text)) : Value::error(text.error().message);
}

}  // namespace etiage::cel
