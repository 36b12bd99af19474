#include "formats/tsdb/series_merge.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace etiage::formats::tsdb {
namespace {

/// Goes through the samples of a block; stands before the first one until `next` is called.
struct Cursor {
  const BlockSamples* samples;
  std::size_t at = SIZE_MAX;

  bool next() { return ++at < samples->size(); }
  std::int64_t ms() const { return (*samples)[at].ms; }
};

/// container/heap of Go: equal stamps leave it in the order in which Go's would.
class Heap {
 public:
  bool empty() const { return items_.empty(); }
  std::int64_t first_ms() const { return items_.front()->ms(); }

  void push(Cursor* c) {
    items_.push_back(c);
    for (std::size_t at = items_.size() - 1; at > 0;) {
      const std::size_t parent = (at - 1) / 2;
      if (!less(at, parent)) break;
      std::swap(items_[at], items_[parent]);
      at = parent;
    }
  }
  Cursor* pop() {
    std::swap(items_.front(), items_.back());
    Cursor* const out = items_.back();
    items_.pop_back();
    for (std::size_t at = 0;;) {
      std::size_t child = 2 * at + 1;
      if (child >= items_.size()) break;
      if (child + 1 < items_.size() && less(child + 1, child)) ++child;
      if (!less(child, at)) break;
      std::swap(items_[at], items_[child]);
      at = child;
    }
    return out;
  }

 private:
  bool less(std::size_t a, std::size_t b) const { return items_[a]->ms() < items_[b]->ms(); }

  std::vector<Cursor*> items_;
};

/// One step: the block that the next sample comes from, or null at the end.
Cursor* advance(Cursor* current, Heap& heap, std::int64_t last_ms, bool& changed) {
  for (;;) {
    if (current->next()) {
      if (current->ms() == last_ms) continue;
      if (heap.empty() || current->ms() < heap.first_ms()) return current;
      heap.push(current);
    } else if (heap.empty()) {
      return nullptr;
    }
    current = heap.pop();
    changed = true;
    if (current->ms() != last_ms) return current;
  }
}

}  // namespace

std::vector<MergedSample> merge_samples(std::span<const BlockSamples> blocks) {
  std::vector<MergedSample> out;
  std::vector<Cursor> cursors;
  for (const BlockSamples& b : blocks)
    if (!b.empty()) cursors.push_back({&b});
  if (cursors.empty()) return out;
  Heap heap;
  for (Cursor& c : std::span(cursors).subspan(1))
    if (c.next()) heap.push(&c);
  std::int64_t last_ms = std::numeric_limits<std::int64_t>::min();
  bool changed = true;
  for (Cursor* c = advance(&cursors.front(), heap, last_ms, changed); c != nullptr;
       c = advance(c, heap, last_ms, changed)) {
    MergedSample& sample = out.emplace_back((*c->samples)[c->at]);
    sample.after_other = changed;
    changed = false;
    last_ms = sample.ms;
  }
  return out;
}

}  // namespace etiage::formats::tsdb
