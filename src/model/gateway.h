#pragma once
// What a gateway before the engines wrote down of each request: who asked which model for how many tokens.

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/instant.h"

namespace etiage {

/// Who asked, in the gateway's words; empty where it does not say.
struct GatewayCaller {
  std::string team, team_alias, key, key_alias, user, end_user;

  auto operator<=>(const GatewayCaller&) const = default;
};

/// What was asked for, and which deployment answered: LiteLLM's `model_group` and `model`.
struct GatewayModelName {
  std::string asked, served;

  auto operator<=>(const GatewayModelName&) const = default;
};

/// One row of a log: a request, or as many as its gateway summed.
struct GatewayRequest {
  Window time;                          ///< empty (start == end): at that moment
  std::uint32_t caller = 0, model = 0;  ///< into GatewayLog
  double input = 0;                     ///< all prompt tokens, cached ones among them
  double cached = -1;                   ///< of these; below 0: not told
  double output = 0;                    ///< reasoning tokens among them
  std::uint64_t id = 0;                 ///< a hash of the request's id; 0: it has none

  auto key() const { return std::tie(time.start, time.end, caller, model, input, cached, output, id); }
};

/// The rows of all logs.
struct GatewayLog {
  std::vector<GatewayCaller> callers;
  std::vector<GatewayModelName> models;
  std::vector<GatewayRequest> requests;
  std::uint64_t repeated = 0;  ///< rows that `finish` found to be copies

  /// `request.caller` and `request.model` are set here.
  void add(const GatewayCaller& caller, const GatewayModelName& model, GatewayRequest request);
  /// By time; a row with the id and all figures of another is a copy (exports that overlap) and counts once.
  void finish();

 private:
  std::map<GatewayCaller, std::uint32_t> caller_ids_;
  std::map<GatewayModelName, std::uint32_t> model_ids_;
};

}  // namespace etiage
