#pragma once
// What nodes cost: rows with a date and a source, looked up best first (RULES.md 15, 16).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/money.h"
#include "model/evidence.h"
#include "model/meta.h"

namespace etiage {

/// What a row's key names; a better one wins over a worse one.
enum class PriceKey : std::uint8_t { kNodeName, kInstanceType, kCard, kCatalogue };
std::string_view to_string(PriceKey key);

/// Fractions of a node's price; they sum to 1.
struct PriceSplit {
  double gpu = 0, cpu = 0, memory = 0;

  bool operator==(const PriceSplit&) const = default;
};

/// Prices of the parts of a node, scaled to the node's own price when it is split.
struct ComponentPrices {
  HourlyPrice gpu;     ///< a card
  HourlyPrice cpu;     ///< a core
  HourlyPrice memory;  ///< a GiB

  bool operator==(const ComponentPrices&) const = default;
};

struct PriceRow {
  PriceKey kind = PriceKey::kInstanceType;
  std::string key;  ///< the node, the instance type, or the card (all-in, for each physical card)
  HourlyPrice hourly;
  Window valid{Instant::min(), Instant::max()};
  std::string source;    ///< `prices.csv:3`, or a provider's list
  std::string date;      ///< as given; empty: unknown
  std::string purchase;  ///< on-demand, spot, reserved, on-prem; empty: not told
  std::optional<PriceSplit> split;

  bool operator==(const PriceRow&) const = default;
};

struct PriceBook {
  std::string currency = "USD";
  std::vector<PriceRow> rows;  ///< of equal kind and key the later row wins where both are valid
  std::optional<ComponentPrices> components;  ///< where given, how a node's price is split
  std::optional<PriceSplit> split;            ///< else this, else 95/3/2 on GPU nodes

  bool operator==(const PriceBook&) const = default;
};

/// The price of a whole node over a span of time.
struct NodePrice {
  HourlyPrice hourly;
  Window valid;
  Grade grade = Grade::kMeasured;  ///< assumed where it is from the catalogue
  std::string source;
  std::optional<PriceSplit> split;
};

/// What is asked about a node; `card` in the spelling that the rows use.
struct PricedNode {
  std::string_view name, instance_type, card;
  int cards = 0;
  std::string_view purchase = {};  ///< how it was bought, where known: `spot`
};

/// `spot`, `on-demand` or `reserved`, as Karpenter and the clouds label their nodes; empty where they do not.
std::string_view purchase_of(const LabelMap& labels);

/// The price at a moment, best key first, then the row of the node's way of buying (else one that tells none,
/// else on demand); nothing where no row speaks of the node.
std::optional<NodePrice> price_of(const PriceBook& book, const PricedNode& node, Instant at);

/// The moments inside `window` at which some row begins or ends to be valid.
std::vector<Instant> price_changes(const PriceBook& book, Window window);

/// How the node's price is divided between its cards, cores and GiB of memory (RULES.md 16).
PriceSplit split_of(const PriceBook& book, const NodePrice& price, int cards, double cores, Bytes memory);

}  // namespace etiage
