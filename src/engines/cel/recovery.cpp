#include "engines/cel/recovery.h"

namespace etiage::cel {

TokenSet Recovery::expected(TokenSet local) const {
  TokenSet set = local & ~kEpsilon;
  auto frame = follows_.rbegin();
  for (; (local & kEpsilon) != 0 && frame != follows_.rend(); ++frame) {
    local = *frame;
    set |= local & ~kEpsilon;
  }
  return set;
}

TokenSet Recovery::recovery_set() const {
  TokenSet set = 0;
  for (const TokenSet follow : follows_) set |= follow;
  return set & ~kEpsilon;
}

void Recovery::notify(const Lexeme& where, std::string message) {
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

std::string Recovery::quoted(std::string_view text) {
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

std::string Recovery::display(const Lexeme& lexeme) const {
  return lexeme.token == Token::kEnd ? "'<EOF>'" : quoted(source_.slice(lexeme.begin, lexeme.end));
}

void Recovery::report_unwanted(TokenSet local) {
  if (recovering_) return;
  recovering_ = true;
  notify(peek(), "extraneous input " + display(peek()) + " expecting " + display_names(expected(local)));
}

bool Recovery::mismatch(TokenSet local) {
  pending_ = [this, local, where = peek()] {
    notify(where, "mismatched input " + display(where) + " expecting " + display_names(expected(local)));
  };
  return false;
}

bool Recovery::no_viable(std::size_t offending_ahead) {
  const Lexeme start = peek(), offending = peek(offending_ahead);
  const std::string input =
      start.token == Token::kEnd ? "<EOF>" : source_.slice(start.begin, std::max(offending.end, start.end));
  pending_ = [this, offending, input] {
    notify(offending, "no viable alternative at input " + quoted(input));
  };
  return false;
}

bool Recovery::delete_single(TokenSet local) {
  if (!contains(expected(local), la(1))) return false;
  report_unwanted(local);
  consume();
  end_recovery();
  return true;
}

void Recovery::count_attempt() {
  if (attempts_++ == kMaxRecoveries) {
    notify(peek(), fmt::format("error recovery attempt limit exceeded: {}", kMaxRecoveries));
    throw GiveUp{};
  }
}

void Recovery::skip(int& skipped) {
  if (skipped++ >= kMaxSkippedTokens) {
    issues_.report({}, fmt::format("error recovery token lookahead limit exceeded: {}", kMaxSkippedTokens));
    throw GiveUp{};
  }
  consume();
}

void Recovery::recover() {
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
  while (la() != Token::kEnd && !contains(until, la())) skip(skipped);
}

std::optional<Lexeme> Recovery::match(Token token, TokenSet after) {
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

bool Recovery::sync(TokenSet local) {
  if (recovering_ || contains(local, la()) || (local & kEpsilon) != 0) return true;
  return delete_single(local) || mismatch(local);
}

void Recovery::sync_loop(TokenSet local) {
  if (recovering_ || contains(local, la())) return;
  report_unwanted(local);
  const TokenSet until = expected(local) | recovery_set();
  while (la() != Token::kEnd && !contains(until, la())) consume();
}

}  // namespace etiage::cel
