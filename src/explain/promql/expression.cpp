#include "explain/promql/expression.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace etiage::explain::promql {
namespace {

constexpr int kDeepest = 100;
using Kind = Expr::Kind;

constexpr std::array<std::string_view, 14> kAggregations{
    "sum",    "avg",  "count",   "min",          "max",      "group",  "stddev",
    "stdvar", "topk", "bottomk", "count_values", "quantile", "limitk", "limit_ratio"};

/// Binary operators by how tightly they bind, loosest first.
constexpr std::array<std::array<std::string_view, 6>, 6> kLevels{{{"or"},
                                                                  {"and", "unless"},
                                                                  {"==", "!=", "<=", ">=", "<", ">"},
                                                                  {"+", "-"},
                                                                  {"*", "/", "%", "atan2"},
                                                                  {"^"}}};

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == ':' || c == '$';
}
bool in_name(char c) {
  return starts_name(c) || std::isdigit(static_cast<unsigned char>(c));
}

/// Thrown inside this file alone: the first fault ends the reading.
struct Fault {
  std::string message;
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Expr whole() {
    Expr out = binary(0);
    blank();
    if (at_ < text_.size()) fault("does not end here");
    return out;
  }
  int column() const { return static_cast<int>(at_) + 1; }

 private:
  [[noreturn]] void fault(std::string message) const { throw Fault{std::move(message)}; }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void blank() {
    while (at_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(peek()))) {
        ++at_;
      } else if (peek() == '#') {
        while (at_ < text_.size() && peek() != '\n') ++at_;
      } else {
        return;
      }
    }
  }
  bool take(std::string_view token) {
    blank();
    if (!text_.substr(at_).starts_with(token)) return false;
    const bool word = in_name(token.back());
    if (word && in_name(peek(token.size()))) return false;
    at_ += token.size();
    return true;
  }
  void need(std::string_view token) {
    if (!take(token)) fault("'" + std::string(token) + "' is missing");
  }
  bool sees(std::string_view token) {
    const std::size_t before = at_;
    const bool found = take(token);
    at_ = before;
    return found;
  }

  /// A name, with a dashboard's variables as part of it.
  std::string name() {
    blank();
    const std::size_t from = at_;
    while (at_ < text_.size()) {
      if (peek() == '$' && peek(1) == '{') {
        while (at_ < text_.size() && peek() != '}') ++at_;
        ++at_;
      } else if (peek() == '[' && peek(1) == '[') {
        const auto end = text_.find("]]", at_);
        if (end == text_.npos) break;
        at_ = end + 2;
      } else if (in_name(peek())) {
        ++at_;
      } else {
        break;
      }
    }
    at_ = std::min(at_, text_.size());
    return std::string(text_.substr(from, at_ - from));
  }

  std::string quoted() {
    const char quote = text_[at_++];
    std::string out;
    while (peek() != quote) {
      if (at_ >= text_.size()) fault("a string is not closed");
      if (peek() == '\\' && quote != '`') out += text_[at_++];
      if (at_ < text_.size()) out += text_[at_++];
    }
    ++at_;
    return out;
  }

  Expr binary(std::size_t level) {
    if (++depth_ > kDeepest * static_cast<int>(kLevels.size() + 1)) fault("nested too deeply");
    Expr out = level < kLevels.size() ? chain(level) : unary();
    --depth_;
    return out;
  }

  Expr chain(std::size_t level) {
    Expr left = binary(level + 1);
    while (true) {
      const std::string op = operator_of(level);
      if (op.empty()) return left;
      Expr both{.kind = Kind::kBinary, .name = op};
      take("bool");
      matching(both);
      both.args.push_back(std::move(left));
      both.args.push_back(op == "^" ? binary(level) : binary(level + 1));
      left = std::move(both);
    }
  }

  std::string operator_of(std::size_t level) {
    for (std::string_view op : kLevels[level])
      if (!op.empty() && take(op)) return std::string(op);
    return "";
  }

  void matching(Expr& e) {
    for (std::string_view word : {"on", "ignoring"})
      if (take(word)) e.grouping = word, e.labels = label_list();
    for (std::string_view word : {"group_left", "group_right"})
      if (take(word)) {
        e.group_side = word;
        if (sees("(")) label_list();
      }
  }

  std::vector<std::string> label_list() {
    std::vector<std::string> out;
    need("(");
    while (!take(")")) {
      blank();
      out.push_back(peek() == '"' || peek() == '\'' ? quoted() : name());
      if (out.back().empty()) fault("a label is missing");
      if (!take(",") && !sees(")")) fault("',' or ')' is missing");
    }
    return out;
  }

  Expr unary() {
    for (std::string_view sign : {"-", "+"})
      if (take(sign)) {
        Expr out{.kind = Kind::kUnary, .name = std::string(sign)};
        out.args.push_back(binary(kLevels.size() - 1));
        return out;
      }
    return modified(primary());
  }

  /// `[5m]`, `[1h:5m]`, `offset 1d`, `@ end()`.
  Expr modified(Expr e) {
    while (true) {
      blank();
      if (peek() == '[' && peek(1) != '[') {
        e = ranged(std::move(e));
      } else if (take("offset")) {
        take("-");
        if (name().empty()) fault("a duration is missing");
      } else if (take("@")) {
        if (name().empty()) fault("a time is missing");
        if (take("(")) need(")");
        if (take(".")) name();
      } else {
        return e;
      }
    }
  }

  Expr ranged(Expr e) {
    const std::size_t end = text_.find(']', at_);
    if (end == text_.npos) fault("']' is missing");
    std::string range(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    if (range.empty()) fault("a duration is missing");
    if (e.kind == Kind::kSelector && e.range.empty() && range.find(':') == range.npos) {
      e.range = std::move(range);
      return e;
    }
    Expr out{.kind = Kind::kSubquery, .range = std::move(range)};
    out.args.push_back(std::move(e));
    return out;
  }

  Expr primary() {
    blank();
    if (take("(")) {
      Expr inner = binary(0);
      need(")");
      return inner;
    }
    if (peek() == '"' || peek() == '\'' || peek() == '`') return {.kind = Kind::kString, .name = quoted()};
    if (std::isdigit(static_cast<unsigned char>(peek())) || peek() == '.') return number();
    if (peek() == '{') return selector("");
    std::string word = name();
    if (word.empty()) fault(at_ < text_.size() ? "an operand is missing" : "it ends too early");
    if (std::ranges::find(kAggregations, word) != kAggregations.end() &&
        (sees("(") || sees("by") || sees("without")))
      return aggregate(std::move(word));
    if (sees("(")) return call(std::move(word));
    return selector(std::move(word));
  }

  Expr number() {
    const std::size_t from = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '.' ||
           ((peek() == '-' || peek() == '+') && std::tolower(text_[at_ - 1]) == 'e'))
      ++at_;
    return {.kind = Kind::kNumber, .name = std::string(text_.substr(from, at_ - from))};
  }

  std::vector<Expr> arguments() {
    std::vector<Expr> out;
    need("(");
    while (!take(")")) {
      out.push_back(binary(0));
      if (!take(",") && !sees(")")) fault("',' or ')' is missing");
    }
    return out;
  }

  Expr call(std::string word) {
    Expr out{.kind = Kind::kCall, .name = std::move(word)};
    out.args = arguments();
    return out;
  }

  Expr aggregate(std::string word) {
    Expr out{.kind = Kind::kAggregate, .name = std::move(word)};
    grouping(out);
    out.args = arguments();
    grouping(out);
    return out;
  }
  void grouping(Expr& e) {
    for (std::string_view word : {"by", "without"})
      if (take(word)) e.grouping = word, e.labels = label_list();
  }

  Expr selector(std::string metric) {
    Expr out{.kind = Kind::kSelector, .name = std::move(metric)};
    if (!take("{")) return out;
    while (!take("}")) {
      out.matchers.push_back(matcher());
      if (!take(",") && !sees("}")) fault("',' or '}' is missing");
    }
    return out;
  }

  Matcher matcher() {
    blank();
    Matcher m{.label = peek() == '"' || peek() == '\'' ? quoted() : name()};
    if (m.label.empty()) fault("a label is missing");
    for (std::string_view op : {"=~", "!~", "!=", "="})
      if (take(op)) {
        m.op = op;
        break;
      }
    if (m.op.empty()) return {"__name__", "=", m.label};  // {"metric"}
    blank();
    if (peek() != '"' && peek() != '\'' && peek() != '`') {
      m.value = name();  // a dashboard's variable without quotes
      if (m.value.empty()) fault("a label's value is missing");
    } else {
      m.value = quoted();
    }
    return m;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<Expr> parse(std::string_view text) {
  Parser parser(text);
  try {
    return parser.whole();
  } catch (const Fault& fault) {
    return failure("no PromQL: " + fault.message, {"", 0, parser.column(), ""},
                   "give the expression as Prometheus takes it");
  }
}

std::vector<std::string> metrics(const Expr& e) {
  std::vector<std::string> out;
  each(e, [&](const Expr& inner) {
    if (inner.kind != Kind::kSelector) return;
    if (!inner.name.empty()) out.push_back(inner.name);
    for (const Matcher& m : inner.matchers)
      if (m.label == "__name__") out.push_back(m.value);
  });
  return out;
}

}  // namespace etiage::explain::promql
