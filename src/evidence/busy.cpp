#include "evidence/busy.h"

#include <algorithm>

namespace etiage::evidence {
namespace {

/// `better` with its gaps filled from `worse`.
std::vector<Busy> filled(const std::vector<Busy>& better, const Segments& worse, BusySignal signal) {
  if (better.empty()) {
    std::vector<Busy> out(worse.size());
    std::ranges::transform(worse, out.begin(),
                           [&](const Segment& s) { return Busy{s.span, s.value, signal}; });
    return out;
  }
  std::vector<Busy> out;
  auto next = better.begin();
  for (const Segment& s : worse) {
    Instant at = s.span.start;
    while (next != better.end() && next->span.end <= at) out.push_back(*next++);
    while (at < s.span.end) {
      if (next == better.end() || s.span.end <= next->span.start) {
        out.push_back({{at, s.span.end}, s.value, signal});
        break;
      }
      if (at < next->span.start) out.push_back({{at, next->span.start}, s.value, signal});
      at = next->span.end;
      if (at <= s.span.end) out.push_back(*next++);
    }
  }
  out.insert(out.end(), next, better.end());
  return out;
}

/// Whether `busy` says something for every moment of `time`.
bool covers(const std::vector<Busy>& busy, Window time) {
  auto it = std::ranges::upper_bound(busy, time.start, {}, [](const Busy& b) { return b.span.end; });
  Instant at = time.start;
  for (; it != busy.end() && it->span.start <= at && at < time.end; ++it) at = it->span.end;
  return at >= time.end;
}

}  // namespace

Segments running_share(const EnginePod& engine) {
  Segments out = sum(engine.running);
  for (Segment& s : out) s.value = s.value > 0 ? 1 : 0;
  return out;
}

std::vector<Busy> busy_of(const DeviceRows& rows, const EnginePod& engine, Window time) {
  std::vector<Busy> out;
  for (const auto signal : {BusySignal::kSmActive, BusySignal::kGrEngineActive, BusySignal::kEngineRunning,
                            BusySignal::kGpuUtil}) {
    if (!out.empty() && covers(out, time)) break;
    if (signal == BusySignal::kEngineRunning) {
      if (const Segments running = running_share(engine); !running.empty())
        out = filled(out, running, signal);
    } else if (const auto it = rows.gauges.find(signal); it != rows.gauges.end()) {
      out = filled(out, busy_segments(it->second), signal);
    }
  }
  return out;
}

}  // namespace etiage::evidence
