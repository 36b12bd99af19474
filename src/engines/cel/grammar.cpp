// A recursive descent parser that tells faults, skips and inserts tokens exactly as the parser that ANTLR
// generates from the published grammar (default error strategy, limits by cel-go). A `State` is a place in a
// rule; what may come next there, within the rule, is a TokenSet in which kEpsilon says that the rule may
// end.

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <set>

#include "engines/cel/parse_tree.h"

namespace etiage::cel {
namespace {

using Shape = ParseTree::Shape;
using enum Token;

constexpr TokenSet kRelations =
    any_of(kEquals, kNotEquals, kIn, kLess, kLessEquals, kGreaterEquals, kGreater);
constexpr TokenSet kFactors = any_of(kStar, kSlash, kPercent);
constexpr TokenSet kTerms = any_of(kPlus, kMinus);
constexpr TokenSet kMemberStart = any_of(kLeftBracket, kLeftBrace, kLeftParen, kDot, kMinus, kTrue, kFalse,
                                         kNull, kFloat, kInt, kUint, kString, kBytes, kIdentifier);
constexpr TokenSet kExprStart = kMemberStart | one(kNot);
constexpr TokenSet kName = any_of(kIdentifier, kEscapedIdentifier);
constexpr TokenSet kSuffix = any_of(kDot, kLeftBracket) | kEpsilon;

enum Rule {
  kStart,
  kExpr,
  kOrRule,
  kAndRule,
  kRelation,
  kCalc,
  kUnary,
  kMember,
  kPrimary,
  kExprList,
  kListInit,
  kFieldList,
  kOptField,
  kMapList,
  kEscapeIdent,
  kOptExpr,
  kLiteral,
  kRules
};

/// Reading cannot go on; what was to be said has been said.
struct GiveUp {};

class Grammar {
 public:
  Grammar(const Source& source, Issues& issues)
      : source_(source), issues_(issues), tokens_(tokenize(source, issues, Issues::kMaxIssues)) {}

  ParseTreePtr start() {
    auto tree = rule(kStart, 0, [&](ParseTree& t) {
      t.shape = Shape::kPassThrough;
      t.children.push_back(at(34, [&] { return expr(one(kEnd)); }));
      return at(35, [&] { return match(kEnd, 0).has_value(); });
    });
    return tree;
  }

 private:
  // --- tokens
  // -----------------------------------------------------------------------------------------------------

  const Lexeme& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  Token la(std::size_t ahead = 0) const { return peek(ahead).token; }
  Lexeme consume() {
    const Lexeme lexeme = peek();
    if (lexeme.token != kEnd) ++next_;
    return lexeme;
  }

  // --- rules
  // ------------------------------------------------------------------------------------------------------

  /// Runs `body` as one invocation of `rule`; `follow` is what may come after it in the rule that invoked it.
  template <class Body>
  ParseTreePtr rule(Rule rule, TokenSet follow, Body body) {
    const int invoked_in = state_;
    auto tree = std::make_unique<ParseTree>();
    tree->start = peek();
    if (++depth_[rule] > kMaxRecursion) {
      issues_.report({}, fmt::format("expression recursion limit exceeded: {}", kMaxRecursion));
      throw GiveUp{};
    }
    follows_.push_back(follow);
    if (!body(*tree)) recover();
    tree->end = next_ > 0 ? tokens_[next_ - 1].end : 0;
    follows_.pop_back();
    --depth_[rule];
    state_ = invoked_in;
    return tree;
  }
  template <class Do>
  std::invoke_result_t<Do> at(int state, Do what) {
    state_ = state;
    return what();
  }

  // --- faults
  // -----------------------------------------------------------------------------------------------------

  /// What may come next here, seen through the rules that may end.
  TokenSet expected(TokenSet local) const {
    TokenSet set = local & ~kEpsilon;
    auto frame = follows_.rbegin();
    for (; (local & kEpsilon) != 0 && frame != follows_.rend(); ++frame) {
      local = *frame;
      set |= local & ~kEpsilon;
    }
    return set;
  }
  TokenSet recovery_set() const {
    TokenSet set = 0;
    for (const TokenSet follow : follows_) set |= follow;
    return set & ~kEpsilon;
  }

