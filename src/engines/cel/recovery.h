#pragma once
// The tokens of an expression, and ANTLR's way out of faults: what it tells, skips and puts in. Internal to
// grammar.

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engines/cel/parse_tree.h"

namespace etiage::cel {

/// Reading cannot go on; what was to be said has been said.
struct GiveUp {};

/// A `State` is a place in a rule; what may come next there, within the rule, is a TokenSet in which kEpsilon
/// says that the rule may end.
class Recovery {
 protected:
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

  Recovery(const Source& source, Issues& issues)
      : source_(source), issues_(issues), tokens_(tokenize(source, issues, Issues::kMaxIssues)) {}

  const Lexeme& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  Token la(std::size_t ahead = 0) const { return peek(ahead).token; }
  Lexeme consume() {
    const Lexeme lexeme = peek();
    if (lexeme.token != Token::kEnd) ++next_;
    return lexeme;
  }

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
  Lexeme take() {
    end_recovery();
    return consume();
  }
  /// The token, or one put in its place; `after` is what may follow it in the rule.
  std::optional<Lexeme> match(Token token, TokenSet after);
  /// At the beginning of a choice: `local` is what may come.
  bool sync(TokenSet local);
  /// After a round of a loop that must have one more thing after it.
  void sync_loop(TokenSet local);
  bool no_viable(std::size_t offending_ahead);

  int state_ = 0;

 private:
  /// What may come next here, seen through the rules that may end.
  TokenSet expected(TokenSet local) const;
  TokenSet recovery_set() const;
  void notify(const Lexeme& where, std::string message);
  static std::string quoted(std::string_view text);
  std::string display(const Lexeme& lexeme) const;
  void report_unwanted(TokenSet local);
  void end_recovery() {
    recovering_ = false;
    last_states_.clear();
    last_index_ = SIZE_MAX;
  }
  /// Remembers a fault for the end of the rule.
  bool mismatch(TokenSet local);
  bool delete_single(TokenSet local);
  void count_attempt();
  void skip(int& skipped);
  /// The end of a rule that failed: tells the fault and skips to what could follow.
  void recover();

  const Source& source_;
  Issues& issues_;
  std::vector<Lexeme> tokens_;
  std::size_t next_ = 0;
  std::array<int, kRules> depth_{};
  std::vector<TokenSet> follows_;
  std::function<void()> pending_;
  bool recovering_ = false;
  std::size_t last_index_ = SIZE_MAX;
  std::set<int> last_states_;
  int attempts_ = 0;
  int reports_ = 0;
};

}  // namespace etiage::cel
