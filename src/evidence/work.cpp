// How busy each holding was: the best signal of each moment (RULES.md 10 to 12).

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "evidence/busy.h"
#include "evidence/draft.h"
#include "evidence/shared_work.h"

namespace etiage::evidence {
namespace {

constexpr std::size_t kBusySignals = static_cast<std::size_t>(BusySignal::kGpuUtil) + 1;

/// The parts of `life` in which the pod was not starting.
std::vector<Window> ready_spans(const PodLife& pod, Window time) {
  std::vector<Window> out;
  Instant at = time.start;
  for (Window w : pod.starting) {
    w = overlap(w, time);
    if (w.empty()) continue;
    if (at < w.start) out.push_back({at, w.start});
    at = std::max(at, w.end);
  }
  if (at < time.end) out.push_back({at, time.end});
  return out;
}

/// The work of one holding in one interval, by signal.
class IntervalWork {
 public:
  explicit IntervalWork(const Work& base) : base_(base) {}

  void add(Window interval, Window part, const Busy& b) {
    auto& slot = by_signal_[static_cast<std::size_t>(b.signal)];
    if (!slot) slot = base_, slot->span = interval, slot->signal = b.signal;
    slot->measured_seconds += part.length().as_seconds();
    slot->busy_seconds += part.length().as_seconds() * b.u;
  }
  void move_into(std::vector<Work>& out) {
    for (auto& slot : by_signal_) {
      if (slot) out.push_back(*slot);
      slot.reset();
    }
  }

