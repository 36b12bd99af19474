#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "engines/cel/token.h"

namespace etiage::cel {
namespace {

constexpr char32_t kNone = 0xFFFFFFFF;

bool is_letter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char32_t c) {
  return c >= '0' && c <= '9';
}
bool is_hex(char32_t c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_octal(char32_t c) {
  return c >= '0' && c <= '7';
}
bool is_word(char32_t c) {
  return is_letter(c) || is_digit(c) || c == '_';
}

/// The longest token at a place, and how far the text was looked at before no token could go on (where faults
/// are told).
class Scanner {
 public:
  Scanner(const Source& source, std::size_t begin) : source_(source), begin_(begin), furthest_(begin) {}

  /// Reads at `begin`; false: no token begins so.
  bool read() {
    const char32_t c = peek(begin_);
    symbol();
    if (is_digit(c) || c == '.') number();
    if (is_letter(c) || c == '_') word();
    if (c == '`') escaped_identifier();
    string(begin_, Token::kString);
    if (c == 'b' || c == 'B') string(begin_ + 1, Token::kBytes);
    if (is_space(c)) space();
    if (c == '/' && look(begin_ + 1) == '/') comment();
    return end_ > begin_;
  }

  Lexeme lexeme() const { return {token_, begin_, end_}; }
  /// The first code point that no token beginning here could have at its place.
  std::size_t failed_at() const { return furthest_; }

 private:
  static bool is_space(char32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }
  char32_t peek(std::size_t i) const { return i < source_.size() ? source_[i] : kNone; }
  char32_t look(std::size_t i) {
    furthest_ = std::max(furthest_, i);
    return peek(i);
  }
  /// Of equally long tokens the one offered first stays, as keywords before identifiers.
  void accept(Token token, std::size_t end) {
    furthest_ = std::max(furthest_, end);
    if (end > end_) token_ = token, end_ = end;
  }
  std::size_t run(std::size_t i, bool (*of)(char32_t)) {
    while (of(look(i))) ++i;
    return i;
  }

  void symbol() {
    struct Symbol {
      std::string_view text;
      Token token;
    };
    static constexpr std::array<Symbol, 24> kSymbols{{{"==", Token::kEquals},
                                                      {"!=", Token::kNotEquals},
                                                      {"<", Token::kLess},
                                                      {"<=", Token::kLessEquals},
                                                      {">=", Token::kGreaterEquals},
                                                      {">", Token::kGreater},
                                                      {"&&", Token::kAnd},
                                                      {"||", Token::kOr},
                                                      {"[", Token::kLeftBracket},
                                                      {"]", Token::kRightBracket},
                                                      {"{", Token::kLeftBrace},
                                                      {"}", Token::kRightBrace},
                                                      {"(", Token::kLeftParen},
                                                      {")", Token::kRightParen},
                                                      {".", Token::kDot},
                                                      {",", Token::kComma},
                                                      {"-", Token::kMinus},
                                                      {"!", Token::kNot},
                                                      {"?", Token::kQuestion},
                                                      {":", Token::kColon},
                                                      {"+", Token::kPlus},
                                                      {"*", Token::kStar},
                                                      {"/", Token::kSlash},
                                                      {"%", Token::kPercent}}};
    for (const Symbol& s : kSymbols) {
      std::size_t n = 0;
      while (n < s.text.size() && look(begin_ + n) == static_cast<unsigned char>(s.text[n])) ++n;
      if (n == s.text.size()) accept(s.token, begin_ + n);
    }
  }

  void number() {
    std::size_t i = run(begin_, is_digit);
    const bool whole = i > begin_;
    if (whole) {
      accept(Token::kInt, i);
      if (const char32_t c = look(i); c == 'u' || c == 'U') accept(Token::kUint, i + 1);
      if (i == begin_ + 1 && peek(begin_) == '0' && look(i) == 'x') hex(i + 1);
      exponent(i);
    }
    if (look(i) == '.' && is_digit(look(i + 1))) {
      i = run(i + 1, is_digit);
      accept(Token::kFloat, i);
      exponent(i);
    }
  }
  void hex(std::size_t i) {
    const std::size_t end = run(i, is_hex);
    if (end == i) return;
    accept(Token::kInt, end);
    if (const char32_t c = look(end); c == 'u' || c == 'U') accept(Token::kUint, end + 1);
  }
  void exponent(std::size_t i) {
    if (const char32_t c = look(i); c != 'e' && c != 'E') return;
    ++i;
    if (const char32_t c = look(i); c == '+' || c == '-') ++i;
    if (const std::size_t end = run(i, is_digit); end > i) accept(Token::kFloat, end);
  }

  void word() {
    const std::size_t end = run(begin_, is_word);
    const std::string text = source_.slice(begin_, end);
    const Token token = text == "in"      ? Token::kIn
                        : text == "true"  ? Token::kTrue
                        : text == "false" ? Token::kFalse
                        : text == "null"  ? Token::kNull
                                          : Token::kIdentifier;
    accept(token, end);
  }
  void escaped_identifier() {
    const std::size_t end = run(
        begin_ + 1, [](char32_t c) { return is_word(c) || c == '.' || c == '-' || c == '/' || c == ' '; });
    if (end > begin_ + 1 && look(end) == '`') accept(Token::kEscapedIdentifier, end + 1);
  }

  void space() { accept(Token::kWhitespace, run(begin_, is_space)); }
  void comment() {
    accept(Token::kComment, run(begin_, [](char32_t c) { return c != '\n' && c != kNone; }));
  }

  void string(std::size_t i, Token token) {
    const bool raw = look(i) == 'r' || peek(i) == 'R';
    if (raw) ++i;
    const char32_t quote = look(i);
    if (quote != '"' && quote != '\'') return;
    short_string(i + 1, quote, raw, token);
    if (look(i + 1) == quote && look(i + 2) == quote) long_string(i + 3, quote, raw, token);
  }
  void short_string(std::size_t i, char32_t quote, bool raw, Token token) {
    for (;;) {
      const char32_t c = look(i);
      if (c == kNone || c == '\n' || c == '\r') return;
      if (c == quote) return accept(token, i + 1);
      const auto next = raw || c != '\\' ? i + 1 : escape(i);
      if (next == 0) return;
      i = next;
    }
  }
  void long_string(std::size_t i, char32_t quote, bool raw, Token token) {
    for (;;) {
      const char32_t c = look(i);
      if (c == kNone) return;
      if (c == quote && look(i + 1) == quote && look(i + 2) == quote) return accept(token, i + 3);
      const auto next = raw || c != '\\' ? i + 1 : escape(i);
      if (next == 0) return;
      i = next;
    }
  }
  /// The place after an escape sequence; 0: it is none.
  std::size_t escape(std::size_t i) {
    const char32_t c = look(i + 1);
    if (c != kNone && std::u32string_view(U"abfnrtv\"'\\?`").find(c) != std::u32string_view::npos)
      return i + 2;
    if (c == 'x' || c == 'X') return digits(i + 2, 2, is_hex);
    if (c == 'u') return digits(i + 2, 4, is_hex);
    if (c == 'U') return digits(i + 2, 8, is_hex);
    if (c >= '0' && c <= '3') return digits(i + 2, 2, is_octal);
    return 0;
  }
  std::size_t digits(std::size_t i, int count, bool (*of)(char32_t)) {
    for (; count > 0; --count, ++i) {
      if (!of(look(i))) return 0;
    }
    return i;
  }

  const Source& source_;
  std::size_t begin_;
  std::size_t furthest_;
  std::size_t end_ = 0;
  Token token_ = Token::kEnd;
};

}  // namespace

std::vector<Lexeme> tokenize(const Source& source, Issues& issues, std::size_t max_reports) {
  std::vector<Lexeme> out;
  std::size_t at = 0;
  while (at < source.size()) {
    Scanner scanner(source, at);
    if (scanner.read()) {
      const Lexeme lexeme = scanner.lexeme();
      if (lexeme.token != Token::kWhitespace && lexeme.token != Token::kComment) out.push_back(lexeme);
      at = lexeme.end;
      continue;
    }
    // The text up to and with the character that could not be part of a token is given up.
    const std::size_t failed = scanner.failed_at();
    if (max_reports-- == 0) break;
    issues.report(source.location(at),
                  "Syntax error: token recognition error at: '" + source.slice(at, failed + 1) + "'");
    at = std::max(failed + 1, at + 1);
  }
  out.push_back({Token::kEnd, source.size(), source.size()});
  return out;
}

std::string display_name(Token token) {
  static constexpr std::array<std::string_view, 38> kNames{
      "",        "'=='",     "'!='",   "'in'",    "'<'",        "'<='",          "'>='",    "'>'",
      "'&&'",    "'||'",     "'['",    "']'",     "'{'",        "'}'",           "'('",     "')'",
      "'.'",     "','",      "'-'",    "'!'",     "'?'",        "':'",           "'+'",     "'*'",
      "'/'",     "'%'",      "'true'", "'false'", "'null'",     "WHITESPACE",    "COMMENT", "NUM_FLOAT",
      "NUM_INT", "NUM_UINT", "STRING", "BYTES",   "IDENTIFIER", "ESC_IDENTIFIER"};
  return token == Token::kEnd ? "<EOF>" : std::string(kNames[static_cast<std::size_t>(token)]);
}

std::string display_names(TokenSet set) {
  std::string names;
  std::size_t count = 0;
  const auto add = [&](Token t) {
    if (!contains(set, t)) return;
    if (count++ > 0) names += ", ";
    names += display_name(t);
  };
  add(Token::kEnd);
  for (int i = 1; i <= static_cast<int>(Token::kEscapedIdentifier); ++i) add(static_cast<Token>(i));
  return count == 1 ? names : "{" + names + "}";
}

}  // namespace etiage::cel
