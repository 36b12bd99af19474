// What stands between operators: members, names, calls, literals.

#include "engines/cel/grammar.h"

namespace etiage::cel {

ParseTreePtr Grammar::member(TokenSet follow) {
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

bool Grammar::select(ParseTree& t) {
  grow(t, take()).shape = Shape::kSelect;
  state_ = 107;
  if (!sync(kName | one(kQuestion))) return false;
  if (la() == kQuestion) t.mark = take();
  t.id = at(109, [&] { return escape_ident(kSuffix); });
  return true;
}

bool Grammar::member_call(ParseTree& t) {
  grow(t, take()).shape = Shape::kMemberCall;
  t.id = take();
  t.op = take();
  return arguments(t, 115, 117, kSuffix);
}

bool Grammar::arguments(ParseTree& t, int open_state, int close_state, TokenSet after) {
  state_ = open_state;
  if (!sync(kExprStart | one(kRightParen))) return false;
  if (contains(kExprStart, la())) at(open_state - 1, [&] { expr_list(t); });
  return at(close_state, [&] { return match(kRightParen, after).has_value(); });
}

bool Grammar::index(ParseTree& t) {
  grow(t, take()).shape = Shape::kIndex;
  state_ = 121;
  if (!sync(kExprStart | one(kQuestion))) return false;
  if (la() == kQuestion) t.mark = take();
  t.children.push_back(at(123, [&] { return expr(one(kRightBracket)); }));
  return at(124, [&] { return match(kRightBracket, kSuffix).has_value(); });
}

ParseTreePtr Grammar::primary(TokenSet follow) {
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

bool Grammar::name(ParseTree& t) {
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

bool Grammar::message_ahead() const {
  std::size_t i = la() == kDot ? 1 : 0;
  while (la(i) == kIdentifier) {
    if (la(i + 1) == kLeftBrace) return true;
    if (la(i + 1) != kDot) return false;
    i += 2;
  }
  return false;
}

bool Grammar::message(ParseTree& t) {
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

bool Grammar::nested(ParseTree& t) {
  take();
  t.shape = Shape::kPassThrough;
  t.children.push_back(at(145, [&] { return expr(one(kRightParen)); }));
  return at(146, [&] { return match(kRightParen, kEpsilon).has_value(); });
}

bool Grammar::list(ParseTree& t) {
  t.shape = Shape::kList;
  t.op = take();
  state_ = 150;
  if (!sync(kExprStart | any_of(kQuestion, kComma, kRightBracket))) return false;
  if (contains(kExprStart | one(kQuestion), la())) at(149, [&] { list_init(t); });
  return closing(153, kRightBracket);
}

bool Grammar::map(ParseTree& t) {
  t.shape = Shape::kMap;
  t.op = take();
  state_ = 158;
  if (!sync(kExprStart | any_of(kQuestion, kComma, kRightBrace))) return false;
  if (contains(kExprStart | one(kQuestion), la())) at(157, [&] { map_list(t); });
  return closing(161, kRightBrace);
}

bool Grammar::closing(int state, Token bracket) {
  state_ = state;
  if (!sync(any_of(kComma, bracket))) return false;
  if (la() == kComma) take();
  return at(state + 2, [&] { return match(bracket, kEpsilon).has_value(); });
}

void Grammar::expr_list(ParseTree& t) {
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

void Grammar::list_init(ParseTree& t) {
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

void Grammar::map_list(ParseTree& t) {
  rule(kMapList, any_of(kComma, kRightBrace), [&](ParseTree&) {
    if (!map_entry(t, 220)) return false;
    while (another(kExprStart | one(kQuestion))) {
      take();
      if (!map_entry(t, 224)) return false;
    }
    return true;
  });
}

bool Grammar::map_entry(ParseTree& t, int state) {
  at(state, [&] { opt_expr(t, one(kColon)); });
  return colon_value(t, state + 1);
}

bool Grammar::colon_value(ParseTree& t, int state) {
  const auto colon = at(state, [&] { return match(kColon, kExprStart); });
  if (!colon) return false;
  t.ops.push_back(*colon);
  t.children.push_back(at(state + 1, [&] { return expr(one(kComma) | kEpsilon); }));
  return true;
}

void Grammar::field_list(ParseTree& t) {
  rule(kFieldList, any_of(kComma, kRightBrace), [&](ParseTree&) {
    if (!field(t, 202)) return false;
    while (another(kName | one(kQuestion))) {
      take();
      if (!field(t, 206)) return false;
    }
    return true;
  });
}

bool Grammar::field(ParseTree& t, int state) {
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

void Grammar::opt_expr(ParseTree& t, TokenSet follow) {
  rule(kOptExpr, follow, [&](ParseTree&) {
    state_ = 238;
    if (!sync(kExprStart | one(kQuestion))) return false;
    t.optional_child.push_back(la() == kQuestion);
    if (la() == kQuestion) take();
    t.children.push_back(at(240, [&] { return expr(kEpsilon); }));
    return true;
  });
}

std::optional<Lexeme> Grammar::escape_ident(TokenSet follow) {
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

ParseTreePtr Grammar::literal(TokenSet follow) {
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

}  // namespace etiage::cel