  void notify(const Lexeme& where, std::string message) {
    constexpr std::string_view kNoViable = "no viable alternative at input '";
    if (message.starts_with(kNoViable)) {
      for (const char* word : {"true", "false", "null"}) {
        const auto input = std::string_view(message).substr(kNoViable.size());
        if (input.size() == std::string_view(word).size() + 2 && input.substr(1) == std::string(word) + "'") {
          message = fmt::format("mismatched input '{}' expecting IDENTIFIER", word);
        }
      }
    }
    const bool too_many = reports_++ >= static_cast<int>(Issues::kMaxIssues);
    if (too_many) message = fmt::format("More than {} syntax errors", Issues::kMaxIssues);
    issues_.report(source_.location(where.begin), "Syntax error: " + message);
    if (too_many) throw GiveUp{};
  }
  static std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
      if (c == '\t')
        out += "\\t";
      else if (c == '\n')
        out += "\\n";
      else if (c == '\r')
        out += "\\r";
      else
        out += c;
    }
    return out + "'";
  }
  std::string display(const Lexeme& lexeme) const {
    return lexeme.token == kEnd ? "'<EOF>'" : quoted(source_.slice(lexeme.begin, lexeme.end));
  }

  void report_unwanted(TokenSet local) {
    if (recovering_) return;
    recovering_ = true;
    notify(peek(), "extraneous input " + display(peek()) + " expecting " + display_names(expected(local)));
  }
  void end_recovery() {
    recovering_ = false;
    last_states_.clear();
    last_index_ = SIZE_MAX;
  }
  /// Remembers a fault for the end of the rule.
  bool mismatch(TokenSet local) {
    pending_ = [this, local, where = peek()] {
      notify(where, "mismatched input " + display(where) + " expecting " + display_names(expected(local)));
    };
    return false;
  }
  bool no_viable(std::size_t offending_ahead) {
    const Lexeme start = peek(), offending = peek(offending_ahead);
    const std::string input =
        start.token == kEnd ? "<EOF>" : source_.slice(start.begin, std::max(offending.end, start.end));
    pending_ = [this, offending, input] {
      notify(offending, "no viable alternative at input " + quoted(input));
    };
    return false;
  }

  bool delete_single(TokenSet local) {
    if (!contains(expected(local), la(1))) return false;
    report_unwanted(local);
    consume();
    end_recovery();
    return true;
  }
  void count_attempt() {
    if (attempts_++ == kMaxRecoveries) {
      notify(peek(), fmt::format("error recovery attempt limit exceeded: {}", kMaxRecoveries));
      throw GiveUp{};
    }
  }
  void skip(int& skipped) {
    if (skipped++ >= kMaxSkippedTokens) {
      issues_.report({}, fmt::format("error recovery token lookahead limit exceeded: {}", kMaxSkippedTokens));
      throw GiveUp{};
    }
    consume();
  }
  /// The end of a rule that failed: tells the fault and skips to what could follow.
  void recover() {
    if (!recovering_) {
      recovering_ = true;
      pending_();
    }
    count_attempt();
    int skipped = 0;
    if (last_index_ == next_ && last_states_.contains(state_)) skip(skipped);
    last_index_ = next_;
    last_states_.insert(state_);
    const TokenSet until = recovery_set();
    while (la() != kEnd && !contains(until, la())) skip(skipped);
  }

