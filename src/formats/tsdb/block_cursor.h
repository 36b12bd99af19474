#pragma once
// Walking through the series of one metric in several blocks at a time, in order of their labels.

#include <cstdint>
#include <span>
#include <vector>

#include "formats/tsdb/block.h"

namespace etiage::formats::tsdb {

/// The series of one metric in one block, one after another.
struct BlockCursor {
  const Block* block;
  Postings ids;
  std::size_t next = 0;
  std::size_t end = 0;  ///< the share's part of `ids` is [next, end)
  std::uint32_t id = 0;
  IndexSeries series;
};

/// The cursors that stand at the series that comes first.
std::vector<BlockCursor*> of_least_series(std::vector<BlockCursor>& cursors);

/// Whether the blocks hold the series one after another in time: nothing to merge.
bool one_after_another(std::span<BlockCursor* const> same);

/// To the part of each list that is this share's: it begins and ends at series of the longest list, wherever
/// these would stand in the others.
void narrow(std::vector<BlockCursor>& cursors, Share share);

}  // namespace etiage::formats::tsdb
