#pragma once
// The cards we know, what a MIG instance sees of them, and how a name as people and labels write it finds its
// card.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/card.h"

namespace etiage::catalog {

/// The built-in tables, read once.
const std::vector<Card>& cards();

/// The card that `name` means: our key, its name, an alias, or one of these with other case, punctuation,
/// `NVIDIA` or `AMD` before it, or sharing and MIG suffixes of labels (`-SHARED`, `-MIG-1g.5gb`) behind it.
/// Refused where nothing or more than one card fits (`A100`), with the candidates.
Result<Card> find_card(std::string_view name, std::span<const Card> known);

/// What an instance of MIG sees of its card.
struct MigSlice {
  double memory_gib = 0;
  int sms = 0;
  bool verified = false;  ///< false: in proportion to the card, not read from one

  bool operator==(const MigSlice&) const = default;
};

/// Of a card by its key; where instances may lie is `mig_geometry`.
std::optional<MigSlice> mig_slice(std::string_view card_key, std::string_view profile);

/// Reads tables of these forms; `file` is only for messages.
Result<std::vector<Card>> read_cards(std::string_view csv, const std::string& file);

}  // namespace etiage::catalog