  /// The token, or one put in its place; `after` is what may follow it in the rule.
  std::optional<Lexeme> match(Token token, TokenSet after) {
    if (la() == token) {
      end_recovery();
      return consume();
    }
    count_attempt();
    const TokenSet local = one(token);
    if (delete_single(local)) return consume();
    if (contains(expected(after), la())) {
      if (!recovering_) {
        recovering_ = true;
        notify(peek(), "missing " + display_names(expected(local)) + " at " + display(peek()));
      }
      return Lexeme{token, peek().begin, peek().begin};
    }
    mismatch(local);
    return std::nullopt;
  }
  /// At the beginning of a choice: `local` is what may come.
  bool sync(TokenSet local) {
    if (recovering_ || contains(local, la()) || (local & kEpsilon) != 0) return true;
    return delete_single(local) || mismatch(local);
  }
  /// After a round of a loop that must have one more thing after it.
  void sync_loop(TokenSet local) {
    if (recovering_ || contains(local, la())) return;
    report_unwanted(local);
    const TokenSet until = expected(local) | recovery_set();
    while (la() != kEnd && !contains(until, la())) consume();
  }

  // --- the grammar
  // ------------------------------------------------------------------------------------------------

  ParseTreePtr expr(TokenSet follow) {
    return rule(kExpr, follow, [&](ParseTree& t) {
      t.shape = Shape::kPassThrough;
      t.children.push_back(at(37, [&] { return or_rule(one(kQuestion) | kEpsilon); }));
      if (la() != kQuestion) return true;
      t.shape = Shape::kConditional;
      t.op = match(kQuestion, kExprStart);
      t.children.push_back(at(39, [&] { return or_rule(one(kColon)); }));
      if (!at(40, [&] { return match(kColon, kExprStart).has_value(); })) return false;
      t.children.push_back(at(41, [&] { return expr(kEpsilon); }));
      return true;
    });
  }

  ParseTreePtr or_rule(TokenSet follow) {
    return rule(kOrRule, follow, [&](ParseTree& t) {
      const TokenSet rest = one(kOr) | kEpsilon;
      t.children.push_back(at(45, [&] { return and_rule(rest); }));
      while (la() == kOr) {
        t.ops.push_back(*match(kOr, kExprStart));
        t.children.push_back(at(47, [&] { return and_rule(rest); }));
      }
      t.shape = t.ops.empty() ? Shape::kPassThrough : Shape::kOr;
      return true;
    });
  }

  ParseTreePtr and_rule(TokenSet follow) {
    return rule(kAndRule, follow, [&](ParseTree& t) {
      const TokenSet rest = one(kAnd) | kEpsilon;
      t.children.push_back(at(53, [&] { return relation(0, rest); }));
      while (la() == kAnd) {
        t.ops.push_back(*match(kAnd, kExprStart));
        t.children.push_back(at(55, [&] { return relation(0, rest); }));
      }
      t.shape = t.ops.empty() ? Shape::kPassThrough : Shape::kAnd;
      return true;
    });
  }

  /// Folds `tree`, what was read so far, into the left side of a binary operation.
  static ParseTree& grow(ParseTree& tree, Lexeme op) {
    auto left = std::make_unique<ParseTree>(std::move(tree));
    tree = ParseTree{.shape = Shape::kBinary, .start = left->start, .op = op};
    tree.children.push_back(std::move(left));
    return tree;
  }
  Lexeme take() {
    end_recovery();
    return consume();
  }

  ParseTreePtr relation(int precedence, TokenSet follow) {
    return rule(kRelation, follow, [&](ParseTree& t) {
      const TokenSet rest = kRelations | kEpsilon;
      t.shape = Shape::kPassThrough;
      t.children.push_back(at(62, [&] { return calc(0, rest); }));
      while (contains(kRelations, la()) && precedence <= 1) {
        grow(t, take()).children.push_back(at(66, [&] { return relation(2, rest); }));
      }
      return true;
    });
  }

  ParseTreePtr calc(int precedence, TokenSet follow) {
    return rule(kCalc, follow, [&](ParseTree& t) {
      const TokenSet rest = kFactors | kTerms | kEpsilon;
      t.shape = Shape::kPassThrough;
      t.children.push_back(at(73, [&] { return unary(rest); }));
      for (;;) {
        if (contains(kFactors, la()) && precedence <= 2) {
          grow(t, take()).children.push_back(at(77, [&] { return calc(3, rest); }));
        } else if (contains(kTerms, la()) && precedence <= 1) {
          grow(t, take()).children.push_back(at(80, [&] { return calc(2, rest); }));
        } else {
          return true;
        }
      }
    });
  }

