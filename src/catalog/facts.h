#pragma once
// The facts in force: the built-in tables, with a user's rows over them.
//
//   cards:
//     - {card: h100-acme-96gb, like: h100-sxm-80gb, visible_gib: 93.1}      a new one, made after another
//     - {card: l40s, bandwidth_gbs: 864, source: measured, date: 2026-11}   a change of ours
//   models: [{model: acme/foo, like: Qwen/Qwen3-8B, max_position: 131072}]
//   mig: [{card: h100-acme-96gb, profile: 1g.12gb, like: 1g.10gb, memory_gib: 11.6}]
//
// Columns are those of data/*.csv. What a user says counts as verified unless she says otherwise.

#include <string>
#include <vector>

#include "base/result.h"
#include "base/tree.h"
#include "catalog/cards.h"
#include "catalog/mig_slices.h"
#include "catalog/models.h"

namespace etiage::catalog {

/// Tables as CSV, as `etiage catalog` shows them.
struct Tables {
  std::string cards, models, mig_slices;
};

struct Facts {
  std::vector<Card> cards;
  std::vector<KnownModel> models;
  std::vector<MigSlice> mig_slices;
  Tables tables;
};

/// The built-in ones alone, read once.
const Facts& builtin_facts();

/// `overrides` as above. Refused: a table or a column that is not there, a word where a number belongs, a row
/// without its key or whose `like` names none, and what the readers of the tables refuse.
Result<Facts> facts_with(const Facts& facts, const Tree& overrides, const std::string& file);

}  // namespace etiage::catalog
