#pragma once
// MIG instances onto cards.

#include <string>

#include "base/result.h"
#include "engines/mig/pack.h"

namespace etiage::app {

struct MigPacked {
  std::string card;
  mig::Change change;  ///< without existing cards everything is created
  bool incremental = false;
};

/// `demand`: `1g.10gb=29,3g.40gb=16`. `existing`: a file with cards as `{layouts: [{count, instances:
/// [{profile, start}]}]}` (what this command prints), or empty. `moves`: at most so many instances of those
/// cards change their place; empty: as many as fewest cards need.
Result<MigPacked> mig_pack(const std::string& card, const std::string& demand, const std::string& existing,
                           const std::string& moves);

std::string mig_pack_json(const MigPacked& packed);

}  // namespace etiage::app
