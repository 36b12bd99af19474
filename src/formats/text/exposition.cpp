#include "formats/text/exposition.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/utf8.h"
#include "formats/text/go_float.h"
#include "formats/text/number.h"

namespace etiage::formats {
namespace {

using text::Token;

enum class MetricType : std::uint8_t { kOther, kHistogram, kSummary };

struct TypeName {
  std::string_view word;
  MetricType type;
  bool openmetrics, text;
};
constexpr TypeName kTypes[] = {
    {"counter", MetricType::kOther, true, true},         {"gauge", MetricType::kOther, true, true},
    {"histogram", MetricType::kHistogram, true, true},   {"summary", MetricType::kSummary, true, true},
    {"untyped", MetricType::kOther, false, true},        {"unknown", MetricType::kOther, true, false},
    {"gaugehistogram", MetricType::kOther, true, false}, {"info", MetricType::kOther, true, false},
    {"stateset", MetricType::kOther, true, false},
};

/// A label as it stands in the text, escapes and all.
struct RawLabel {
  std::string_view name, value;
};

class Parser {
 public:
  Parser(std::string_view text, ExpositionFormat format,
         const std::function<void(const ExpositionSample&)>& take)
      : text_(text), format_(format), lexer_(text, format), take_(take) {}

  Result<void> run();

 private:
  bool openmetrics() const { return format_ == ExpositionFormat::kOpenMetrics; }
  Token next();
  bool read_entry(Token first);
  bool read_metadata(Token what);
  bool read_type(std::string_view word);
  bool read_unit(std::string_view metric, std::string_view unit);
  bool read_series(Token first);
  bool read_labels(bool exemplar);
  bool read_end_of_line(Token first);
  bool read_millis(std::int64_t& ms);
  bool read_exemplar();
  bool read_float_token(std::string_view token, double& value);
  bool read_seconds(std::string_view what, std::int64_t& ms);
  void give();
  std::string label_value(std::string_view name, std::string_view raw) const;

  bool refuse(std::string message);
  bool unexpected(std::string_view wanted, Token got);

  std::string_view text_;
  ExpositionFormat format_;
  text::ExpositionLexer lexer_;
  const std::function<void(const ExpositionSample&)>& take_;

