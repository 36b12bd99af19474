#include "explain/waste/activity.h"

#include <algorithm>
#include <map>

#include "ledger/booking.h"

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

/// What belongs to each pod, so that the hours of one pod at a time are in memory.
struct Index {
  explicit Index(const Evidence& evidence)
      : holdings(evidence.pods.size()),
        served(evidence.pods.size()),
        works(ledger::NodeBook::work_ranges(evidence)) {
    for (std::uint32_t i = 0; i < evidence.holdings.size(); ++i)
      holdings[evidence.holdings[i].pod.index()].push_back(i);
    for (std::uint32_t i = 0; i < evidence.served.size(); ++i)
      served[evidence.served[i].pod.index()].push_back(i);
  }

  std::vector<std::vector<std::uint32_t>> holdings, served;
  ledger::NodeBook::WorkRanges works;
};

void add_work(const Holding& h, const Work& w, Activity& a, Hours& hours) {
  a.measured_seconds += h.share * w.measured_seconds;
  a.busy_seconds += h.share * w.busy_seconds;
  a.signal = std::max(a.signal, w.signal);
  a.grade = std::max(a.grade, w.grade);
  Hour& hour = hours[w.span.start];
  hour.end = std::max(hour.end, w.span.end);
  hour.measured += h.share * w.measured_seconds;
  hour.busy += h.share * w.busy_seconds;
}

Activity activity_of(const Evidence& evidence, const Index& index, PodId pod) {
  Activity a;
  Hours hours;
  for (const std::uint32_t at : index.holdings[pod.index()]) {
    const Holding& h = evidence.holdings[at];
    a.held_seconds += h.share * overlap(h.time, evidence.window).length().as_seconds();
    if (!a.device.valid()) a.device = h.device;
    for (std::size_t w = index.works[at].first; w < index.works[at].second; ++w)
      if (blind(evidence, evidence.work[w])) {
        a.blind = true;
      } else {
        add_work(h, evidence.work[w], a, hours);
      }
  }
  for (const std::uint32_t at : index.served[pod.index()]) {
    const Served& s = evidence.served[at];
    const double tokens = s.input.count + s.cached_input.count + s.output.count + s.images;
    a.tokens += tokens;
    const auto it = hours.upper_bound(s.span.start);
    if (it != hours.begin()) std::prev(it)->second.tokens += tokens;
  }
  for (const auto& [start, hour] : hours)
    if (hour.measured > 0) a.peak = std::max(a.peak, hour.busy / hour.measured);
  find_quiet(hours, a);
  return a;
}

}  // namespace

std::vector<Activity> activities(const Evidence& evidence) {
  const Index index(evidence);
  std::vector<Activity> out;
  out.reserve(evidence.pods.size());
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i) out.push_back(activity_of(evidence, index, {i}));
  for (const SaturatedRate& s : evidence.saturated) out[s.pod.index()].waiting_seconds += 300;
  return out;
}

}  // namespace etiage::explain
