#include "evidence/track.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace etiage::evidence {
namespace {

/// Damaged input may have stamps at the ends of the range.
std::int64_t next_stamp(std::int64_t ms, std::int64_t step) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(ms) + static_cast<std::uint64_t>(step));
}

}  // namespace

void Track::push_time(std::int64_t ms, bool stale) {
  if (size_ > 0 && ms <= last_) sorted_ = false;
  const std::int64_t before = std::exchange(last_, ms);
  size_ += 1;
  if (!runs_.empty() && runs_.back().stale == stale) {
    Run& run = runs_.back();
    if (run.count == 1) {
      run.step =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(ms) - static_cast<std::uint64_t>(run.start));
      run.count = 2;
      return;
    }
    if (next_stamp(before, run.step) == ms && run.count < UINT32_MAX) {
      run.count += 1;
      return;
    }
  }
  runs_.push_back({ms, 0, 1, stale});
}

void Track::note(formats::Sample sample) {
  if (!std::isfinite(sample.value)) return;
  if (!newest_ || sample.ms > newest_->ms) newest_ = sample;
}

template <class F>
void Track::for_each_stamp(const Run& run, F&& f) {
  std::int64_t ms = run.start;
  for (std::uint32_t k = 0; k < run.count; ++k, ms = next_stamp(ms, run.step)) f(ms);
}

/// Extends the last run by the samples that continue it; returns how many these are.
std::size_t Track::extend(std::span<const formats::Sample> samples) {
  Run& run = runs_.back();
  if (run.count < 2 || run.step <= 0) return 0;
  std::size_t n = 0;
  std::int64_t expected = next_stamp(last_, run.step);
  for (; n < samples.size() && samples[n].ms == expected && formats::is_stale(samples[n].value) == run.stale;
       ++n)
    expected = next_stamp(expected, run.step);
  n = std::min<std::size_t>(n, UINT32_MAX - run.count);
  run.count += static_cast<std::uint32_t>(n);
  size_ += n;
  if (n > 0) last_ = samples[n - 1].ms;
  return n;
}

void Track::push(std::span<const formats::Sample> samples, std::vector<double>& values) {
  if (keep_values_) {
    const std::size_t from = values.size();
    values.resize(from + samples.size());
    std::ranges::transform(samples, values.begin() + static_cast<std::ptrdiff_t>(from),
                           &formats::Sample::value);
  } else {
    for (const formats::Sample& s : samples) note(s);
  }
  while (!samples.empty()) {
    push_time(samples.front().ms, formats::is_stale(samples.front().value));
    samples = samples.subspan(1);
    samples = samples.subspan(extend(samples));
  }
}

void Track::seal(std::vector<double>& values, Arena& arena) {
  if (values.empty()) return;
  values_.append(values, arena);
  values.clear();
}

void Track::append(const Track& other, Arena& arena) {
  for (const Run& run : other.runs_) for_each_stamp(run, [&](std::int64_t ms) { push_time(ms, run.stale); });
  if (other.newest_) note(*other.newest_);
  if (!keep_values_) return;
  std::vector<double> values;
  if (other.keep_values_)
    other.values_.for_each([&](double v) { values.push_back(v); });
  else
    for (const Run& run : other.runs_)
      values.insert(values.end(), run.count, run.stale ? formats::stale_marker() : 1);
  seal(values, arena);
}

bool Track::same_times(const Track& other) const {
  return sorted_ && other.sorted_ && runs_ == other.runs_;
}

std::vector<formats::Sample> Track::samples() const {
  std::vector<formats::Sample> out(size_);
  formats::Sample* at = out.data();
  for (const Run& run : runs_)
    for_each_stamp(run, [&](std::int64_t ms) { *at++ = {ms, run.stale ? formats::stale_marker() : 1}; });
  if (keep_values_) values_.for_each([at = out.data()](double v) mutable { at++->value = v; });
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
      if (!run.stale) for_each_stamp(run, [&](std::int64_t ms) { out.push_back(ms); });
    return out;
  }
  for (const formats::Sample& s : samples())
    if (!formats::is_stale(s.value)) out.push_back(s.ms);
  return out;
}

}  // namespace etiage::evidence
