#include "engines/cel/library.h"

#include <algorithm>
#include <cassert>

namespace etiage::cel {
namespace {

bool mentions_param(const Type& t) {
  return t.is(TypeKind::kParam) ||
         std::ranges::any_of(t.params, [](const TypePtr& p) { return mentions_param(*p); });
}

/// Splits at commas outside of parentheses.
std::vector<TypePtr> types_of(std::string_view text) {
  std::vector<TypePtr> types;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i == text.size() || (text[i] == ',' && depth == 0)) {
      auto item = text.substr(begin, i - begin);
      if (item.starts_with(' ')) item.remove_prefix(1);
      if (!item.empty()) types.push_back(type_of(item));
      begin = i + 1;
    } else if (text[i] == '(') {
      ++depth;
    } else if (text[i] == ')') {
      --depth;
    }
  }
  return types;
}

}  // namespace

unsigned traits_of(Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return kComparer | kNegator;
    case Kind::kInt:
      return kAdder | kComparer | kDivider | kModder | kMultiplier | kNegator | kSubtractor;
    case Kind::kUint:
      return kAdder | kComparer | kDivider | kModder | kMultiplier | kSubtractor;
    case Kind::kDouble:
      return kAdder | kComparer | kDivider | kMultiplier | kNegator | kSubtractor;
    case Kind::kString:
      return kAdder | kComparer | kMatcher | kReceiver | kSizer;
    case Kind::kBytes:
      return kAdder | kComparer | kSizer;
    case Kind::kDuration:
      return kAdder | kComparer | kNegator | kReceiver | kSubtractor;
    case Kind::kTimestamp:
      return kAdder | kComparer | kReceiver | kSubtractor;
    case Kind::kList:
      return kAdder | kContainer | kIndexer | kIterable | kSizer;
    case Kind::kMap:
      return kContainer | kIndexer | kIterable | kSizer;
    default:
      return kNoTrait;
  }
}

const Overload* Function::overload(std::string_view id) const {
  const auto found = std::ranges::find(overloads, id, &Overload::id);
  return found == overloads.end() ? nullptr : &*found;
}

void Declarations::add(Function& f, const Line& line) {
  // `TARGET.(ARGS) RESULT` or `(ARGS) RESULT`; the argument list ends at the last `) `.
  const auto signature = line.signature;
  const std::size_t open = signature.starts_with('(') ? 0 : signature.find(".(");
  const std::size_t close =
      signature.rfind(") ") == std::string_view::npos ? signature.size() : signature.rfind(") ");
  Overload o;
  o.id = line.id;
  o.member = open != 0;
  o.compute = line.compute;
  if (o.member) o.args.push_back(type_of(signature.substr(0, open)));
  const std::size_t first = open + (o.member ? 2 : 1);
  for (auto& type : types_of(signature.substr(first, close - first))) o.args.push_back(std::move(type));
  o.result = type_of(signature.substr(close + 2));
  o.has_params = mentions_param(*o.result) ||
                 std::ranges::any_of(o.args, [](const TypePtr& t) { return mentions_param(*t); });
  f.overloads.push_back(std::move(o));
}

Function& Declarations::function(std::string_view name, std::initializer_list<Line> overloads) {
  return function(name, std::vector<Line>(overloads));
}
Function& Declarations::function(std::string_view name, const std::vector<Line>& overloads) {
  Function& f = functions_[std::string(name)];
  f.name = name;
  for (const Line& line : overloads) add(f, line);
  return f;
}
Function& Declarations::singleton(std::string_view name, Compute compute, unsigned trait,
                                  std::initializer_list<Line> overloads) {
  Function& f = function(name, overloads);
  f.singleton = compute;
  f.trait = trait;
  return f;
}

const std::string* string_argument(const Value& v, std::string& buffer) {
  if (v.is(Kind::kString)) return &v.text();
  if (!v.is(Kind::kType)) return nullptr;
  buffer = v.as_type();
  return &buffer;
}

std::shared_ptr<const Functions> make_functions(const LibraryOptions& options) {
  Declarations d;
  declare_operators(d);
  declare_conversions(d, options);
  declare_times(d, options);
  declare_strings(d, options);
  declare_lists(d, options);
  declare_optionals(d);
  if (options.kubernetes) declare_kubernetes(d, options);
  return std::make_shared<const Functions>(d.take());
}

}  // namespace etiage::cel
