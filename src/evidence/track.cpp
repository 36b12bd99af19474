#include "evidence/track.h"

#include <algorithm>

namespace etiage::evidence {

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

void Track::push(std::span<const formats::Sample> samples) {
  for (const formats::Sample& s : samples) {
    push_time(s.ms, formats::is_stale(s.value));
    if (keep_values_) values_.push(s.value);
  }
}

void Track::append(const Track& other) {
  for (const Run& run : other.runs_)
    for (std::uint32_t k = 0; k < run.count; ++k) push_time(run.start + run.step * k, run.stale);
  if (!keep_values_) return;
  std::vector<double> values;
  if (other.keep_values_)
    other.values_.append_to(values);
  else
    for (const Run& run : other.runs_)
      values.insert(values.end(), run.count, run.stale ? formats::stale_marker() : 1);
  values_.push(values);
}

void Track::seal() {
  values_.seal();
}

std::vector<formats::Sample> Track::samples() const {
  std::vector<double> values;
  if (keep_values_) values_.append_to(values);
  std::vector<formats::Sample> out;
  out.reserve(size_);
  for (const Run& run : runs_)
    for (std::uint32_t k = 0; k < run.count; ++k)
      out.push_back({run.start + run.step * k, keep_values_ ? values[out.size()]
                                               : run.stale  ? formats::stale_marker()
                                                            : 1});
  if (sorted_) return out;
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.ms < b.ms; });
  out.erase(std::unique(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.ms == b.ms; }),
            out.end());
  return out;
}

std::vector<std::int64_t> Track::stamps() const {
  std::vector<std::int64_t> out;
  out.reserve(size_);
  if (sorted_) {
    for (const Run& run : runs_)
      for (std::uint32_t k = 0; !run.stale && k < run.count; ++k) out.push_back(run.start + run.step * k);
    return out;
  }
  for (const formats::Sample& s : samples())
    if (!formats::is_stale(s.value)) out.push_back(s.ms);
  return out;
}

}  // namespace etiage::evidence
