#include "engines/cel/validator.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include "engines/cel/regex.h"
#include "engines/cel/text_format.h"

namespace etiage::cel {
namespace {

class Validator {
 public:
  Validator(const Ast& ast, const Checked& checked, const Source& source, const Functions& functions,
            Issues& issues)
      : ast_(ast), checked_(checked), source_(source), functions_(functions), issues_(issues) {}

  void run() {
    literal_calls("duration");
    literal_calls("timestamp");
    regexes();
    homogeneous(*ast_.root, false);
    each_call(*ast_.root, [&](const Expr& e, const CallExpr& call) { format_string(e, call); });
  }

 private:
  using OnCall = std::function<void(const Expr&, const CallExpr&)>;

  static void each_child(const Expr& e, const std::function<void(const Expr&)>& visit) {
    const auto maybe = [&](const ExprPtr& child) {
      if (child) visit(*child);
    };
    if (const auto* x = as<SelectExpr>(e)) maybe(x->operand);
    if (const auto* x = as<CallExpr>(e)) {
      maybe(x->target);
      for (const auto& arg : x->args) visit(*arg);
    }
    if (const auto* x = as<ListExpr>(e)) {
      for (const auto& element : x->elements) visit(*element);
    }
    const auto entries = [&](const std::vector<EntryExpr>& list) {
      for (const auto& entry : list) {
        maybe(entry.key);
        visit(*entry.value);
      }
    };
    if (const auto* x = as<MapExpr>(e)) entries(x->entries);
    if (const auto* x = as<StructExpr>(e)) entries(x->fields);
    if (const auto* x = as<ComprehensionExpr>(e)) {
      for (const auto* part : {&x->range, &x->accu_init, &x->condition, &x->step, &x->result}) visit(**part);
    }
  }
  static void each_call(const Expr& e, const OnCall& on_call) {
    if (const auto* call = as<CallExpr>(e)) on_call(e, *call);
    each_child(e, [&](const Expr& child) { each_call(child, on_call); });
  }

  void report(ExprId id, std::string message) {
    issues_.report(ast_.location(id, source_), std::move(message));
  }

  /// Calls of a conversion on a literal must succeed.
  void literal_calls(const std::string& function) {
    const auto found = functions_.find(function);
    each_call(*ast_.root, [&](const Expr&, const CallExpr& call) {
      if (call.function != function || call.args.empty()) return;
      const auto* literal = as<LiteralExpr>(call.args[0]);
      if (literal == nullptr) return;
      for (const Overload& o : found->second.overloads) {
        const bool fits = o.args[0]->name == type_name(literal->value);
        if (!fits || !o.compute(Args(&literal->value, 1)).is_error()) continue;
        report(call.args[0]->id, fmt::format("invalid {} argument", function));
      }
    });
  }

  void regexes() {
    each_call(*ast_.root, [&](const Expr&, const CallExpr& call) {
      if (call.function != "matches" || call.args.empty()) return;
      const auto* literal = as<LiteralExpr>(call.args[0]);
      if (literal == nullptr || !literal->value.is(Kind::kString)) return;
      if (!Regex(literal->value.text()).error().empty()) report(call.args[0]->id, "invalid matches argument");
    });
  }

  // --- one type
  // -------------------------------------------------------------------------------------------------------

  TypePtr type(const Expr& e, bool optional) const {
    TypePtr t = checked_.type(e.id);
    return optional && !t->params.empty() ? t->params[0] : t;
  }
  static bool equivalent(const Type& a, const Type& b) {
    if (a.kind != b.kind || a.params.size() != b.params.size()) return false;
    if (!a.is(TypeKind::kParam) && a.name != b.name) return false;
    for (std::size_t i = 0; i < a.params.size(); ++i) {
      if (!equivalent(*a.params[i], *b.params[i])) return false;
    }
    return true;
  }
  /// False, with an issue, where `e` has another type than the first.
  bool of_type(TypePtr& first, const Expr& e, bool optional) {
    const TypePtr t = type(e, optional);
    if (!first) first = t;
    if (equivalent(*first, *t)) return true;
    report(e.id, fmt::format("expected type '{}' but found '{}'", display(*first), display(*t)));
    return false;
  }
  void homogeneous(const Expr& e, bool exempt) {
    if (const auto* call = as<CallExpr>(e)) exempt = exempt || call->function == "format";
    if (const auto* list = as<ListExpr>(e); list != nullptr && !exempt) {
      TypePtr first;
      for (std::size_t i = 0; i < list->elements.size(); ++i) {
        if (!of_type(first, *list->elements[i], list->optional[i])) break;
      }
    }
    if (const auto* map = as<MapExpr>(e); map != nullptr && !exempt) {
      TypePtr key, value;
      for (const auto& entry : map->entries) {
        of_type(key, *entry.key, false);
        of_type(value, *entry.value, entry.optional);
      }
    }
    each_child(e, [&](const Expr& child) { homogeneous(child, exempt); });
  }