  ParseTreePtr unary(TokenSet follow) {
    return rule(kUnary, follow, [&](ParseTree& t) {
      t.shape = Shape::kUnreadUnary;
      state_ = 99;
      if (!sync(kExprStart)) return false;
      if (la() == kNot) return signs(t, kNot, Shape::kNot, 90);
      if (la() == kMinus && !contains(any_of(kInt, kFloat), la(1))) {
        if (!contains(kMemberStart, la(1))) return no_viable(1);
        return signs(t, kMinus, Shape::kNegate, 96);
      }
      if (!contains(kMemberStart, la())) return no_viable(0);
      if (la() == kMinus && la(2) == kDot && !contains(kName | one(kQuestion), la(3))) return no_viable(3);
      if (la() == kMinus && la(2) == kLeftBracket && !contains(kExprStart | one(kQuestion), la(3))) {
        return no_viable(3);
      }
      t.shape = Shape::kPassThrough;
      t.children.push_back(at(86, [&] { return member(kEpsilon); }));
      return true;
    });
  }
  /// One or more `sign`, then a member. A minus before a number still belongs to the signs.
  bool signs(ParseTree& t, Token sign, Shape shape, int loop_state) {
    t.shape = shape;
    do {
      t.ops.push_back(take());
      state_ = loop_state;
      sync_loop(kMemberStart | one(sign));
      if (sign == kMinus && la() == kMinus && !contains(kMemberStart, la(1))) return no_viable(1);
    } while (la() == sign);
    if (sign == kMinus && !contains(kMemberStart, la())) return no_viable(0);
    t.children.push_back(at(loop_state + 2, [&] { return member(kEpsilon); }));
    return true;
  }

  ParseTreePtr member(TokenSet follow) {
    return rule(kMember, follow, [&](ParseTree& t) {
      t.shape = Shape::kPassThrough;
      t.children.push_back(at(102, [&] { return primary(kSuffix); }));
      for (;;) {
        if (la() == kLeftBracket) {
          if (!index(t)) return false;
        } else if (la() == kDot) {
          state_ = 126;
          const bool call = la(1) == kIdentifier && la(2) == kLeftParen;
          if (!call && !contains(kName | one(kQuestion), la(1))) return no_viable(1);
          if (!(call ? member_call(t) : select(t))) return false;
        } else {
          return true;
        }
      }
    });
  }
  bool select(ParseTree& t) {
    grow(t, take()).shape = Shape::kSelect;
    state_ = 107;
    if (!sync(kName | one(kQuestion))) return false;
    if (la() == kQuestion) t.mark = take();
    t.id = at(109, [&] { return escape_ident(kSuffix); });
    return true;
  }
  bool member_call(ParseTree& t) {
    grow(t, take()).shape = Shape::kMemberCall;
    t.id = take();
    t.op = take();
    return arguments(t, 115, 117, kSuffix);
  }
  /// Optional expressions and the closing parenthesis.
  bool arguments(ParseTree& t, int open_state, int close_state, TokenSet after) {
    state_ = open_state;
    if (!sync(kExprStart | one(kRightParen))) return false;
    if (contains(kExprStart, la())) at(open_state - 1, [&] { expr_list(t); });
    return at(close_state, [&] { return match(kRightParen, after).has_value(); });
  }
  bool index(ParseTree& t) {
    grow(t, take()).shape = Shape::kIndex;
    state_ = 121;
    if (!sync(kExprStart | one(kQuestion))) return false;
    if (la() == kQuestion) t.mark = take();
    t.children.push_back(at(123, [&] { return expr(one(kRightBracket)); }));
    return at(124, [&] { return match(kRightBracket, kSuffix).has_value(); });
  }

