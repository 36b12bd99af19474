// What calls of extensions and of Kubernetes's functions are estimated to cost.

#include <cmath>
#include <set>

#include "engines/cel/cost_estimate.h"

namespace etiage::cel {
namespace {

constexpr double kTraversal = 0.1, kRegexLength = 0.25;
constexpr Range kCall = fixed(1);
constexpr std::uint64_t kListBase = 10;

class Estimator {
 public:
  Estimator(const std::string& function, const std::string& overload, const CostNode* target,
            const std::vector<CostNode>& args, const CostRules& rules)
      : function_(function), overload_(overload), target_(target), args_(args), rules_(rules) {}

  std::optional<CallEstimate> extension() const {
    if (overload_ == "list_slice") return slice();
    if (overload_ == "lists_range" && args_.size() == 1) {
      return allocating(1, fixed(literal_uint(args_[0], UINT64_MAX)));
    }
    if (overload_ == "list_reverse" && target_) return allocating(1, size(*target_));
    if ((overload_ == "list_flatten" || overload_ == "list_flatten_int") && target_) {
      const std::uint64_t depth = args_.empty() ? 1 : literal_uint(args_[0], UINT64_MAX);
      return allocating(static_cast<double>(depth), size(*target_));
    }
    if (overload_ == "list_distinct" && target_) return allocating(2, size(*target_) * size(*target_));
    if (overload_.ends_with("_sort") && overload_.starts_with("list_") && target_) return sort(*target_);
    if (overload_.ends_with("_sortByAssociatedKeys") && !args_.empty()) return sort(args_[0]);
    if (overload_.starts_with("list_sets_") && args_.size() == 2) {
      const double factor = overload_ == "list_sets_equivalent_list" ? 2 : 1;
      return CallEstimate{(size(args_[0]) * size(args_[1])).scaled(factor) + kCall, {}};
    }
    return std::nullopt;
  }

  std::optional<CallEstimate> kubernetes() const {
    static const std::set<std::string, std::less<>> kOne{"masked",
                                                         "prefixLength",
                                                         "family",
                                                         "isUnspecified",
                                                         "isLoopback",
                                                         "isLinkLocalMulticast",
                                                         "isLinkLocalUnicast",
                                                         "isGlobalUnicast",
                                                         "format.named",
                                                         "sign",
                                                         "asInteger",
                                                         "isInteger",
                                                         "asApproximateFloat",
                                                         "isGreaterThan",
                                                         "isLessThan",
                                                         "compareTo",
                                                         "add",
                                                         "sub",
                                                         "major",
                                                         "minor",
                                                         "patch",
                                                         "getScheme",
                                                         "getHostname",
                                                         "getHost",
                                                         "getPort",
                                                         "getEscapedPath",
                                                         "getQuery"};
    static const std::set<std::string, std::less<>> kOfList{"isSorted", "sum",         "max",     "min",
                                                            "indexOf",  "lastIndexOf", "includes"};
    static const std::set<std::string, std::less<>> kParse{"cidr",     "isIP",       "isCIDR", "ip",
                                                           "quantity", "isQuantity", "semver", "isSemver"};
    static const std::set<std::string, std::less<>> kTransform{"lowerAscii", "upperAscii", "substring",
                                                               "trim"};
    if (function_ == "ip" && overload_ == "cidr_ip") return CallEstimate{kCall, {}};
    if (kOne.contains(function_)) return CallEstimate{kCall, {}};
    if (kOfList.contains(function_)) return list_function();
    if (kParse.contains(function_)) return traversal_of_argument(1);
    if (function_ == "ip.isCanonical") return traversal_of_argument(2);
    if (function_ == "url" && args_.size() == 1) {
      return CallEstimate{size(args_[0]).scaled(kTraversal), size(args_[0])};
    }
    if (kTransform.contains(function_) && target_) {
      return CallEstimate{size(*target_).scaled(kTraversal), size(*target_)};
    }
    if (function_ == "replace" && target_ && args_.size() >= 2) return replace();
    if (function_ == "split" && target_) return split();
    if (function_ == "join" && target_) return join();
    if ((function_ == "find" || function_ == "findAll") && target_ && !args_.empty()) return find();
    if (function_ == "containsIP" && !args_.empty()) return contains(false, "cidr_contains_ip_string");
    if (function_ == "containsCIDR" && !args_.empty()) return contains(true, "cidr_contains_cidr_string");
    if (function_ == "validate" && !args_.empty()) {
      constexpr double kLargestRegex = 128 * kRegexLength;
      return CallEstimate{size(args_[0]).scaled(kTraversal).scaled(kLargestRegex), {}};
    }
    if (function_ == "_==_" && args_.size() == 2) return equality();
    return std::nullopt;
  }

 private:
  Range size(const CostNode& node) const {
    if (node.size) return *node.size;
    return rules_.size_at(node.path).value_or(kUnknownSize);
  }
  /// A literal int as a number that is not negative; `otherwise` for anything else.
  static std::uint64_t literal_uint(const CostNode& node, std::uint64_t otherwise) {
    const auto* literal = node.expr != nullptr ? as<LiteralExpr>(*node.expr) : nullptr;
    if (literal == nullptr || !literal->value.is(Kind::kInt)) return otherwise;
    return literal->value.as_int() < 0 ? 0 : literal->value.as_uint();
  }
  static CallEstimate allocating(double factor, Range list) {
    return {list.scaled(factor) + kCall + fixed(kListBase), list};
  }

  std::optional<CallEstimate> slice() const {
    if (!target_ || args_.size() != 2) return std::nullopt;
    const std::uint64_t begin = literal_uint(args_[0], 0), end = literal_uint(args_[1], size(*target_).max);
    return allocating(1, fixed(end - begin));
  }
  CallEstimate sort(const CostNode& keys) const {
    const bool texts = overload_.starts_with("list_string_") || overload_.starts_with("list_bytes_");
    return allocating(texts ? 2 + kTraversal : 2.0, size(keys) * size(keys));
  }

