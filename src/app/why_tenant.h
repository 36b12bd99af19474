#pragma once
// The pieces of a tenant's money: its part of those of the models that it asked.

#include <optional>
#include <string>
#include <vector>

#include "app/scan.h"
#include "ledger/pieces.h"

namespace etiage::app {

struct TenantPieces {
  std::vector<ledger::Piece> pieces;  ///< by model; sum to the tenant's row of `cost --by tenant`
  std::vector<std::string> of;        ///< of each piece, which part of which model it is, in words
};

/// `unattributed` stands for what no gateway names, unless a tenant is called so. Nothing where there is no
/// such tenant.
std::optional<TenantPieces> tenant_pieces(const Reading& reading, const std::string& tenant);

/// Which model of a pod's has that name; nothing where it serves no such model.
std::optional<std::size_t> served(const Evidence& evidence, const ledger::ModelWeights& weights,
                                  const std::string& name);

/// Of a pod that serves several models, only the model's part of each piece: the parts sum to its part of the
/// pod.
void keep_part(std::vector<ledger::Piece>& pieces, PodId pod, const ledger::ModelWeights& weights,
               std::size_t model);

}  // namespace etiage::app
