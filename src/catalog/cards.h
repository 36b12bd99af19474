#pragma once
// The cards we know, and how a name as people and labels write it finds its card.

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

/// `1g.5gb+me` of a node's product label `NVIDIA-A100-SXM4-40GB-MIG-1g.5gb.me`; empty: the whole card.
std::string mig_profile_in(std::string_view name);

/// Reads tables of these forms; `file` is only for messages.
Result<std::vector<Card>> read_cards(std::string_view csv, const std::string& file);

}  // namespace etiage::catalog
