#pragma once
// Tokens of CEL, numbered and named as its published grammar does, since messages list them in that order.

#include <cstdint>
#include <string>
#include <vector>

#include "engines/cel/source.h"

namespace etiage::cel {

enum class Token : std::uint8_t {
  kEquals = 1,
  kNotEquals,
  kIn,
  kLess,
  kLessEquals,
  kGreaterEquals,
  kGreater,
  kAnd,
  kOr,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kLeftParen,
  kRightParen,
  kDot,
  kComma,
  kMinus,
  kNot,
  kQuestion,
  kColon,
  kPlus,
  kStar,
  kSlash,
  kPercent,
  kTrue,
  kFalse,
  kNull,
  kWhitespace,
  kComment,
  kFloat,
  kInt,
  kUint,
  kString,
  kBytes,
  kIdentifier,
  kEscapedIdentifier,
  kEnd = 62,  ///< end of the text, listed before all others in messages
};

/// A set of tokens as bits; bit 63 says "and nothing at all".
using TokenSet = std::uint64_t;
inline constexpr TokenSet kEpsilon = TokenSet{1} << 63;

constexpr TokenSet one(Token t) {
  return TokenSet{1} << static_cast<int>(t);
}
template <class... T>
constexpr TokenSet any_of(T... t) {
  return (one(t) | ...);
}
constexpr bool contains(TokenSet set, Token t) {
  return (set & one(t)) != 0;
}

struct Lexeme {
  Token token = Token::kEnd;
  std::size_t begin = 0;  ///< code points
  std::size_t end = 0;
};

/// All tokens of the text, the last one kEnd; what is no token is reported and skipped. Space and comments
/// are left out.
std::vector<Lexeme> tokenize(const Source& source, Issues& issues, std::size_t max_reports);

/// `'=='`, `IDENTIFIER`, `<EOF>`: a token as messages name it.
std::string display_name(Token token);
/// `'.'` alone, or `{'[', '{', ...}`.
std::string display_names(TokenSet set);

}  // namespace etiage::cel
