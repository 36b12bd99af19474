#pragma once
// Independent pieces of work on several threads.

#include <algorithm>
#include <atomic>
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

}  // namespace etiage
