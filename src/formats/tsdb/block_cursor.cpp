#include "formats/tsdb/block_cursor.h"

#include <algorithm>
#include <optional>

namespace etiage::formats::tsdb {
namespace {

bool label_less(const Label& a, const Label& b) {
  return a.name != b.name ? a.name < b.name : a.value < b.value;
}

bool series_less(const IndexSeries& a, const IndexSeries& b) {
  return std::ranges::lexicographical_compare(a.labels, b.labels, label_less);
}

/// The first readable series from that place of the list on; nothing at its end.
std::optional<IndexSeries> series_from(const BlockCursor& cursor, std::size_t place) {
  IndexSeries series;
  for (; place < cursor.ids.size(); ++place)
    if (cursor.block->index.series(cursor.ids[place], series)) return series;
  return {};
}

/// Where in the list the series that are not before `pivot` begin.
std::size_t place_of(const BlockCursor& cursor, const std::optional<IndexSeries>& pivot) {
  if (!pivot) return cursor.ids.size();
  std::size_t low = 0, high = cursor.ids.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const auto series = series_from(cursor, middle);
    if (series && series_less(*series, *pivot))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

std::vector<BlockCursor*> of_least_series(std::vector<BlockCursor>& cursors) {
  const auto with_labels_of = [](const BlockCursor& one) {
    return [&one](const BlockCursor& c) { return c.series.labels == one.series.labels; };
  };
  // Mostly all stand at the same, which is told sooner than their order.
  const bool all = std::ranges::all_of(cursors, with_labels_of(cursors.front()));
  const BlockCursor& least =
      all ? cursors.front() : *std::ranges::min_element(cursors, [](const auto& a, const auto& b) {
        return series_less(a.series, b.series);
      });
  std::vector<BlockCursor*> same;
  for (BlockCursor& c : cursors)
    if (all || with_labels_of(least)(c)) same.push_back(&c);
  return same;
}

bool one_after_another(std::span<BlockCursor* const> same) {
  const std::vector<ChunkMeta>* before = nullptr;
  for (const BlockCursor* c : same) {
    if (c->series.chunks.empty()) continue;
    if (before != nullptr && c->series.chunks.front().min_ms <= before->back().max_ms) return false;
    before = &c->series.chunks;
  }
  return true;
}

void narrow(std::vector<BlockCursor>& cursors, Share share) {
  if (share.count <= 1 || cursors.empty()) return;
  const BlockCursor& longest =
      *std::ranges::max_element(cursors, {}, [](const BlockCursor& c) { return c.ids.size(); });
  const std::size_t size = longest.ids.size();
  const auto first = series_from(longest, size * share.index / share.count);
  const auto last = series_from(longest, size * (share.index + 1) / share.count);
  for (BlockCursor& c : cursors) {
    c.next = share.index == 0 ? 0 : place_of(c, first);
    c.end = share.index + 1 == share.count ? c.ids.size() : place_of(c, last);
  }
}

}  // namespace etiage::formats::tsdb
