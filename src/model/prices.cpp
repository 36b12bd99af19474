#include "model/prices.h"

#include <algorithm>
#include <array>
#include <utility>

namespace etiage {
namespace {

// OpenCost's default ratio of a core to a GiB of memory, for nodes without GPUs.
constexpr double kCore = 0.031611, kGib = 0.004237;
// How node-only prices of GPU hosts are split by default.
constexpr PriceSplit kGpuNode{0.95, 0.03, 0.02};

std::string_view key_of(const PricedNode& node, PriceKey kind) {
  switch (kind) {
    case PriceKey::kNodeName:
      return node.name;
    case PriceKey::kInstanceType:
      return node.instance_type;
    default:
      return node.card;
  }
}

/// What the row's key names of this node. A list of `name`s may name instance types or cards as well as
/// nodes.
std::optional<PriceKey> speaks_as(const PriceRow& row, const PricedNode& node) {
  if (row.key.empty()) return {};
  if (row.kind == PriceKey::kCatalogue)
    return row.key == node.instance_type || (row.key == node.card && node.cards > 0)
               ? std::optional(PriceKey::kCatalogue)
               : std::nullopt;
  for (const PriceKey kind : {PriceKey::kNodeName, PriceKey::kInstanceType, PriceKey::kCard})
    if ((row.kind == kind || row.kind == PriceKey::kNodeName) && row.key == key_of(node, kind) &&
        (kind != PriceKey::kCard || node.cards > 0))
      return kind;
  return {};
}

/// How well the way of buying fits: the node's own, none told, on demand, any other.
int purchase_rank(const PriceRow& row, const PricedNode& node) {
  if (!node.purchase.empty() && row.purchase == node.purchase) return 0;
  return row.purchase.empty() ? 1 : row.purchase == "on-demand" ? 2 : 3;
}

bool by_card(const PriceRow& row, PriceKey kind, const PricedNode& node) {
  return kind == PriceKey::kCard || (kind == PriceKey::kCatalogue && row.key != node.instance_type);
}

}  // namespace

std::string_view to_string(PriceKey key) {
  switch (key) {
    case PriceKey::kNodeName:
      return "name";
    case PriceKey::kInstanceType:
      return "instanceType";
    case PriceKey::kCard:
      return "card";
    case PriceKey::kCatalogue:
      return "catalogue";
  }
  return "";
}

std::string_view purchase_of(const LabelMap& labels) {
  struct Word {
    std::string_view label, value, purchase;
  };
  constexpr std::array<Word, 8> kWords{{{"karpenter.sh/capacity-type", "spot", "spot"},
                                        {"karpenter.sh/capacity-type", "on-demand", "on-demand"},
                                        {"karpenter.sh/capacity-type", "reserved", "reserved"},
                                        {"eks.amazonaws.com/capacityType", "SPOT", "spot"},
                                        {"eks.amazonaws.com/capacityType", "ON_DEMAND", "on-demand"},
                                        {"cloud.google.com/gke-spot", "true", "spot"},
                                        {"cloud.google.com/gke-preemptible", "true", "spot"},
                                        {"kubernetes.azure.com/scalesetpriority", "spot", "spot"}}};
  for (const Word& word : kWords)
    if (const auto found = labels.find(word.label); found != labels.end() && found->second == word.value)
      return word.purchase;
  return {};
}

std::optional<NodePrice> price_of(const PriceBook& book, const PricedNode& node, Instant at) {
  const PriceRow* best = nullptr;
  std::pair<PriceKey, int> best_rank;
  for (const PriceRow& row : book.rows) {
    const auto kind = row.valid.contains(at) ? speaks_as(row, node) : std::nullopt;
    if (!kind) continue;
    const std::pair rank(*kind, purchase_rank(row, node));
    if (!best || rank <= best_rank) best = &row, best_rank = rank;
  }
  if (!best) return {};
  NodePrice out;
  out.hourly = by_card(*best, best_rank.first, node) ? best->hourly * node.cards : best->hourly;
  out.valid = best->valid;
  out.grade = best->kind == PriceKey::kCatalogue ? Grade::kAssumed : Grade::kMeasured;
  out.source = std::string(to_string(best->kind)) + " " + best->key +
               (best->source.empty() ? "" : ", " + best->source) +
               (best->date.empty() ? "" : ", " + best->date);
  out.split = best->split;
  return out;
}

std::vector<Instant> price_changes(const PriceBook& book, Window window) {
  std::vector<Instant> out;
  for (const PriceRow& row : book.rows)
    for (Instant t : {row.valid.start, row.valid.end})
      if (window.start < t && t < window.end) out.push_back(t);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

PriceSplit split_of(const PriceBook& book, const NodePrice& price, int cards, double cores, Bytes memory) {
  const auto normal = [](PriceSplit s) {
    const double sum = s.gpu + s.cpu + s.memory;
    return sum > 0 ? PriceSplit{s.gpu / sum, s.cpu / sum, s.memory / sum} : PriceSplit{0, 1, 0};
  };
  if (book.components)
    return normal({book.components->gpu.units() * cards, book.components->cpu.units() * cores,
                   book.components->memory.units() * memory.as_gib()});
  const auto declared = price.split ? price.split : book.split;
  if (cards > 0) return declared ? normal(*declared) : kGpuNode;
  return normal({0, kCore * cores, kGib * memory.as_gib()});
}

}  // namespace etiage