  ParseTreePtr primary(TokenSet follow) {
    return rule(kPrimary, follow, [&](ParseTree& t) {
      state_ = 184;
      if (!sync(kMemberStart)) return false;
      switch (la()) {
        case kDot:
          if (la(1) != kIdentifier) return no_viable(1);
          [[fallthrough]];
        case kIdentifier:
          return name(t);
        case kLeftParen:
          return nested(t);
        case kLeftBracket:
          return list(t);
        case kLeftBrace:
          return map(t);
        default:
          break;
      }
      if (!contains(kMemberStart, la())) return no_viable(0);
      t.shape = Shape::kPassThrough;
      t.children.push_back(at(183, [&] { return literal(kEpsilon); }));
      return true;
    });
  }
  bool name(ParseTree& t) {
    const bool is_message = message_ahead();
    if (la() == kDot) t.mark = take();
    if (is_message) return message(t);
    t.shape = Shape::kIdent;
    t.id = take();
    if (la() != kLeftParen) return true;
    t.shape = Shape::kCall;
    t.op = take();
    return arguments(t, 141, 143, kEpsilon);
  }
  bool message_ahead() const {
    std::size_t i = la() == kDot ? 1 : 0;
    while (la(i) == kIdentifier) {
      if (la(i + 1) == kLeftBrace) return true;
      if (la(i + 1) != kDot) return false;
      i += 2;
    }
    return false;
  }
  bool message(ParseTree& t) {
    t.shape = Shape::kMessage;
    t.ids.push_back(take());
    while (la() == kDot) {
      take();
      t.ids.push_back(take());
    }
    t.op = take();
    state_ = 177;
    if (!sync(kName | any_of(kQuestion, kComma, kRightBrace))) return false;
    if (contains(kName | one(kQuestion), la())) at(176, [&] { field_list(t); });
    return closing(180, kRightBrace);
  }
  bool nested(ParseTree& t) {
    take();
    t.shape = Shape::kPassThrough;
    t.children.push_back(at(145, [&] { return expr(one(kRightParen)); }));
    return at(146, [&] { return match(kRightParen, kEpsilon).has_value(); });
  }
  bool list(ParseTree& t) {
    t.shape = Shape::kList;
    t.op = take();
    state_ = 150;
    if (!sync(kExprStart | any_of(kQuestion, kComma, kRightBracket))) return false;
    if (contains(kExprStart | one(kQuestion), la())) at(149, [&] { list_init(t); });
    return closing(153, kRightBracket);
  }
  bool map(ParseTree& t) {
    t.shape = Shape::kMap;
    t.op = take();
    state_ = 158;
    if (!sync(kExprStart | any_of(kQuestion, kComma, kRightBrace))) return false;
    if (contains(kExprStart | one(kQuestion), la())) at(157, [&] { map_list(t); });
    return closing(161, kRightBrace);
  }
  /// A trailing comma, perhaps, and the closing bracket.
  bool closing(int state, Token bracket) {
    state_ = state;
    if (!sync(any_of(kComma, bracket))) return false;
    if (la() == kComma) take();
    return at(state + 2, [&] { return match(bracket, kEpsilon).has_value(); });
  }

  void expr_list(ParseTree& t) {
    rule(kExprList, one(kRightParen), [&](ParseTree&) {
      const TokenSet rest = one(kComma) | kEpsilon;
      t.children.push_back(at(186, [&] { return expr(rest); }));
      while (la() == kComma) {
        take();
        t.children.push_back(at(188, [&] { return expr(rest); }));
      }
      return true;
    });
  }
  /// Whether a comma is followed by another item; otherwise it is a trailing one.
  bool another(TokenSet item) const { return la() == kComma && contains(item, la(1)); }

