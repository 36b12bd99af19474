#pragma once
// A compiled expression as a flat tree: nodes by index, names resolved to slots, constants folded, regexes
// compiled.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "engines/cel/checker.h"
#include "engines/cel/device_record.h"
#include "engines/cel/library.h"
#include "engines/cel/regex.h"

namespace etiage::cel {

using NodeIndex = std::uint32_t;
using AttributeIndex = std::uint32_t;
inline constexpr std::uint32_t kNoIndex = UINT32_MAX;

/// How the cost of a call is counted at run time.
enum class CostRule : std::uint8_t {
  kOne,
  kSecondTraversal,
  kFirstTraversal,
  kSecondSize,
  kSmallerTraversal,
  kSumTraversal,
  kRegex,
  kContains,
  kListTraversal,
  kFirstTraversalTwice,
  kResultTraversalTwice,
  kContainsIp,
  kContainsIpText,
  kContainsCidr,
  kContainsCidrText,
  kValidate,
  kEquality,
  kListOutput,
  kFlatten,
  kSelfCompareFirst,
  kSelfCompareSecond,
  kSets,
  kSetsTwice
};

/// A step from a value to a part of it.
struct Qualifier {
  ExprId id = 0;
  Value key;                           ///< a constant key
  AttributeIndex computed = kNoIndex;  ///< else the attribute that gives the key
  bool from_expression = false;        ///< the computed key is no plain chain of names
  bool optional = false;               ///< `.?` or `[?]`
  bool test_only = false;              ///< the last step of `has()`
};

/// A chain of steps from a root.
struct Attribute {
  enum class Root : std::uint8_t { kGlobal, kSlot, kNode, kConditional };
  Root root = Root::kGlobal;
  std::uint32_t index = 0;  ///< of the variable, the slot or the node (of kConditional: the condition)
  AttributeIndex yes = kNoIndex, no = kNoIndex;
  ExprId id = 0;       ///< of the root
  ExprId last_id = 0;  ///< what the whole is known by to the cost counter
  std::vector<Qualifier> qualifiers;
  std::string name;  ///< of a global, for messages
  /// `device.driver`, `device.attributes[DOMAIN].NAME` or `device.capacity[DOMAIN].NAME`, looked up at once.
  struct DeviceKey {
    DeviceName name;
    std::uint64_t hash = 0;
  };
  std::optional<DeviceKey> device_key;
};

struct Node {
  enum class Op : std::uint8_t {
    kConstant,
    kAttribute,
    kTest,
    kAnd,
    kOr,
    kEquals,
    kNotEquals,
    kCall,
    kIn,
    kSetMembership,
    kOptionalOr,
    kOptionalOrValue,
    kList,
    kMap,
    kObject,
    kFold
  };
  /// What a call does with its arguments.
  enum class Dispatch : std::uint8_t { kSingleton, kOverload, kByTypes, kRegex, kUnbound };

  Op op = Op::kConstant;
  Dispatch dispatch = Dispatch::kUnbound;
  CostRule cost_rule = CostRule::kOne;
  bool until_error = false;  ///< arguments are evaluated up to the first error only
  bool counts = false;       ///< it is a call to the cost counter
  ExprId id = 0;
  Value constant;
  AttributeIndex attribute = kNoIndex;
  std::vector<NodeIndex> children;  ///< of kFold: range, accumulator, condition, step, result
  std::vector<bool> optional;       ///< of lists, maps and messages: one an entry
  const Function* function = nullptr;
  const Overload* overload = nullptr;
  std::string function_name;
  std::string overload_id;
  std::shared_ptr<const Regex> regex;
  std::vector<Value> set;  ///< of kSetMembership, by kind and value; of kObject: the names of its fields
  std::uint32_t accu_slot = kNoIndex, var_slot = kNoIndex, var2_slot = kNoIndex;  ///< of kFold
};

class Program {
 public:
  std::vector<Node> nodes;
  std::vector<Attribute> attributes;
  std::vector<std::string> globals;  ///< names of variables, by index
  std::vector<NodeIndex>
      slot_init;  ///< by slot: the node that makes an accumulator when it is first read, or kNoIndex
  NodeIndex root = 0;
  std::shared_ptr<const Functions> functions;  ///< what nodes point into
  bool may_cost_more = false;                  ///< than estimated
  /// All that it asks of `device`; absent where it looks at the device as a whole.
  std::optional<std::vector<DeviceName>> reads;

  /// What a node is known by to the cost counter.
  ExprId node_id(NodeIndex n) const {
    const Node& node = nodes[n];
    return node.op == Node::Op::kAttribute ? attributes[node.attribute].last_id : node.id;
  }
};

/// `checked` null: the expression was not checked. The error is worded as cel-go's of instantiating a
/// program. `old_costs`: counted as cel-go did before 0.29.
Result<std::shared_ptr<const Program>> make_program(const Ast& ast, const Checked* checked,
                                                    const Names& names,
                                                    std::shared_ptr<const Functions> functions,
                                                    std::vector<std::string> globals, bool old_costs = false);

}  // namespace etiage::cel
