#include "evidence/timeline.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace etiage::evidence {

namespace {

/// How often each step between stamps came. Most series know one step or two, which come many times in a row.
class StepCount {
 public:
  void add(std::int64_t step) {
    if (step != step_) settle(), step_ = step;
    ++count_;
  }
  /// The longer one where two are as common; 0 where there is none.
  std::int64_t commonest() {
    settle();
    std::pair<std::size_t, std::int64_t> best{0, 0};
    for (const auto& [step, count] : counts_) best = std::max(best, {count, step});
    return best.second;
  }

 private:
  void settle() {
    if (count_ > 0) counts_[step_] += std::exchange(count_, 0);
  }

  std::unordered_map<std::int64_t, std::size_t> counts_;
  std::int64_t step_ = 0;  ///< the last one, and how often it came in a row
  std::size_t count_ = 0;
};

Duration limit_for(Duration modal) {
  return std::max(Duration::seconds(300), modal * 3);
}

}  // namespace

Duration modal_interval(Samples samples) {
  StepCount steps;
  for (std::size_t i = 1; i < samples.size(); ++i) steps.add(samples[i].ms - samples[i - 1].ms);
  return Duration::millis(steps.commonest());
}

Duration modal_interval(std::span<const std::int64_t> stamps) {
  StepCount steps;
  for (std::size_t i = 1; i < stamps.size(); ++i) steps.add(stamps[i] - stamps[i - 1]);
  return Duration::millis(steps.commonest());
}

Duration hold_limit(Samples samples) {
  return limit_for(modal_interval(samples));
}

Duration hold_limit(std::span<const std::int64_t> stamps) {
  return limit_for(modal_interval(stamps));
}

std::vector<Stretch> stretches(std::span<const std::int64_t> stamps) {
  if (stamps.empty()) return {};
  const Instant first = Instant::unix_millis(stamps.front()), last = Instant::unix_millis(stamps.back());
  if (last - first <= kFarOff) return {{first, last, stamps.size()}};
  std::vector<Stretch> out;
  for (const std::int64_t ms : stamps) {
    const Instant t = Instant::unix_millis(ms);
    if (out.empty() || t - out.back().last > kFarOff) out.push_back({t, t});
    out.back().last = t;
    out.back().samples += 1;
  }
  return out;
}

Segments held(Samples samples, Duration limit) {
  Segments out(samples.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (std::isnan(samples[i].value)) continue;
    const Instant start = Instant::unix_millis(samples[i].ms);
    Instant end = start + limit;
    if (i + 1 < samples.size()) end = std::min(end, Instant::unix_millis(samples[i + 1].ms));
    if (count > 0 && out[count - 1].span.end == start && out[count - 1].value == samples[i].value)
      out[count - 1].span.end = end;
    else
      out[count++] = {{start, end}, samples[i].value};
  }
  out.resize(count);
  return out;
}

Segments::const_iterator first_after(const Segments& segments, Instant t) {
  return std::ranges::upper_bound(segments, t, {}, [](const Segment& s) { return s.span.end; });
}

std::optional<double> value_at(const Segments& segments, Instant t) {
  const auto it = first_after(segments, t);
  if (it == segments.end() || !it->span.contains(t)) return {};
  return it->value;
}

std::vector<Growth> growth(Samples samples, Duration limit, Instant window_start,
                           std::span<const Instant> begun) {
  std::vector<Growth> out;
  out.reserve(samples.size());
  const formats::Sample* before = nullptr;
  for (const auto& s : samples) {
    if (!std::isfinite(s.value)) continue;  // stale, or no count at all
    const Instant t = Instant::unix_millis(s.ms);
    if (!before) {
      std::optional<Instant> born;
      for (Instant b : begun)
        if (b <= t && (!born || *born < b)) born = b;
      if (born && *born > t - limit && *born >= window_start && *born < t)
        out.push_back({{*born, t}, s.value});
    } else {
      out.push_back({{Instant::unix_millis(before->ms), t},
                     s.value >= before->value ? s.value - before->value : s.value});
    }
    before = &s;
  }
  return out;
}

Segments sum(const std::vector<Segments>& parts) {
  if (parts.size() == 1) return parts.front();
  std::vector<Instant> cuts;
  for (const auto& p : parts)
    for (const auto& s : p) cuts.insert(cuts.end(), {s.span.start, s.span.end});
  std::ranges::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  Segments out;
  std::vector<std::size_t> at(parts.size());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    std::optional<double> total;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      while (at[p] < parts[p].size() && parts[p][at[p]].span.end <= cuts[i]) ++at[p];
      if (at[p] < parts[p].size() && parts[p][at[p]].span.contains(cuts[i]))
        total = total.value_or(0) + parts[p][at[p]].value;
    }
    if (!total) continue;
    if (!out.empty() && out.back().span.end == cuts[i] && out.back().value == *total) {
      out.back().span.end = cuts[i + 1];
    } else {
      out.push_back({{cuts[i], cuts[i + 1]}, *total});
    }
  }
  return out;
}

}  // namespace etiage::evidence
