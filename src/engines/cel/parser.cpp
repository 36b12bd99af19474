#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

#include "engines/cel/ast.h"
#include "engines/cel/builder.h"
#include "engines/cel/go_text.h"
#include "engines/cel/parse_tree.h"
#include "engines/cel/unescape.h"

namespace etiage::cel {
namespace {

using Shape = ParseTree::Shape;

constexpr std::array<std::string_view, 21> kReserved{
    "as",  "break", "const",   "continue",  "else", "false",  "for",  "function", "if",   "import", "in",
    "let", "loop",  "package", "namespace", "null", "return", "true", "var",      "void", "while"};

/// The mangled name of a binary operator.
std::string_view operator_name(Token t) {
  switch (t) {
    case Token::kEquals:
      return "_==_";
    case Token::kNotEquals:
      return "_!=_";
    case Token::kIn:
      return "@in";
    case Token::kLess:
      return "_<_";
    case Token::kLessEquals:
      return "_<=_";
    case Token::kGreater:
      return "_>_";
    case Token::kGreaterEquals:
      return "_>=_";
    case Token::kPlus:
      return "_+_";
    case Token::kMinus:
      return "_-_";
    case Token::kStar:
      return "_*_";
    case Token::kSlash:
      return "_/_";
    default:
      return "_%_";
  }
}

struct TooDeep {};

/// The syntax tree to an expression, in the order in which cel-go numbers its parts.
class TreeReader {
 public:
  TreeReader(const Source& source, const Syntax& syntax, Issues& issues, Ast& ast)
      : source_(source), syntax_(syntax), issues_(issues), ast_(ast), build_(ast) {}

  ExprPtr read(const ParseTree* tree) {
    while (tree != nullptr && tree->shape == Shape::kPassThrough) {
      tree = tree->children.empty() ? nullptr : tree->children[0].get();
    }
    if (tree == nullptr) return unread();
    switch (tree->shape) {
      case Shape::kConditional:
      case Shape::kBinary:
      case Shape::kSelect:
      case Shape::kMemberCall:
      case Shape::kIndex:
        break;
      default:
        return read_shape(*tree);
    }
    if (++depth_ > kMaxRecursion) throw TooDeep{};
    ExprPtr e = read_shape(*tree);
    --depth_;
    return e;
  }

 private:
  static const ParseTree* child(const ParseTree& t, std::size_t i) {
    return i < t.children.size() ? t.children[i].get() : nullptr;
  }
  ExprPtr unread() { return Builder::make(-1, NoExpr{}); }
  ExprId id_at(const Lexeme& lexeme) { return build_.id_at(static_cast<std::int64_t>(lexeme.begin)); }
  std::string text(const Lexeme& lexeme) const { return source_.slice(lexeme.begin, lexeme.end); }

  ExprPtr fault(ExprId id, std::string message) {
    issues_.report(ast_.location(id, source_), std::move(message));
    return Builder::make(id, NoExpr{});
  }

  ExprPtr read_shape(const ParseTree& t) {
    switch (t.shape) {
      case Shape::kConditional:
        return conditional(t);
      case Shape::kOr:
        return logic(t, "_||_");
      case Shape::kAnd:
        return logic(t, "_&&_");
      case Shape::kBinary:
        return binary(t);
      case Shape::kNot:
        return signs(t, "!_");
      case Shape::kNegate:
        return signs(t, "-_");
      case Shape::kSelect:
        return select(t);
      case Shape::kMemberCall:
        return member_call(t);
      case Shape::kIndex:
        return index(t);
      case Shape::kIdent:
        return ident(t);
      case Shape::kCall:
        return call(t);
      case Shape::kList:
        return list(t);
      case Shape::kMap:
        return map(t);
      case Shape::kMessage:
        return message(t);
      case Shape::kLiteral:
        return literal(t);
      case Shape::kUnreadUnary:
        return Builder::make(id_at(t.start), LiteralExpr{Value::string("<<error>>")});
      default:
        return unread();
    }
  }

  template <class... E>
  static std::vector<ExprPtr> list_of(E... e) {
    std::vector<ExprPtr> out;
    (out.push_back(std::move(e)), ...);
    return out;
  }

  ExprPtr call_or_macro(ExprId id, const std::string& function, ExprPtr target, std::vector<ExprPtr> args) {
    build_.begin_macro(id);
    auto expansion = expand_macro(build_, syntax_, function, target, args);
    if (auto* e = std::get_if<ExprPtr>(&expansion)) {
      build_.drop_id(id);
      return std::move(*e);
    }
    if (auto* f = std::get_if<MacroFault>(&expansion)) {
      issues_.report(ast_.location(f->at, source_), f->message);
      return unread();
    }
    return Builder::make(id, CallExpr{function, std::move(target), std::move(args)});
  }

