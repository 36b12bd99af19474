// How a call finds what computes it.

#include <fmt/format.h>

#include "engines/cel/evaluator.h"
#include "engines/cel/numbers.h"

namespace etiage::cel {
namespace {

bool is_dynamic(const Type& t) {
  return t.is_dyn() || t.is(TypeKind::kParam);
}

/// Whether a value may stand where a signature wants `t`; of lists and maps the first item is looked at.
bool fits(const Type& t, const Value& v) {
  if (v.is_error()) return false;
  if (is_dynamic(t)) return true;
  if (t.is(TypeKind::kString) || v.is(Kind::kString)) return t.is(TypeKind::kString) && v.is(Kind::kString);
  if (std::string_view(t.name) != type_name(v)) return false;
  if (t.is(TypeKind::kList)) return v.items().empty() || fits(*t.params[0], v.items().front());
  if (t.is(TypeKind::kMap)) {
    const auto& entries = v.map().entries();
    return entries.empty() || (fits(*t.params[0], entries[0].first) && fits(*t.params[1], entries[0].second));
  }
  return true;
}

bool matches_signature(const Function& f, const Overload& o, Args args) {
  if (args.size() != o.args.size()) return false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!f.strict && args[i].is_error()) continue;
    if (args[i].is_error()) return false;
    if (f.guarded && !fits(*o.args[i], args[i])) return false;
  }
  return true;
}

Value refused(const std::string& function, Args args) {
  std::string types;
  for (const Value& v : args) {
    if (v.is_error()) return v;
    types += (types.empty() ? "" : ", ") + std::string(type_name(v));
  }
  return Value::error(fmt::format("no such overload: {}({})", function, types));
}

/// Strings, times and durations answer for themselves where no function is bound to their type.
Value receive(const Node& node, Args args) {
  if ((traits_of(args[0].kind()) & kReceiver) != 0) return no_such_overload();
  if (args.size() > 2)
    return Value::error(fmt::format("no such overload: {} {}", node.function_name, node.id));
  return Value::error("no such overload: " + node.function_name);
}

Value by_regex(const Node& node, Args args) {
  std::string buffer;
  const std::string* text = string_argument(args[0], buffer);
  if (text == nullptr) return no_such_overload();
  if (node.function_name == "matches") return Value::boolean(node.regex->search(*text));
  if (node.function_name == "find") return Value::string(node.regex->find(*text));
  std::int64_t limit = -1;
  if (args.size() == 3) {
    if (!args[2].is(Kind::kInt)) return no_such_overload();
    limit = args[2].as_int();
  }
  std::vector<Value> found;
  for (auto& match : node.regex->find_all(*text, limit)) found.push_back(Value::string(std::move(match)));
  return Value::list(std::move(found));
}

}  // namespace

Value call_function(const Node& node, Args args) {
  switch (node.dispatch) {
    case Node::Dispatch::kSingleton: {
      const unsigned trait = node.function->trait;
      const bool able = trait == kNoTrait || (traits_of(args[0].kind()) & trait) == trait;
      return able ? node.function->singleton(args) : receive(node, args);
    }
    case Node::Dispatch::kOverload:
      if (!matches_signature(*node.function, *node.overload, args)) return refused(node.function_name, args);
      return node.overload->compute(args);
    case Node::Dispatch::kByTypes:
      for (const Overload& o : node.function->overloads) {
        if (o.compute != nullptr && matches_signature(*node.function, o, args)) return o.compute(args);
      }
      return refused(node.function_name, args);
    case Node::Dispatch::kRegex:
      return by_regex(node, args);
    case Node::Dispatch::kUnbound:
      return receive(node, args);
  }
  return no_such_overload();
}

std::optional<std::int64_t> exact_int_of(const Value& v) {
  return exact_int(v.as_double());
}
std::optional<std::uint64_t> exact_uint_of(const Value& v) {
  return exact_uint(v.as_double());
}

}  // namespace etiage::cel