  std::size_t entry_ = 0;  ///< where the entry begins
  bool ended_ = false;
  MetricType type_ = MetricType::kOther;  ///< of the last TYPE line, whatever metric it spoke of
  std::optional<std::string_view> metric_;
  std::vector<RawLabel> labels_;
  ExpositionSample sample_;
  std::string fault_;
};

bool Parser::refuse(std::string message) {
  fault_ = std::move(message);
  return false;
}

bool Parser::unexpected(std::string_view wanted, Token got) {
  const std::string_view seen =
      text_.substr(lexer_.start(), std::min<std::size_t>(lexer_.end() + 1 - lexer_.start(), 40));
  return refuse(fmt::format("expected {}, got {} ({})", wanted, json_quoted(seen), text::to_string(got)));
}

/// The text format allows blanks between any two tokens.
Token Parser::next() {
  Token token = lexer_.next();
  while (token == Token::kBlank) token = lexer_.next();
  return token;
}

Result<void> Parser::run() {
  while (!ended_) {
    entry_ = lexer_.end();
    if (!read_entry(next())) {
      const auto line = 1 + std::ranges::count(text_.substr(0, entry_), '\n');
      return failure(std::move(fault_), {.line = static_cast<int>(line)});
    }
  }
  return {};
}

bool Parser::read_entry(Token first) {
  switch (first) {
    case Token::kEofWord:
      ended_ = true;
      return next() == Token::kEnd || refuse("unexpected data after # EOF");
    case Token::kEnd:
      ended_ = true;
      return !openmetrics() || refuse("the text does not end with # EOF");
    case Token::kLinebreak:
      if (openmetrics()) break;
      return true;
    case Token::kComment: {
      if (openmetrics()) break;
      const Token token = next();
      return token == Token::kLinebreak || unexpected("a line break after the comment", token);
    }
    case Token::kHelp:
    case Token::kType:
    case Token::kUnit:
      return read_metadata(first);
    case Token::kBraceOpen:
    case Token::kMetricName:
      return read_series(first);
    default:
      break;
  }
  return unexpected("a metric, a comment or a new line", first);
}

bool Parser::read_metadata(Token what) {
  Token token = next();
  if (token != Token::kMetricName)
    return unexpected("a metric name after " + std::string(text::to_string(what)), token);
  std::string_view metric = lexer_.token();
  if (metric.size() > 1 && metric.starts_with('"') && metric.ends_with('"'))
    metric = metric.substr(1, metric.size() - 2);
  token = next();
  if (token != Token::kText) return unexpected("a text in " + std::string(text::to_string(what)), token);
  std::string_view words = lexer_.token();
  if (openmetrics() && words.size() > 1) words.remove_suffix(1);  // the line feed
  words.remove_prefix(std::min<std::size_t>(1, words.size()));    // the blank
  if (what == Token::kType && !read_type(words)) return false;
  if (what == Token::kUnit && !read_unit(metric, words)) return false;
  if (what == Token::kHelp && !is_utf8(words)) return refuse("the help text is not UTF-8");
  if (openmetrics()) return true;
  token = next();
  return token == Token::kLinebreak || unexpected("a line break after the metadata", token);
}

bool Parser::read_type(std::string_view word) {
  for (const TypeName& t : kTypes)
    if (t.word == word && (openmetrics() ? t.openmetrics : t.text)) return type_ = t.type, true;
  return refuse(fmt::format("invalid metric type {}", json_quoted(word)));
}

bool Parser::read_unit(std::string_view metric, std::string_view unit) {
  if (unit.empty()) return true;
  if (metric.ends_with(unit) && metric.size() > unit.size() && metric[metric.size() - unit.size() - 1] == '_')
    return true;
  return refuse(fmt::format("unit {} is not a suffix of metric {}", json_quoted(unit), json_quoted(metric)));
}

bool Parser::read_series(Token first) {
  labels_.clear();
  metric_.reset();
  Token token = first;
  if (first == Token::kMetricName) {
    metric_ = lexer_.token();
    // Blanks before the name are taken for a part of it.
    if (!openmetrics()) metric_ = text_.substr(entry_, lexer_.end() - entry_);
    token = next();
  }
  if (token == Token::kBraceOpen) {
    if (!read_labels(false)) return false;
    token = next();
  }
  if (!metric_) return refuse("a series without a metric name");
  if (!read_end_of_line(token)) return false;
  give();
  return true;
}

bool Parser::read_labels(bool exemplar) {
  for (Token token = next(); token != Token::kBraceClose;) {
    if (token != Token::kLabelName && token != Token::kQuoted) return unexpected("a label name", token);
    const std::string_view name = lexer_.token();
    const bool quoted = token == Token::kQuoted;
    token = next();
    if (quoted && (token == Token::kComma || token == Token::kBraceClose)) {
      // A quoted text that stands alone is the metric's name.
      if (exemplar) return unexpected("a label name", token);
      if (metric_) return refuse("the metric name is set twice");
      metric_ = name.substr(1, name.size() - 2);
      if (token == Token::kBraceClose) return true;
      token = next();
      continue;
    }
    if (token != Token::kEqual) return unexpected("an equal sign", token);
    token = next();
    if (token != Token::kLabelValue) return unexpected("a label value", token);
    const std::string_view value = lexer_.token();
    if (!is_utf8(value)) return refuse("a label value is not UTF-8");
    // NUL bytes behind the closing quote belong to the token, and the byte cut off is the last of them.
    if (!exemplar)
      labels_.push_back({quoted ? name.substr(1, name.size() - 2) : name, value.substr(1, value.size() - 2)});
    token = next();
    if (token == Token::kComma)
      token = next();
    else if (openmetrics() && token != Token::kBraceClose)
      return unexpected("a comma or a closing brace", token);
  }
  return true;
}

bool Parser::read_float_token(std::string_view token, double& value) {
  if (openmetrics()) token.remove_prefix(1);  // the blank
  const auto v = text::parse_float(token);
  if (v) return value = *v, true;
  return refuse(
      fmt::format("{} is {}", json_quoted(token.substr(0, 60)),
                  v.error() == text::NumberFault::kRange ? "beyond the range of a number" : "not a number"));
}

bool Parser::read_end_of_line(Token token) {
  if (token != Token::kValue) return unexpected("a value after the metric", token);
  if (!read_float_token(lexer_.token(), sample_.value)) return false;
  sample_.ms.reset();
  token = next();
  if (token == Token::kTimestamp) {
    sample_.ms = 0;
    if (!(openmetrics() ? read_seconds("timestamp", *sample_.ms) : read_millis(*sample_.ms))) return false;
    token = next();
  }
  if (token == Token::kLinebreak) return true;
  if (token == Token::kComment && openmetrics()) return read_exemplar();
  if (token == Token::kEnd && openmetrics()) return refuse("the text does not end with # EOF");
  return unexpected("a timestamp or the end of the line", token);
}

/// The scanner lets nothing but digits through.
bool Parser::read_millis(std::int64_t& ms) {
  const std::string_view digits = lexer_.token();
  const auto [end, ec] = std::from_chars(digits.data(), digits.data() + digits.size(), ms);
  return ec == std::errc() || refuse(fmt::format("timestamp {} is beyond the range", digits.substr(0, 60)));
}

bool Parser::read_seconds(std::string_view what, std::int64_t& ms) {
  double seconds = 0;
  if (!read_float_token(lexer_.token(), seconds)) return false;
  if (!std::isfinite(seconds)) return refuse(fmt::format("invalid {} {}", what, lexer_.token().substr(1)));
  // Beyond the range Go on amd64 answers the smallest number.
  const double scaled = seconds * 1000;
  ms = std::abs(scaled) < 0x1p63 ? static_cast<std::int64_t>(scaled)
                                 : std::numeric_limits<std::int64_t>::min();
  return true;
}

/// The scanner has seen ` # {`. Exemplars are checked and left out.
bool Parser::read_exemplar() {
  if (!read_labels(true)) return false;
  Token token = next();
  if (token != Token::kValue) return unexpected("a value after the exemplar's labels", token);
  double value = 0;
  if (!read_float_token(lexer_.token(), value)) return false;
  token = next();
  if (token == Token::kTimestamp) {
    std::int64_t ms = 0;
    if (!read_seconds("exemplar timestamp", ms)) return false;
    token = next();
  }
  if (token == Token::kEnd) return refuse("the text does not end with # EOF");
  return token == Token::kLinebreak || unexpected("a timestamp or the end of the line", token);
}

std::string unescaped(std::string_view raw) {
  std::string out;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char after = raw[i] == '\\' && i + 1 < raw.size() ? raw[i + 1] : '\0';
    if (after == 'n')
      out += '\n', ++i;
    else if (after == '"' || after == '\\')
      out += after, ++i;
    else
      out += raw[i];
  }
  return out;
}

/// Bounds of buckets and quantiles are written the same way, however the exporter wrote them.
std::string Parser::label_value(std::string_view name, std::string_view raw) const {
  std::string value = unescaped(raw);
  if ((type_ == MetricType::kHistogram && name == "le") ||
      (type_ == MetricType::kSummary && name == "quantile"))
    if (const auto bound = text::parse_go_literal(value)) return text::openmetrics_float(*bound);
  return value;
}

void Parser::give() {
  std::vector<std::pair<std::string, std::string>> owned = {{"__name__", unescaped(*metric_)}};
  for (const RawLabel& l : labels_) {
    std::string name = unescaped(l.name);
    std::string value = label_value(name, l.value);
    owned.emplace_back(std::move(name), std::move(value));
  }
  std::ranges::stable_sort(owned, {}, &std::pair<std::string, std::string>::first);
  std::vector<Label> labels;
  for (const auto& [name, value] : owned) labels.push_back({name, value});
  sample_.labels = labels;
  take_(sample_);
}

}  // namespace

Result<void> read_exposition(std::string_view text, ExpositionFormat format,
                             const std::function<void(const ExpositionSample&)>& take) {
  if (format == ExpositionFormat::kOpenMetrics || text.ends_with('\n'))
    return Parser(text, format, take).run();
  const std::string whole = std::string(text) + '\n';
  return Parser(whole, format, take).run();
}

}  // namespace etiage::formats
