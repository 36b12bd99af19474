#pragma once
// Independent pieces of work on several threads.

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <thread>
#include <vector>

namespace etiage {

/// Calls `f(i)` for each i below `count`, in no order, from at most `threads` threads, and returns when all
/// are done. A thread takes `bite` pieces at a time: few where a piece is long. `f` must not throw, and
/// pieces must not share what they write.
template <class F>
void for_each_index(std::size_t count, unsigned threads, F&& f, std::size_t bite = 16) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t from = next.fetch_add(bite); from < count; from = next.fetch_add(bite))
      for (std::size_t i = from; i < std::min(from + bite, count); ++i) f(i);
  };
  std::vector<std::jthread> others;
  for (std::size_t t = 1; t < std::min<std::size_t>(threads, (count + bite - 1) / bite); ++t)
    others.emplace_back(work);
  work();
}

/// As std::stable_sort; parts are sorted side by side, then merged.
template <class T, class Less>
void sort_stably(std::vector<T>& all, unsigned threads, Less less) {
  const std::size_t parts = std::min<std::size_t>(std::bit_floor(std::max(threads, 1u)), all.size() / 64 + 1);
  const auto begin_of = [&](std::size_t part) {
    return all.begin() + static_cast<std::ptrdiff_t>(all.size() * part / parts);
  };
  for_each_index(
      parts, threads, [&](std::size_t i) { std::stable_sort(begin_of(i), begin_of(i + 1), less); }, 1);
  for (std::size_t width = 1; width < parts; width *= 2)
    for (std::size_t i = 0; i + width < parts; i += 2 * width)
      std::inplace_merge(begin_of(i), begin_of(i + width), begin_of(std::min(i + 2 * width, parts)), less);
}

}  // namespace etiage
