#pragma once
// One finding of `etiage waste`: money of the bill that bought nothing, and what to do about it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/money.h"
#include "model/evidence.h"

namespace etiage::explain {

/// How sure it is that the money bought nothing. An upper bound of `busy` makes idleness surer, a division
/// between sharers less sure.
enum class Confidence : std::uint8_t { kHigh, kMedium, kLow };
std::string_view to_string(Confidence confidence);

struct Subject {
  std::string kind;  ///< of the object that a fix changes: Deployment, Node, HorizontalPodAutoscaler, ...
  std::string ns;    ///< empty for nodes
  std::string name;
  std::string cluster;  ///< empty where there is but one

  bool operator==(const Subject&) const = default;
};

struct Proof {
  std::string statement;
  std::optional<double> value;  ///< the statement's figure: a ratio, hours, GiB or tokens, as it says
  std::string source;           ///< the series or object it was read from

  bool operator==(const Proof&) const = default;
};

/// What a finding takes of one leaf of the ledger.
struct Claim {
  std::uint32_t cell = 0, leaf = 0;  ///< indices into Ledger::cells and Cell::leaves
  Money amount;
};

struct Finding {
  std::string_view kind;  ///< `idle-held`, ...: a row of the table in waste.cpp
  Subject subject;
  std::string owner;  ///< a team, else a namespace or node pool; empty: nobody known
  Money amount;       ///< inside the window: the sum of the claims
  Money per_week;     ///< the same pace for seven days
  Instant since;      ///< when the last unbroken stretch of it began, as far as the window shows
  Confidence confidence = Confidence::kHigh;
  std::vector<Proof> evidence;
  std::vector<std::string> fix;  ///< commands and manifest lines, ready to be pasted
  std::vector<PodId> pods;       ///< whose money it is; empty: nobody's
  std::vector<Claim> claims;
};

}  // namespace etiage::explain