  // --- format strings
  // -------------------------------------------------------------------------------------------------

  bool accepts(char letter, const Expr& e) const {
    const Type& t = *checked_.type(e.id);
    if (t.is(TypeKind::kDyn)) return true;
    const auto any = [&](std::initializer_list<TypeKind> kinds) {
      return std::ranges::find(kinds, t.kind) != kinds.end();
    };
    switch (letter) {
      case 'd':
      case 'o':
        return any({TypeKind::kInt, TypeKind::kUint});
      case 'f':
      case 'e':
        return any({TypeKind::kDouble, TypeKind::kString});
      case 'b':
        return any({TypeKind::kInt, TypeKind::kUint, TypeKind::kBool});
      case 'x':
      case 'X':
        return any({TypeKind::kInt, TypeKind::kUint, TypeKind::kString, TypeKind::kBytes});
      default:
        return any({TypeKind::kList, TypeKind::kMap, TypeKind::kInt, TypeKind::kUint, TypeKind::kDouble,
                    TypeKind::kBool, TypeKind::kString, TypeKind::kTimestamp, TypeKind::kBytes,
                    TypeKind::kDuration, TypeKind::kType, TypeKind::kNull});
    }
  }
  /// The part of an argument that `%s` cannot show; null: it can.
  const Expr* unshowable(const Expr& e) const {
    if (!accepts('s', e)) return &e;
    if (const auto* list = as<ListExpr>(e)) {
      for (const auto& element : list->elements) {
        if (const Expr* bad = unshowable(*element)) return bad;
      }
    }
    if (const auto* map = as<MapExpr>(e)) {
      for (const auto& entry : map->entries) {
        if (const Expr* bad = unshowable(*entry.key)) return bad;
        if (const Expr* bad = unshowable(*entry.value)) return bad;
      }
    }
    return nullptr;
  }

  void format_string(const Expr& e, const CallExpr& call) {
    const auto* text = as<LiteralExpr>(call.target);
    const auto* list = call.args.size() == 1 ? as<ListExpr>(call.args[0]) : nullptr;
    if (call.function != "format" || text == nullptr || !text->value.is(Kind::kString) || list == nullptr)
      return;
    const auto& args = list->elements;
    std::size_t used = 0;
    ExprId at = e.id;
    const auto clause = [&](const FormatClause& c, std::size_t i) -> Result<std::string> {
      ++used;
      const Expr* bad = c.letter == 's'               ? unshowable(*args[i])
                        : accepts(c.letter, *args[i]) ? nullptr
                                                      : args[i].get();
      if (bad == nullptr) return std::string();
      at = bad->id;
      return failure(format_refusal(c.letter, checked_.type(bad->id)->name));
    };
    const auto walked = walk_format(text->value.text(), args.size(), true, clause);
    if (!walked) return report(at, walked.error().message);
    if (args.size() > used) {
      report(e.id, fmt::format("too many arguments supplied to string.format (expected {}, got {})", used,
                               args.size()));
    }
  }

  const Ast& ast_;
  const Checked& checked_;
  const Source& source_;
  const Functions& functions_;
  Issues& issues_;
};

}  // namespace

void validate(const Ast& ast, const Checked& checked, const Source& source, const Functions& functions,
              Issues& issues) {
  Validator(ast, checked, source, functions, issues).run();
}

}  // namespace etiage::cel
