#pragma once
// The answer of `etiage why`: the pieces that make up a figure.

#include <string>
#include <vector>

#include "ledger/pieces.h"
#include "render/table.h"

namespace etiage::render {

struct Why {
  std::string subject;    ///< `pod/chat/llama-0`
  std::string statement;  ///< one sentence: how much, of what
  std::string reason;     ///< why there is no money, where there is none
  std::vector<ledger::Piece> pieces;
  std::vector<std::string> sources;  ///< of each piece: the series or object it rests on
  const Evidence& evidence;
  std::string currency;
};

std::string why_json(const Why& why);
/// Sums over the pieces, the prices and the series they rest on.
std::vector<Table> why_tables(const Why& why);
/// Piece by piece.
Table why_pieces(const Why& why);

}  // namespace etiage::render
