#include "evidence/track.h"

#include <algorithm>
#include <bit>

namespace etiage::evidence {
namespace {
constexpr double kStale = std::bit_cast<double>(std::uint64_t{0x7ff0000000000002});
}

void Track::push_time(std::int64_t ms, bool stale) {
  if (size_ > 0 && ms <= last_) sorted_ = false;
  last_ = ms;
  size_ += 1;
  if (!runs_.empty() && runs_.back().stale == stale) {
    Run& run = runs_.back();
    if (run.count == 1) {
      run.step = ms - run.start;
      run.count = 2;
      return;
    }
    if (run.start + run.step * run.count == ms && run.count < UINT32_MAX) {
      run.count += 1;
      return;
    }
  }
  runs_.push_back({ms, 0, 1, stale});
}

void Track::push(formats::Sample sample) {
  push_time(sample.ms, !keep_values_ && formats::is_stale(sample.value));
  if (keep_values_) values_.push_back(sample.value);
}

void Track::append(const Track& other) {
  std::size_t i = 0;
  for (const Run& run : other.runs_)
    for (std::uint32_t k = 0; k < run.count; ++k, ++i) {
      push_time(run.start + run.step * k, run.stale);
      if (keep_values_) values_.push_back(other.keep_values_ ? other.values_[i] : run.stale ? kStale : 1);
    }
}

void Track::shrink() {
  runs_.shrink_to_fit();
  values_.shrink_to_fit();
}

std::vector<formats::Sample> Track::samples() const {
  std::vector<formats::Sample> out;
  out.reserve(size_);
  for (const Run& run : runs_)
    for (std::uint32_t k = 0; k < run.count; ++k)
      out.push_back({run.start + run.step * k, keep_values_ ? values_[out.size()] : run.stale ? kStale : 1});
  if (sorted_) return out;
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.ms < b.ms; });
  out.erase(std::unique(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.ms == b.ms; }),
            out.end());
  return out;
}

}  // namespace etiage::evidence
