#include "engines/cel/cost_rule.h"

#include <map>

namespace etiage::cel {

CostRule cost_rule(const std::string& function, const std::string& overload) {
  static const std::map<std::string, CostRule, std::less<>> kByOverload{
      {"list_slice", CostRule::kListOutput},          {"lists_range", CostRule::kListOutput},
      {"list_reverse", CostRule::kListOutput},        {"list_flatten", CostRule::kFlatten},
      {"list_flatten_int", CostRule::kFlatten},       {"list_distinct", CostRule::kSelfCompareFirst},
      {"dra_includes_dyn_dyn", CostRule::kOne},       {"list_sets_contains_list", CostRule::kSets},
      {"list_sets_intersects_list", CostRule::kSets}, {"list_sets_equivalent_list", CostRule::kSetsTwice}};
  static const std::map<std::string, CostRule, std::less<>> kByFunction{
      {"isSorted", CostRule::kListTraversal},
      {"sum", CostRule::kListTraversal},
      {"max", CostRule::kListTraversal},
      {"min", CostRule::kListTraversal},
      {"indexOf", CostRule::kListTraversal},
      {"lastIndexOf", CostRule::kListTraversal},
      {"includes", CostRule::kListTraversal},
      {"url", CostRule::kFirstTraversal},
      {"lowerAscii", CostRule::kFirstTraversal},
      {"upperAscii", CostRule::kFirstTraversal},
      {"substring", CostRule::kFirstTraversal},
      {"trim", CostRule::kFirstTraversal},
      {"replace", CostRule::kFirstTraversalTwice},
      {"split", CostRule::kFirstTraversalTwice},
      {"join", CostRule::kResultTraversalTwice},
      {"find", CostRule::kRegex},
      {"findAll", CostRule::kRegex},
      {"cidr", CostRule::kFirstTraversal},
      {"isIP", CostRule::kFirstTraversal},
      {"isCIDR", CostRule::kFirstTraversal},
      {"ip.isCanonical", CostRule::kFirstTraversalTwice},
      {"quantity", CostRule::kFirstTraversal},
      {"isQuantity", CostRule::kFirstTraversal},
      {"semver", CostRule::kFirstTraversal},
      {"isSemver", CostRule::kFirstTraversal},
      {"validate", CostRule::kValidate},
      {"_==_", CostRule::kEquality}};
  static const std::map<std::string, CostRule, std::less<>> kStandard{
      {"starts_with_string", CostRule::kSecondTraversal},
      {"ends_with_string", CostRule::kSecondTraversal},
      {"string_to_bytes", CostRule::kFirstTraversal},
      {"bytes_to_string", CostRule::kFirstTraversal},
      {"strings_quote", CostRule::kFirstTraversal},
      {"string_format", CostRule::kFirstTraversal},
      {"in_list", CostRule::kSecondSize},
      {"matches", CostRule::kRegex},
      {"matches_string", CostRule::kRegex},
      {"contains_string", CostRule::kContains},
      {"add_string", CostRule::kSumTraversal},
      {"add_bytes", CostRule::kSumTraversal},
      {"not_equals", CostRule::kSmallerTraversal},
      {"less_string", CostRule::kSmallerTraversal},
      {"greater_string", CostRule::kSmallerTraversal},
      {"less_equals_string", CostRule::kSmallerTraversal},
      {"greater_equals_string", CostRule::kSmallerTraversal},
      {"less_bytes", CostRule::kSmallerTraversal},
      {"greater_bytes", CostRule::kSmallerTraversal},
      {"less_equals_bytes", CostRule::kSmallerTraversal},
      {"greater_equals_bytes", CostRule::kSmallerTraversal}};
  if (const auto found = kByOverload.find(overload); found != kByOverload.end()) return found->second;
  if (overload.starts_with("list_") && overload.ends_with("_sort")) return CostRule::kSelfCompareFirst;
  if (overload.ends_with("_sortByAssociatedKeys")) return CostRule::kSelfCompareSecond;
  if (function == "ip") return overload == "cidr_ip" ? CostRule::kOne : CostRule::kFirstTraversal;
  if (function == "containsIP") {
    return overload == "cidr_contains_ip_string" ? CostRule::kContainsIpText : CostRule::kContainsIp;
  }
  if (function == "containsCIDR") {
    return overload == "cidr_contains_cidr_string" ? CostRule::kContainsCidrText : CostRule::kContainsCidr;
  }
  if (const auto found = kByFunction.find(function); found != kByFunction.end()) return found->second;
  const auto found = kStandard.find(overload);
  return found == kStandard.end() ? CostRule::kOne : found->second;
}

}  // namespace etiage::cel