  ExprPtr conditional(const ParseTree& t) {
    auto condition = read(child(t, 0));
    const ExprId id = id_at(*t.op);
    auto yes = read(child(t, 1));
    auto no = read(child(t, 2));
    return call_or_macro(id, "_?_:_", nullptr, list_of(std::move(condition), std::move(yes), std::move(no)));
  }

  /// Chains of && and || become balanced trees.
  ExprPtr logic(const ParseTree& t, const std::string& function) {
    std::vector<ExprPtr> terms;
    std::vector<ExprId> ids;
    terms.push_back(read(child(t, 0)));
    for (std::size_t i = 0; i < t.ops.size(); ++i) {
      terms.push_back(read(child(t, i + 1)));
      ids.push_back(id_at(t.ops[i]));
    }
    return balanced(function, terms, ids, 0, static_cast<int>(ids.size()) - 1);
  }
  ExprPtr balanced(const std::string& function, std::vector<ExprPtr>& terms, const std::vector<ExprId>& ids,
                   int low, int high) {
    const int middle = (low + high + 1) / 2;
    const auto term = [&](int i) { return std::move(terms[static_cast<std::size_t>(i)]); };
    auto left = middle == low ? term(middle) : balanced(function, terms, ids, low, middle - 1);
    auto right = middle == high ? term(middle + 1) : balanced(function, terms, ids, middle + 1, high);
    return Builder::make(ids[static_cast<std::size_t>(middle)],
                         CallExpr{function, nullptr, list_of(std::move(left), std::move(right))});
  }

  ExprPtr binary(const ParseTree& t) {
    auto left = read(child(t, 0));
    const ExprId id = id_at(*t.op);
    auto right = read(child(t, 1));
    return call_or_macro(id, std::string(operator_name(t.op->token)), nullptr,
                         list_of(std::move(left), std::move(right)));
  }

  ExprPtr signs(const ParseTree& t, const std::string& function) {
    if (t.ops.size() % 2 == 0) return read(child(t, 0));
    const ExprId id = id_at(t.ops[0]);
    auto operand = read(child(t, 0));
    return call_or_macro(id, function, nullptr, list_of(std::move(operand)));
  }

  ExprPtr select(const ParseTree& t) {
    auto operand = read(child(t, 0));
    if (!t.id) return Builder::make(id_at(t.start), NoExpr{});
    std::string field = text(*t.id);
    if (t.id->token == Token::kEscapedIdentifier) {
      if (syntax_.escaped_identifiers)
        field = field.substr(1, field.size() - 2);
      else
        field.clear(), fault(id_at(*t.id), "unsupported syntax: '`'");
    }
    if (!t.mark) return Builder::make(id_at(*t.op), SelectExpr{std::move(operand), std::move(field)});
    auto name = Builder::make(id_at(*t.id), LiteralExpr{Value::string(std::move(field))});
    const ExprId id = id_at(*t.op);
    return Builder::make(id, CallExpr{"_?._", nullptr, list_of(std::move(operand), std::move(name))});
  }

  ExprPtr member_call(const ParseTree& t) {
    auto target = read(child(t, 0));
    const ExprId id = id_at(*t.op);
    std::vector<ExprPtr> args;
    for (std::size_t i = 1; i < t.children.size(); ++i) args.push_back(read(child(t, i)));
    return call_or_macro(id, text(*t.id), std::move(target), std::move(args));
  }

  ExprPtr index(const ParseTree& t) {
    auto target = read(child(t, 0));
    const ExprId id = id_at(*t.op);
    auto at = read(child(t, 1));
    return call_or_macro(id, t.mark ? "_[?_]" : "_[_]", nullptr, list_of(std::move(target), std::move(at)));
  }

  /// The name with its leading dot; nothing, and a fault, where it is reserved.
  std::optional<std::string> name(const ParseTree& t) {
    const std::string id = text(*t.id);
    if (std::ranges::find(kReserved, id) != kReserved.end()) {
      fault(id_at(t.start), "reserved identifier: " + id);
      return std::nullopt;
    }
    return (t.mark ? "." : "") + id;
  }
  ExprPtr ident(const ParseTree& t) {
    const auto id = name(t);
    return id ? Builder::make(id_at(*t.id), IdentExpr{*id}) : unread();
  }
  ExprPtr call(const ParseTree& t) {
    const auto function = name(t);
    if (!function) return unread();
    const ExprId id = id_at(*t.op);
    std::vector<ExprPtr> args;
    for (const auto& arg : t.children) args.push_back(read(arg.get()));
    return call_or_macro(id, *function, nullptr, std::move(args));
  }

