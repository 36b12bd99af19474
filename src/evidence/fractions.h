#pragma once
// Shares of cards that schedulers of their own hand out: HAMi (cores and memory of a card), Run:ai and KAI
// (a fraction of one). The device plug-in counts these as so many devices, or not at all.

#include <optional>
#include <string>
#include <vector>

#include "model/node.h"
#include "model/pod.h"

namespace etiage::evidence {

/// A part of one card.
struct CardPart {
  std::string uuid;             ///< empty where it is not told which card
  std::optional<double> cores;  ///< of the card, 0 to 1
  std::optional<double> memory_mib;
  std::optional<double> memory;  ///< of the card, 0 to 1

  /// Cores, else memory (RULES.md 9), else all of it.
  double share(double card_mib) const;
};

/// Of a pod that HAMi placed, as its annotations tell; else as its requests ask. Empty: not HAMi's.
std::vector<CardPart> hami_parts(const Pod& pod);
std::vector<CardPart> hami_parts(const ResourceList& requests);

/// A card that HAMi's device plug-in registered on a node.
struct HamiCard {
  std::string uuid, product;
  double memory_mib = 0;
};
std::vector<HamiCard> hami_cards(const Node& node);

/// Of a pod that Run:ai or KAI placed on a part of one or more cards.
std::vector<CardPart> runai_parts(const Pod& pod);
/// Whether the pod only keeps a card from the device plug-in, for pods that hold parts of it; such pods carry
/// the same `runai-gpu-group` label.
bool reserves_card(const Pod& pod);

}  // namespace etiage::evidence
