#include "engines/cel/regex.h"

#include <algorithm>
#include <re2/re2.h>

namespace etiage::cel {
namespace {

/// What compiling and matching may use; patterns that need more are refused.
constexpr std::int64_t kMaxMemory = 16 << 20;

re2::StringPiece piece(std::string_view s) {
  return {s.data(), s.size()};
}

/// The end of what stands at `i` and is taken as it is: a quoted part, an escape, a character class; else the
/// next character.
std::size_t end_of_part(std::string_view pattern, std::size_t i) {
  const std::string_view rest = pattern.substr(i);
  if (rest.starts_with("\\Q")) return std::min(pattern.find("\\E", i + 2), pattern.size() - 2) + 2;
  if (rest.starts_with('\\')) return std::min(i + 2, pattern.size());
  if (!rest.starts_with('[')) return i + 1;
  ++i;
  if (pattern.substr(i).starts_with('^')) ++i;
  if (pattern.substr(i).starts_with(']')) ++i;
  while (i < pattern.size() && pattern[i] != ']') {
    const std::size_t named = pattern.substr(i).starts_with("[:") ? pattern.find(":]", i) : pattern.npos;
    i = named != pattern.npos ? named + 2 : pattern[i] == '\\' ? i + 2 : i + 1;
  }
  return std::min(i + 1, pattern.size());
}

/// Go reads `(?<name>` as `(?P<name>`; the RE2 at hand does not.
std::string modernised(std::string_view pattern) {
  std::string out;
  for (std::size_t i = 0, end = 0; i < pattern.size(); i = end) {
    end = end_of_part(pattern, i);
    if (pattern.substr(i).starts_with("(?<")) {
      out += "(?P<";
      end = i + 3;
    } else {
      out += pattern.substr(i, end - i);
    }
  }
  return out;
}

/// Where the pattern has `\C`, one byte: RE2 knows it, Go does not. npos: nowhere.
std::size_t byte_escape(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); i = end_of_part(pattern, i))
    if (pattern.substr(i).starts_with("\\C")) return i;
  return pattern.npos;
}

std::string_view go_words(re2::RE2::ErrorCode code) {
  switch (code) {
    case re2::RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case re2::RE2::ErrorBadCharClass:
      return "invalid character class";
    case re2::RE2::ErrorBadCharRange:
      return "invalid character class range";
    case re2::RE2::ErrorMissingBracket:
      return "missing closing ]";
    case re2::RE2::ErrorMissingParen:
      return "missing closing )";
    case re2::RE2::ErrorUnexpectedParen:
      return "unexpected )";
    case re2::RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case re2::RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case re2::RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case re2::RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case re2::RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case re2::RE2::ErrorBadUTF8:
      return "invalid UTF-8";
    case re2::RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    case re2::RE2::ErrorPatternTooLarge:
      return "expression too large";
    default:
      return "regexp/syntax: internal error";
  }
}

/// Empty where Go takes the pattern; Go tells the first fault from the left.
std::string go_error(const re2::RE2& re, std::string_view pattern) {
  const auto code = re.error_code();
  std::string argument = re.error_arg();
  const std::size_t byte = byte_escape(pattern);
  if (byte != pattern.npos &&
      (re.ok() || code == re2::RE2::ErrorMissingParen || byte < pattern.find(argument)))
    return "error parsing regexp: invalid escape sequence: `\\C`";
  if (re.ok()) return {};
  if (code == re2::RE2::ErrorMissingParen || code == re2::RE2::ErrorUnexpectedParen ||
      code == re2::RE2::ErrorPatternTooLarge) {
    argument = pattern;
  }
  if (code == re2::RE2::ErrorTrailingBackslash) argument.clear();
  if (argument.starts_with("(?P<") && pattern.find("(?P<") == std::string_view::npos) argument.erase(2, 1);
  return "error parsing regexp: " + std::string(go_words(code)) + ": `" + argument + "`";
}

/// The alternatives of a pattern that is nothing but words and bars, as `H100|H200`; none otherwise.
std::vector<std::string> plain_words(std::string_view pattern) {
  std::vector<std::string> words(1);
  for (const char c : pattern) {
    if (c == '|') {
      words.emplace_back();
    } else if (std::string_view("\\.+*?()[]{}^$").find(c) != std::string_view::npos || (c & 0x80) != 0) {
      return {};
    } else {
      words.back() += c;
    }
  }
  const bool any_empty = std::ranges::any_of(words, [](const auto& w) { return w.empty(); });
  return any_empty ? std::vector<std::string>{} : words;
}

}  // namespace

Regex::Regex(std::string_view pattern) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  re_ = std::make_unique<re2::RE2>(modernised(pattern), options);
  error_ = go_error(*re_, pattern);
  if (error_.empty()) words_ = plain_words(pattern);
}
Regex::~Regex() = default;

bool Regex::search(std::string_view text) const {
  if (!words_.empty()) {
    return std::ranges::any_of(words_, [&](const auto& w) { return text.find(w) != std::string_view::npos; });
  }
  return re2::RE2::PartialMatch(piece(text), *re_);
}

std::string Regex::find(std::string_view text) const {
  re2::StringPiece match;
  if (!re_->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, &match, 1)) return {};
  return {match.data(), match.size()};
}

std::vector<std::string> Regex::find_all(std::string_view text, std::int64_t limit) const {
  std::vector<std::string> found;
  std::size_t at = 0;
  const char* last_end = nullptr;
  while (at <= text.size() && (limit < 0 || static_cast<std::int64_t>(found.size()) < limit)) {
    re2::StringPiece match;
    if (!re_->Match(piece(text), at, text.size(), re2::RE2::UNANCHORED, &match, 1)) break;
    const char* end = match.data() + match.size();
    // An empty match right after another one does not count.
    const bool counts = !match.empty() || match.data() != last_end;
    if (counts) found.emplace_back(match.data(), match.size());
    last_end = end;
    at = static_cast<std::size_t>(end - text.data());
    if (match.empty()) {
      ++at;
      while (at < text.size() && (text[at] & 0xC0) == 0x80) ++at;
    }
  }
  return found;
}

Value regex_matches(const std::string& text, const std::string& pattern) {
  const Regex regex(pattern);
  if (!regex.error().empty()) return Value::error(regex.error());
  return Value::boolean(regex.search(text));
}

}  // namespace etiage::cel