  /// The items of a list; nothing: it has no type of items.
  std::optional<CostNode> items_of(const CostNode& list) const {
    if (!list.type || list.type->params.empty()) return std::nullopt;
    return CostNode{
        nullptr, list.path.empty() ? Path() : copy_with_items(list.path), list.type->params[0], {}};
  }
  static Path copy_with_items(const Path& path) {
    Path copy = Path::root(path[0]);
    for (std::size_t i = 1; i < path.size(); ++i) copy = copy.with(path[i]);
    return copy.with("@items");
  }

  std::optional<CallEstimate> list_function() const {
    if (!target_) return std::nullopt;
    if (function_ == "includes" && rules_.includes_cost) return CallEstimate{*rules_.includes_cost, {}};
    if (const auto item = items_of(*target_)) {
      Range each = fixed(1);
      if (item->type->is(TypeKind::kString) || item->type->is(TypeKind::kBytes)) {
        each = each + size(*item).scaled(kTraversal);
      }
      return CallEstimate{size(*target_) * each, {}};
    }
    if (function_ == "includes") return CallEstimate{size(*target_) * fixed(1), {}};
    return CallEstimate{size(*target_).scaled(kTraversal), {}};
  }

  std::optional<CallEstimate> traversal_of_argument(double times) const {
    if (args_.empty()) return std::nullopt;
    return CallEstimate{size(args_[0]).scaled(times * kTraversal), {}};
  }

  CallEstimate replace() const {
    const Range text = size(*target_), old = size(args_[0]), fresh = size(args_[1]);
    const auto one_more = [](std::uint64_t n) { return n < UINT64_MAX ? n + 1 : n; };
    const auto ratio = [](std::uint64_t a, std::uint64_t b) {
      const double quotient = std::ceil(static_cast<double>(a) / static_cast<double>(b));
      // What does not fit becomes 2^63 in Go on amd64.
      return quotient >= 18446744073709551616.0 ? std::uint64_t{1} << 63
                                                : static_cast<std::uint64_t>(quotient);
    };
    Range count, retained;
    if (old.min == 0) {
      count.max = one_more(text.max);
      retained.max = text.max;
    } else if (fresh.max <= old.min) {
      retained.max = text.max;
    } else {
      count.max = ratio(text.max, old.min);
    }
    if (old.max == 0) {
      count.min = one_more(text.min);
      retained.min = text.min;
    } else if (old.max <= fresh.min) {
      retained.min = text.min;
    } else {
      count.min = ratio(text.min, old.max);
    }
    return {text.scaled(2 * kTraversal), count * fresh + retained};
  }

  CallEstimate split() const {
    const Range text = size(*target_);
    std::uint64_t most = text.max;
    if (args_.size() > 1) {
      const auto* literal = args_[1].expr != nullptr ? as<LiteralExpr>(*args_[1].expr) : nullptr;
      if (literal != nullptr && literal->value.is(Kind::kInt)) most = literal->value.as_uint();
    }
    return {text.scaled(2 * kTraversal), Range{0, most}};
  }

  CallEstimate join() const {
    const Range list = size(*target_);
    Range text;
    if (const auto item = items_of(*target_)) text = list * size(*item);
    if (!args_.empty()) {
      const Range separators{list.min > 0 ? list.min - 1 : 0, list.max > 0 ? list.max - 1 : 0};
      text = text + size(args_[0]) * separators;
    }
    return {text.scaled(kTraversal), text};
  }

  CallEstimate find() const {
    const Range text = size(*target_);
    const Range cost = (text + fixed(1)).scaled(kTraversal) * size(args_[0]).scaled(kRegexLength);
    return {cost, Range{0, text.max}};
  }

  CallEstimate contains(bool prefix, std::string_view by_text) const {
    const Range address{4, 16};
    Range cost = (address + address).scaled(kTraversal);
    if (prefix) cost = cost + address.scaled(kTraversal) + fixed(1);
    if (overload_ == by_text) cost = cost + size(args_[0]).scaled(kTraversal);
    return {cost, {}};
  }

  std::optional<CallEstimate> equality() const {
    const Type &left = *args_[0].type, &right = *args_[1].type;
    if (left.name != right.name) return std::nullopt;
    if (left.is(TypeKind::kOpaque)) {
      return left.name == "net.IP" || left.name == "net.CIDR" ? std::optional(CallEstimate{kCall, {}})
                                                              : std::nullopt;
    }
    if (!left.is(TypeKind::kStruct)) return std::nullopt;
    if (left.name == "kubernetes.Quantity" || left.name == "kubernetes.Semver")
      return CallEstimate{kCall, {}};
    if (left.name == "kubernetes.NamedFormat") return CallEstimate{Range{1, 64}.scaled(kTraversal), {}};
    if (left.name == "kubernetes.URL") {
      const std::uint64_t largest = args_[1].size ? args_[1].size->max : 1;
      return CallEstimate{Range{1, largest}.scaled(kTraversal), {}};
    }
    return std::nullopt;
  }

  const std::string& function_;
  const std::string& overload_;
  const CostNode* target_;
  const std::vector<CostNode>& args_;
  const CostRules& rules_;
};

}  // namespace

std::optional<CallEstimate> estimate_call(const std::string& function, const std::string& overload,
                                          const CostNode* target, const std::vector<CostNode>& args,
                                          const CostRules& rules) {
  const Estimator estimator(function, overload, target, args, rules);
  if (auto estimate = estimator.extension()) return estimate;
  return estimator.kubernetes();
}

}  // namespace etiage::cel
