#pragma once
// A recursive descent parser that tells faults, skips and inserts tokens exactly as the parser that ANTLR
// generates from the published grammar (default error strategy, limits by cel-go). Internal to read_syntax.

#include "engines/cel/recovery.h"

namespace etiage::cel {

class Grammar : Recovery {
 public:
  Grammar(const Source& source, Issues& issues) : Recovery(source, issues) {}

  ParseTreePtr start();

 private:
  using Shape = ParseTree::Shape;
  using enum Token;

  static constexpr TokenSet kRelations =
      any_of(kEquals, kNotEquals, kIn, kLess, kLessEquals, kGreaterEquals, kGreater);
  static constexpr TokenSet kFactors = any_of(kStar, kSlash, kPercent);
  static constexpr TokenSet kTerms = any_of(kPlus, kMinus);
  static constexpr TokenSet kMemberStart =
      any_of(kLeftBracket, kLeftBrace, kLeftParen, kDot, kMinus, kTrue, kFalse, kNull, kFloat, kInt, kUint,
             kString, kBytes, kIdentifier);
  static constexpr TokenSet kExprStart = kMemberStart | one(kNot);
  static constexpr TokenSet kName = any_of(kIdentifier, kEscapedIdentifier);
  static constexpr TokenSet kSuffix = any_of(kDot, kLeftBracket) | kEpsilon;

  // grammar.cpp: operators.
  ParseTreePtr expr(TokenSet follow);
  ParseTreePtr or_rule(TokenSet follow);
  ParseTreePtr and_rule(TokenSet follow);
  /// Folds `tree`, what was read so far, into the left side of a binary operation.
  static ParseTree& grow(ParseTree& tree, Lexeme op);
  ParseTreePtr relation(int precedence, TokenSet follow);
  ParseTreePtr calc(int precedence, TokenSet follow);
  ParseTreePtr unary(TokenSet follow);
  /// One or more `sign`, then a member. A minus before a number still belongs to the signs.
  bool signs(ParseTree& t, Token sign, Shape shape, int loop_state);

  // grammar_members.cpp: what stands between operators.
  ParseTreePtr member(TokenSet follow);
  bool select(ParseTree& t);
  bool member_call(ParseTree& t);
  /// Optional expressions and the closing parenthesis.
  bool arguments(ParseTree& t, int open_state, int close_state, TokenSet after);
  bool index(ParseTree& t);
  ParseTreePtr primary(TokenSet follow);
  bool name(ParseTree& t);
  bool message_ahead() const;
  bool message(ParseTree& t);
  bool nested(ParseTree& t);
  bool list(ParseTree& t);
  bool map(ParseTree& t);
  /// A trailing comma, perhaps, and the closing bracket.
  bool closing(int state, Token bracket);
  void expr_list(ParseTree& t);
  /// Whether a comma is followed by another item; otherwise it is a trailing one.
  bool another(TokenSet item) const { return la() == kComma && contains(item, la(1)); }
  void list_init(ParseTree& t);
  void map_list(ParseTree& t);
  bool map_entry(ParseTree& t, int state);
  bool colon_value(ParseTree& t, int state);
  void field_list(ParseTree& t);
  bool field(ParseTree& t, int state);
  void opt_expr(ParseTree& t, TokenSet follow);
  std::optional<Lexeme> escape_ident(TokenSet follow);
  ParseTreePtr literal(TokenSet follow);
};

}  // namespace etiage::cel
