#pragma once
// Gateways and engines call the same things by different names: callers to tenants, a gateway's models to the
// engines'.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/evidence.h"
#include "model/gateway.h"

namespace etiage::evidence {

/// Names tenants: by team, else by key, else by user; an alias speaks for its id wherever one was seen.
class TenantNames {
 public:
  /// All callers must have been seen before the first is named.
  void see(const GatewayCaller& caller);
  /// Empty: the gateway says nothing of the caller.
  std::string name(const GatewayCaller& caller) const;

 private:
  std::map<std::string, std::string> teams_, keys_;  ///< alias by id
};

/// Finds the model of the cluster that a gateway's names mean: the same name; else without the providers that
/// LiteLLM puts before it (`hosted_vllm/`); else alike but for capitals and for what stands before the last
/// slash, where that fits one model only.
class ModelNames {
 public:
  /// `declared`: other names of served models (`--model` beside `--served-model-name`); `aliases`: a
  /// gateway's name and the model's, as the user gave them.
  ModelNames(const std::vector<ServedModel>& models,
             const std::vector<std::pair<std::string, ModelId>>& declared,
             const std::vector<std::pair<std::string, std::string>>& aliases);

  /// What `asked` means is learned from rows that also name what was served.
  void see(const GatewayModelName& name);
  ModelId find(const GatewayModelName& name) const;

 private:
  using Ids = std::map<std::string, std::set<ModelId>>;

  void know(const std::string& name, ModelId model);
  ModelId by_name(std::string name) const;

  Ids exact_, alike_;
  std::map<std::string, std::string> aliases_;
  Ids learned_;
};

}  // namespace etiage::evidence
