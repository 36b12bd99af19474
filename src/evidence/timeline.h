#pragma once
// Samples to time: what a gauge says and for how long, how much a counter grew and when (RULES.md 2 and 3).

#include <optional>
#include <span>
#include <vector>

#include "base/instant.h"
#include "formats/samples.h"

namespace etiage::evidence {

using Samples = std::span<const formats::Sample>;

/// A value that holds over a span of time.
struct Segment {
  Window span;
  double value = 0;

  bool operator==(const Segment&) const = default;
};
/// Sorted, disjoint; gaps are times without evidence.
using Segments = std::vector<Segment>;

/// The commonest step between neighbouring stamps; the longer one where two are as common; 0 below two
/// stamps.
Duration modal_interval(Samples samples);

Duration modal_interval(std::span<const std::int64_t> stamps);

/// How long a sample may speak: max(5 min, 3 x the modal interval).
Duration hold_limit(Samples samples);
Duration hold_limit(std::span<const std::int64_t> stamps);

/// Stamps between which there is nowhere more than a year: a stray one of a wrong clock is a stretch of its
/// own.
struct Stretch {
  Instant first, last;
  std::size_t samples = 0;
};
inline constexpr Duration kFarOff = Duration::hours(366 * 24);
/// Of sorted stamps, by time.
std::vector<Stretch> stretches(std::span<const std::int64_t> stamps);

/// Each sample holds to the next, at most `limit`; a stale marker ends it; other NaNs are no evidence.
/// Neighbours with equal values are joined.
Segments held(Samples samples, Duration limit);

/// The value at a moment, if there is evidence.
std::optional<double> value_at(const Segments& segments, Instant t);

/// Growth of a counter, spread evenly over `span` (never empty).
struct Growth {
  Window span;
  double amount = 0;
};

/// A fall counts the new value whole. The first value counts whole, from its container's start on, if one of
/// `begun` (moments before which no container of the pod can have started) lies less than `limit` before it
/// and not before `window_start`. Stale markers and NaNs are passed over.
std::vector<Growth> growth(Samples samples, Duration limit, Instant window_start,
                           std::span<const Instant> begun);

/// Per second of time, as segments (growth divided by its span).
template <class Growths>
Segments rates(const Growths& growth);

/// Where any of the inputs has evidence, the sum of those that do.
Segments sum(const std::vector<Segments>& parts);

/// Calls `f(Window, value)` for each part of `segments` inside `window`.
template <class F>
void inside(const Segments& segments, Window window, F&& f);

/// The first segment that ends after `t`.
Segments::const_iterator first_after(const Segments& segments, Instant t);

template <class Growths>
Segments rates(const Growths& growth) {
  Segments out;
  for (const Growth& g : growth) {
    if (g.span.empty()) continue;
    const double rate = g.amount / g.span.length().as_seconds();
    if (!out.empty() && out.back().span.end == g.span.start && out.back().value == rate)
      out.back().span.end = g.span.end;
    else
      out.push_back({g.span, rate});
  }
  return out;
}

template <class F>
void inside(const Segments& segments, Window window, F&& f) {
  for (auto it = first_after(segments, window.start); it != segments.end() && it->span.start < window.end;
       ++it)
    if (const Window both = overlap(it->span, window); !both.empty()) f(both, it->value);
}

}  // namespace etiage::evidence
