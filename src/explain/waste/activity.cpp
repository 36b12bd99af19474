#include "explain/waste/activity.h"

#include <algorithm>
#include <map>

namespace etiage::explain {
namespace {

// A health check moves the gauges a little; below this share of an hour nothing was computed.
constexpr double kQuiet = 0.001;

/// Hours of a pod, all its holdings and signals together.
struct Hour {
  Instant end;
  double measured = 0, busy = 0, tokens = 0;
};
using Hours = std::map<Instant, Hour>;

/// Goes back from the last hour with evidence to the first that was busy, served, or had none.
void find_quiet(const Hours& hours, Activity& a) {
  auto it = hours.rbegin();
  while (it != hours.rend() && it->second.measured <= 0) ++it;
  if (it == hours.rend()) return;
  a.quiet_since = it->second.end;
  for (; it != hours.rend(); ++it) {
    const Hour& h = it->second;
    if (h.tokens > 0 || h.measured <= 0 || h.busy > kQuiet * h.measured || h.end < a.quiet_since) break;
    a.quiet_since = it->first;
    a.quiet_seconds += h.measured;
  }
}

bool blind(const Evidence& evidence, const Work& w) {
  const DeviceId device = evidence.holdings[w.holding.index()].device;
  return w.signal == BusySignal::kGpuUtil && device.valid() &&
         !evidence.devices[device.index()].instance.empty();
}

}  // namespace

std::vector<Activity> activities(const Evidence& evidence) {
  std::vector<Activity> out(evidence.pods.size());
  std::vector<Hours> hours(evidence.pods.size());
  for (const Holding& h : evidence.holdings) {
    Activity& a = out[h.pod.index()];
    a.held_seconds += h.share * overlap(h.time, evidence.window).length().as_seconds();
    if (!a.device.valid()) a.device = h.device;
  }
  for (const Work& w : evidence.work) {
    const Holding& h = evidence.holdings[w.holding.index()];
    Activity& a = out[h.pod.index()];
    if (blind(evidence, w)) {
      a.blind = true;
      continue;
    }
    a.measured_seconds += h.share * w.measured_seconds;
    a.busy_seconds += h.share * w.busy_seconds;
    a.signal = std::max(a.signal, w.signal);
    a.grade = std::max(a.grade, w.grade);
    Hour& hour = hours[h.pod.index()][w.span.start];
    hour.end = std::max(hour.end, w.span.end);
    hour.measured += h.share * w.measured_seconds;
    hour.busy += h.share * w.busy_seconds;
  }
  for (const Served& s : evidence.served) {
    const double tokens = s.input.count + s.cached_input.count + s.output.count + s.images;
    out[s.pod.index()].tokens += tokens;
    auto& of = hours[s.pod.index()];
    const auto it = of.upper_bound(s.span.start);
    if (it != of.begin()) std::prev(it)->second.tokens += tokens;
  }
  for (const SaturatedRate& s : evidence.saturated) out[s.pod.index()].waiting_seconds += 300;
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const auto& [start, hour] : hours[i])
      if (hour.measured > 0) out[i].peak = std::max(out[i].peak, hour.busy / hour.measured);
    find_quiet(hours[i], out[i]);
  }
  return out;
}

}  // namespace etiage::explain