  ExprPtr list(const ParseTree& t) {
    const ExprId id = id_at(*t.op);
    ListExpr l;
    for (std::size_t i = 0; i < t.children.size(); ++i) {
      l.elements.push_back(read(child(t, i)));
      l.optional.push_back(t.optional_child[i]);
    }
    return Builder::make(id, std::move(l));
  }

  ExprPtr map(const ParseTree& t) {
    const ExprId id = id_at(*t.op);
    MapExpr m;
    for (std::size_t i = 0; i < t.ops.size() && 2 * i + 1 < t.children.size(); ++i) {
      const ExprId entry = id_at(t.ops[i]);
      auto key = read(child(t, 2 * i));
      auto value = read(child(t, 2 * i + 1));
      m.entries.push_back({entry, std::move(key), {}, std::move(value), t.optional_child[i]});
    }
    return Builder::make(id, std::move(m));
  }

  ExprPtr message(const ParseTree& t) {
    StructExpr s;
    if (t.mark) s.type_name = ".";
    for (std::size_t i = 0; i < t.ids.size(); ++i) s.type_name += (i > 0 ? "." : "") + text(t.ids[i]);
    const ExprId id = id_at(*t.op);
    for (std::size_t i = 0; i < t.ops.size() && i < t.children.size() && i < t.field_ids.size(); ++i) {
      const ExprId entry = id_at(t.ops[i]);
      if (!t.field_ids[i]) continue;
      std::string field = text(*t.field_ids[i]);
      if (field.starts_with('`')) field = field.substr(1, field.size() - 2);
      s.fields.push_back({entry, nullptr, std::move(field), read(child(t, i)), t.optional_child[i]});
    }
    return Builder::make(id, std::move(s));
  }

  ExprPtr literal(const ParseTree& t) {
    const ExprId id = id_at(t.start);
    const auto value = [&](Value v) { return Builder::make(id, LiteralExpr{std::move(v)}); };
    const std::string body = text(*t.op);
    switch (t.op->token) {
      case Token::kTrue:
        return value(Value::boolean(true));
      case Token::kFalse:
        return value(Value::boolean(false));
      case Token::kNull:
        return value(Value());
      case Token::kInt: {
        const auto i = integer(body, t.mark.has_value());
        return i ? value(Value::integer(*i)) : fault(id, "invalid int literal");
      }
      case Token::kUint: {
        const auto u = magnitude(body.substr(0, body.size() - 1));
        return u ? value(Value::uinteger(*u)) : fault(id, "invalid uint literal");
      }
      case Token::kFloat: {
        const auto d = go_parse_float((t.mark ? "-" : "") + body);
        return d ? value(Value::number(*d)) : fault(id, "invalid double literal");
      }
      default:
        break;
    }
    const bool bytes = t.op->token == Token::kBytes;
    auto content = unescape(bytes ? body.substr(1) : body, bytes);
    if (!content) {
      fault(id, content.error().message);
      return value(Value::string(body));
    }
    return value(bytes ? Value::bytes(std::move(*content)) : Value::string(std::move(*content)));
  }

  static std::optional<std::uint64_t> magnitude(std::string_view digits) {
    const bool hex = digits.starts_with("0x");
    if (hex) digits.remove_prefix(2);
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n, hex ? 16 : 10);
    return error == std::errc{} ? std::optional(n) : std::nullopt;
  }
  static std::optional<std::int64_t> integer(std::string_view digits, bool negative) {
    const auto n = magnitude(digits);
    constexpr std::uint64_t kMin = std::uint64_t{1} << 63;
    if (!n || *n > kMin || (*n == kMin && !negative)) return std::nullopt;
    return static_cast<std::int64_t>(negative ? -*n : *n);
  }

  const Source& source_;
  const Syntax& syntax_;
  Issues& issues_;
  Ast& ast_;
  Builder build_;
  int depth_ = 0;
};

}  // namespace

Ast parse(const Source& source, const Syntax& syntax, Issues& issues) {
  Ast ast;
  const auto tree = read_syntax(source, issues);
  if (!tree) return ast;
  try {
    ast.root = TreeReader(source, syntax, issues, ast).read(tree.get());
  } catch (const TooDeep&) {
    issues.report({}, "max recursion depth exceeded");
  }
  return ast;
}

}  // namespace etiage::cel