  void list_init(ParseTree& t) {
    rule(kListInit, any_of(kComma, kRightBracket), [&](ParseTree&) {
      const TokenSet rest = one(kComma) | kEpsilon;
      at(194, [&] { opt_expr(t, rest); });
      while (another(kExprStart | one(kQuestion))) {
        take();
        at(196, [&] { opt_expr(t, rest); });
      }
      return true;
    });
  }
  void map_list(ParseTree& t) {
    rule(kMapList, any_of(kComma, kRightBrace), [&](ParseTree&) {
      if (!map_entry(t, 220)) return false;
      while (another(kExprStart | one(kQuestion))) {
        take();
        if (!map_entry(t, 224)) return false;
      }
      return true;
    });
  }
  bool map_entry(ParseTree& t, int state) {
    at(state, [&] { opt_expr(t, one(kColon)); });
    return colon_value(t, state + 1);
  }
  bool colon_value(ParseTree& t, int state) {
    const auto colon = at(state, [&] { return match(kColon, kExprStart); });
    if (!colon) return false;
    t.ops.push_back(*colon);
    t.children.push_back(at(state + 1, [&] { return expr(one(kComma) | kEpsilon); }));
    return true;
  }
  void field_list(ParseTree& t) {
    rule(kFieldList, any_of(kComma, kRightBrace), [&](ParseTree&) {
      if (!field(t, 202)) return false;
      while (another(kName | one(kQuestion))) {
        take();
        if (!field(t, 206)) return false;
      }
      return true;
    });
  }
  bool field(ParseTree& t, int state) {
    state_ = state;
    rule(kOptField, one(kColon), [&](ParseTree&) {
      state_ = 216;
      if (!sync(kName | one(kQuestion))) return false;
      t.optional_child.push_back(la() == kQuestion);
      if (la() == kQuestion) take();
      t.field_ids.push_back(at(218, [&] { return escape_ident(kEpsilon); }));
      return true;
    });
    return colon_value(t, state + 1);
  }
  void opt_expr(ParseTree& t, TokenSet follow) {
    rule(kOptExpr, follow, [&](ParseTree&) {
      state_ = 238;
      if (!sync(kExprStart | one(kQuestion))) return false;
      t.optional_child.push_back(la() == kQuestion);
      if (la() == kQuestion) take();
      t.children.push_back(at(240, [&] { return expr(kEpsilon); }));
      return true;
    });
  }
  std::optional<Lexeme> escape_ident(TokenSet follow) {
    std::optional<Lexeme> id;
    rule(kEscapeIdent, follow, [&](ParseTree&) {
      state_ = 235;
      if (!sync(kName)) return false;
      if (!contains(kName, la())) return no_viable(0);
      id = take();
      return true;
    });
    return id;
  }

  ParseTreePtr literal(TokenSet follow) {
    return rule(kLiteral, follow, [&](ParseTree& t) {
      state_ = 256;
      const TokenSet tokens = kMemberStart & ~any_of(kLeftBracket, kLeftBrace, kLeftParen, kDot, kIdentifier);
      if (!sync(tokens)) return false;
      if (la() == kMinus && !contains(any_of(kInt, kFloat), la(1))) return no_viable(1);
      if (!contains(tokens, la())) return no_viable(0);
      t.shape = Shape::kLiteral;
      if (la() == kMinus) t.mark = take();
      t.op = take();
      return true;
    });
  }

  const Source& source_;
  Issues& issues_;
  std::vector<Lexeme> tokens_;
  std::size_t next_ = 0;
  int state_ = 0;
  std::array<int, kRules> depth_{};
  std::vector<TokenSet> follows_;
  std::function<void()> pending_;
  bool recovering_ = false;
  std::size_t last_index_ = SIZE_MAX;
  std::set<int> last_states_;
  int attempts_ = 0;
  int reports_ = 0;
};

}  // namespace

ParseTreePtr read_syntax(const Source& source, Issues& issues) {
  if (source.size() > kMaxCodePoints) {
    issues.report({}, fmt::format("expression code point size exceeds limit: size: {}, limit {}",
                                  source.size(), kMaxCodePoints));
    return nullptr;
  }
  try {
    return Grammar(source, issues).start();
  } catch (const GiveUp&) {
    return nullptr;
  }
}

}  // namespace etiage::cel
