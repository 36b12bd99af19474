#include "engines/cel/grammar.h"

#include <fmt/format.h>

namespace etiage::cel {

ParseTreePtr Grammar::start() {
  auto tree = rule(kStart, 0, [&](ParseTree& t) {
    t.shape = Shape::kPassThrough;
    t.children.push_back(at(34, [&] { return expr(one(kEnd)); }));
    return at(35, [&] { return match(kEnd, 0).has_value(); });
  });
  return tree;
}

ParseTreePtr Grammar::expr(TokenSet follow) {
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

ParseTreePtr Grammar::or_rule(TokenSet follow) {
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

ParseTreePtr Grammar::and_rule(TokenSet follow) {
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

ParseTree& Grammar::grow(ParseTree& tree, Lexeme op) {
  auto left = std::make_unique<ParseTree>(std::move(tree));
  tree = ParseTree{.shape = Shape::kBinary, .start = left->start, .op = op};
  tree.children.push_back(std::move(left));
  return tree;
}

ParseTreePtr Grammar::relation(int precedence, TokenSet follow) {
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

ParseTreePtr Grammar::calc(int precedence, TokenSet follow) {
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

ParseTreePtr Grammar::unary(TokenSet follow) {
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

bool Grammar::signs(ParseTree& t, Token sign, Shape shape, int loop_state) {
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
