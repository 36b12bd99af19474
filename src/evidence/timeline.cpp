#include "evidence/timeline.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace etiage::evidence {

Duration modal_interval(Samples samples) {
  std::map<std::int64_t, std::size_t> steps;
  for (std::size_t i = 1; i < samples.size(); ++i) steps[samples[i].ms - samples[i - 1].ms] += 1;
  std::int64_t best = 0;
  std::size_t most = 0;
  for (const auto& [step, count] : steps)  // rising, so that of two as common the longer one stays
    if (count >= most) best = step, most = count;
  return Duration::millis(best);
}

Duration hold_limit(Samples samples) {
  return std::max(Duration::seconds(300), modal_interval(samples) * 3);
}

Segments held(Samples samples, Duration limit) {
  Segments out;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (std::isnan(samples[i].value)) continue;
    const Instant start = Instant::unix_millis(samples[i].ms);
    Instant end = start + limit;
    if (i + 1 < samples.size()) end = std::min(end, Instant::unix_millis(samples[i + 1].ms));
    if (!out.empty() && out.back().span.end == start && out.back().value == samples[i].value) {
      out.back().span.end = end;
    } else {
      out.push_back({{start, end}, samples[i].value});
    }
  }
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

Segments rates(const std::vector<Growth>& growth) {
  Segments out;
  for (const auto& g : growth) {
    if (g.span.empty()) continue;
    const double rate = g.amount / g.span.length().as_seconds();
    if (!out.empty() && out.back().span.end == g.span.start && out.back().value == rate) {
      out.back().span.end = g.span.end;
    } else {
      out.push_back({g.span, rate});
    }
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
