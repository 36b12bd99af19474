#pragma once
// List prices that are built in (data/prices.csv, US dollars, on demand), for nodes that the user priced
// nowhere; and how a card's name in a price list finds the nodes that have it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/prices.h"

namespace etiage::catalog {

/// Rows of kind kCatalogue, of instance types and of cards.
const std::vector<PriceRow>& list_prices();
Result<std::vector<PriceRow>> read_list_prices(std::string_view csv, const std::string& file);

/// Whether a price of `card` is a price of `product`: every word of the one is a word of the other, so that
/// `H100` and `A100-80GB` mean `NVIDIA-H100-80GB-HBM3` and `NVIDIA-A100-SXM4-80GB`. How many words agree; 0:
/// another card.
std::size_t agreeing_words(std::string_view card, std::string_view product);

/// The book made ready for these nodes: rows of cards repeated in the spelling of each node's product, the
/// best fitting name only; behind them the list prices, unless the book is in another currency than theirs.
PriceBook prices_for(PriceBook book, std::span<const PricedNode> nodes);

}  // namespace etiage::catalog
