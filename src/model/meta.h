#pragma once
// Model: the vocabulary of clusters, devices, policies and evidence as plain values; nothing here reads or
// decides. This header: what every Kubernetes object has.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "base/quantity.h"
#include "base/result.h"

namespace etiage {

using LabelMap = std::map<std::string, std::string, std::less<>>;
/// Resource name (`cpu`, `memory`, `nvidia.com/gpu`, ...) to amount.
using ResourceList = std::map<std::string, Quantity, std::less<>>;

struct OwnerReference {
  std::string api_version, kind, name, uid;
  bool controller = false;

  bool operator==(const OwnerReference&) const = default;
};

struct ObjectMeta {
  std::string ns;  ///< empty for cluster-scoped kinds; `default` is filled in for namespaced ones
  std::string name;
  std::string generate_name;
  std::string uid;
  LabelMap labels;
  LabelMap annotations;
  std::vector<OwnerReference> owners;
  std::optional<Instant> created;
  std::optional<Instant> deleted;  ///< deletionTimestamp
  std::int64_t generation = 0;
  Place place;  ///< where the object stood, for messages

  bool operator==(const ObjectMeta&) const = default;
};

/// One `matchExpressions` entry of a label selector or node selector.
struct Requirement {
  enum class Operator { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };
  std::string key;
  Operator op = Operator::kExists;
  std::vector<std::string> values;

  bool operator==(const Requirement&) const = default;
};

/// metav1.LabelSelector: all parts must hold. An empty one matches everything, an absent one nothing.
struct LabelSelector {
  LabelMap match_labels;
  std::vector<Requirement> match_expressions;

  bool operator==(const LabelSelector&) const = default;
};

/// One term of a NodeSelector: all parts must hold; a term without parts matches nothing.
struct NodeSelectorTerm {
  std::vector<Requirement> match_expressions;
  std::vector<Requirement> match_fields;  ///< only `metadata.name` exists

  bool operator==(const NodeSelectorTerm&) const = default;
};

/// Any term suffices.
using NodeSelector = std::vector<NodeSelectorTerm>;

enum class TaintEffect { kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  std::string key, value;
  TaintEffect effect = TaintEffect::kNoSchedule;
  std::optional<Instant> added;

  bool operator==(const Taint&) const = default;
};

struct Toleration {
  std::string key;           ///< empty with Exists: every key
  std::string op = "Equal";  ///< Equal, Exists (Lt, Gt behind a gate)
  std::string value;
  std::optional<TaintEffect> effect;  ///< absent: every effect
  std::optional<std::int64_t> toleration_seconds;

  bool operator==(const Toleration&) const = default;
};

/// A status condition; `since` is lastTransitionTime.
struct Condition {
  std::string type, status, reason, message;
  std::optional<Instant> since;

  bool operator==(const Condition&) const = default;
};

}  // namespace etiage