 private:
  Work base_;
  std::array<std::optional<Work>, kBusySignals> by_signal_;
};

/// Adds `busy` of one holding, interval by interval and signal by signal.
void integrate(const std::vector<Busy>& busy, const std::vector<Window>& ready,
               const std::vector<Instant>& ends, const Work& base, std::vector<Work>& out) {
  std::size_t interval = 0;
  auto first = busy.begin();
  IntervalWork sums(base);
  const auto add = [&](Window span, const Busy& b) {
    while (interval + 1 < ends.size() && ends[interval + 1] <= span.start) sums.move_into(out), ++interval;
    for (; interval + 1 < ends.size(); ++interval) {
      const Window whole{ends[interval], ends[interval + 1]};
      if (const Window part = overlap(span, whole); !part.empty()) sums.add(whole, part, b);
      if (span.end < whole.end) break;
      sums.move_into(out);
    }
  };
  for (const Window& r : ready) {
    first = std::lower_bound(first, busy.end(), r.start,
                             [](const Busy& b, Instant t) { return b.span.end <= t; });
    for (auto it = first; it != busy.end() && it->span.start < r.end; ++it)
      if (const Window both = overlap(it->span, r); !both.empty()) add(both, *it);
  }
  sums.move_into(out);
}

/// Which holdings share a device, by device.
std::map<DeviceId, std::vector<HoldingId>> by_device(const Draft& draft) {
  std::map<DeviceId, std::vector<HoldingId>> out;
  for (std::uint32_t i = 0; i < draft.out.holdings.size(); ++i)
    if (draft.out.holdings[i].device.valid()) out[draft.out.holdings[i].device].push_back({i});
  return out;
}

bool overlapping(const Draft& draft, const std::vector<HoldingId>& holders) {
  for (HoldingId a : holders)
    for (HoldingId b : holders)
      if (a < b && !overlap(draft.out.holdings[a.index()].time, draft.out.holdings[b.index()].time).empty())
        return true;
  return false;
}

/// The parts of the window in which none of the holders held the device.
std::vector<Window> free_spans(const Draft& draft, const std::vector<HoldingId>& holders) {
  std::vector<Window> held, out;
  for (HoldingId h : holders) held.push_back(draft.out.holdings[h.index()].time);
  std::ranges::sort(held, {}, &Window::start);
  Instant at = draft.out.window.start;
  for (const Window& w : held) {
    if (at < w.start) out.push_back({at, w.start});
    at = std::max(at, w.end);
  }
  if (at < draft.out.window.end) out.push_back({at, draft.out.window.end});
  return out;
}

/// What the device did while nobody held it.
void add_free_work(DeviceLife& device, const DeviceRows& rows, const std::vector<Window>& free) {
  if (free.empty()) return;
  for (const Busy& b : busy_of(rows, EnginePod{}, {free.front().start, free.back().end}))
    for (const Window& w : free)
      if (const double seconds = overlap(b.span, w).length().as_seconds(); seconds > 0) {
        device.free_seconds += seconds;
        device.free_busy_seconds += seconds * b.u;
      }
}

/// By holding, time and signal. The works of one holding come together and in order of time and signal.
std::vector<Work> in_order_of_holdings(const std::vector<std::vector<Work>>& works, unsigned threads) {
  std::vector<std::span<const Work>> of_holding;
  for (const std::span<const Work> some : works)
    for (auto from = some.begin(); from != some.end();) {
      const auto to =
          std::find_if(from, some.end(), [&](const Work& w) { return w.holding != from->holding; });
      of_holding.emplace_back(from, to);
      from = to;
    }
  std::ranges::sort(of_holding, {}, [](std::span<const Work> w) { return w.front().holding; });
  std::vector<std::size_t> begins;
  std::size_t size = 0;
  for (const auto& some : of_holding) begins.push_back(std::exchange(size, size + some.size()));
  std::vector<Work> out(size);
  for_each_index(of_holding.size(), threads, [&](std::size_t i) {
    std::ranges::copy(of_holding[i], out.begin() + static_cast<std::ptrdiff_t>(begins[i]));
  });
  return out;
}

std::vector<Work> work_of(const Draft& draft, const DeviceRows& rows, const std::vector<HoldingId>& holders) {
  const bool shared = overlapping(draft, holders);
  std::vector<Instant> cuts = draft.request.cuts;
  if (shared)  // intervals with a constant set of holders
    for (HoldingId h : holders) {
      const Holding& holding = draft.out.holdings[h.index()];
      cuts.insert(cuts.end(), {holding.time.start, holding.time.end});
      for (const Window& w : draft.pod(holding.pod).starting) cuts.insert(cuts.end(), {w.start, w.end});
    }
  std::vector<Work> works;
  for (HoldingId h : holders) {
    const Holding& holding = draft.out.holdings[h.index()];
    if (holding.time.empty()) continue;
    const auto busy = busy_of(rows, draft.engines[holding.pod.index()], holding.time);
    const std::size_t from = works.size();
    integrate(busy, ready_spans(draft.pod(holding.pod), holding.time), interval_ends(holding.time, cuts),
              {.holding = h}, works);
    for (std::size_t i = from; i < works.size(); ++i) works[i].grade = grade_of(works[i].signal);
  }
  if (shared) share_out(draft, works);
  return works;
}

}  // namespace

namespace {

/// What a device is doing at the moment of a single scrape, by its best signal.
std::optional<DeviceBusy> busy_at(const Draft& draft, const DeviceRows& rows,
                                  const std::vector<HoldingId>& holders, Instant t) {
  EnginePod engines;
  for (HoldingId h : holders)
    for (const EngineGauge& gauge : draft.engines[draft.out.holdings[h.index()].pod.index()].running)
      engines.running.push_back(gauge);
  for (const Busy& b : busy_of(rows, engines, {t, t + Duration{1}}))
    if (b.span.contains(t)) return DeviceBusy{b.u, b.signal};
  return {};
}

}  // namespace

void add_states(Draft& draft) {
  if (!draft.out.window.empty()) return;
  auto holders = by_device(draft);
  for (std::size_t i = 0; i < draft.device_ids.size(); ++i)
    if (const DeviceId id = draft.device_ids[i]; id.valid())
      draft.out.devices[id.index()].now =
          busy_at(draft, draft.catalogue.devices[i], holders[id], draft.out.window.start);
}

void add_work(Draft& draft) {
  std::map<DeviceId, const DeviceRows*> rows;
  for (std::size_t i = 0; i < draft.device_ids.size(); ++i)
    if (draft.device_ids[i].valid()) rows.emplace(draft.device_ids[i], &draft.catalogue.devices[i]);
  struct Seen {
    DeviceId device;
    const DeviceRows* rows;
    std::vector<HoldingId> holders;
  };
  std::vector<Seen> seen;  // a device known by its claim alone has no rows
  auto held = by_device(draft);
  for (const auto& [device, of] : rows) seen.push_back({device, of, std::move(held[device])});
  std::vector<std::vector<Work>> works(seen.size());
  for_each_index(seen.size(), draft.request.threads, [&](std::size_t i) {
    const auto& [device, of, holders] = seen[i];
    if (!holders.empty()) works[i] = work_of(draft, *of, holders);
    add_free_work(draft.out.devices[device.index()], *of, free_spans(draft, holders));
  });
  draft.out.work = in_order_of_holdings(works, draft.request.threads);
}

}  // namespace etiage::evidence
