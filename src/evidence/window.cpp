// Which time the report is about (RULES.md 1 and 6).

#include <algorithm>
#include <chrono>

#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

/// First stamp, end of the data, and how many different stamps (at most 2 counted).
struct Extent {
  Instant first = Instant::max(), end = Instant::min();
  std::size_t stamps = 0;
};

Extent device_extent(const DeviceCatalogue& catalogue) {
  Extent out;
  out.stamps = catalogue.stamps;
  for (const auto& d : catalogue.devices) {
    out.first = std::min(out.first, d.first);
    out.end = std::max(out.end, d.last + d.interval);
  }
  return out;
}

/// Where there are no device rows, whatever was scraped tells the time.
Extent any_extent(const SeriesStore& store) {
  Extent out;
  for (const Series& s : store.all()) {
    const auto samples = s.samples();
    if (samples.empty()) continue;
    const Instant first = Instant::unix_millis(samples.front().ms),
                  last = Instant::unix_millis(samples.back().ms);
    if (first != last || (out.stamps > 0 && first != out.first)) out.stamps = 2;
    out.stamps = std::max<std::size_t>(out.stamps, 1);
    out.first = std::min(out.first, first);
    out.end = std::max(out.end, last + modal_interval(samples));
  }
  return out;
}

/// The last whole calendar month that ends at or before `end`.
Window last_month(Instant end) {
  using namespace std::chrono;
  const sys_time<nanoseconds> point{nanoseconds{end.ns}};
  const year_month_day day{floor<days>(point)};
  const sys_days this_month{day.year() / day.month() / 1};
  const year_month before = year_month{day.year(), day.month()} - months{1};
  const auto at = [](sys_days d) { return Instant::unix_seconds(d.time_since_epoch().count() * 86400); };
  return {at(sys_days{before / 1}), at(this_month)};
}

/// Whether there are samples for all of the window.
void check_coverage(Draft& draft, Window data) {
  const Window window = draft.out.window, both = overlap(window, data);
  const std::string reach = "the data reach from " + to_string(data.start) + " to " + to_string(data.end);
  if (both.empty())
    draft.check(
        {"window-without-data",
         Severity::kError,
         "the window " + to_string(window.start) + "/" + to_string(window.end) + " has no samples; " + reach,
         "everything held is unmeasured",
         "choose a window inside the data",
         {}});
  else if (both.length().as_seconds() < 0.95 * window.length().as_seconds())
    draft.check(
        {"window-beyond-data",
         Severity::kWarning,
         "samples cover " + to_string(both.length()) + " of the window's " + to_string(window.length()) +
             "; " + reach,
         "what is held in the rest is unmeasured; pods and nodes that only metrics show are missing there",
         "choose a window inside the data, or give the rest of the samples",
         {}});
}

}  // namespace

void find_window(Draft& draft) {
  Extent data = device_extent(draft.catalogue);
  if (draft.catalogue.devices.empty()) data = any_extent(draft.sources.series);
  const WindowRequest& wanted = draft.request.window;
  if (wanted.absolute) {
    draft.out.window = *wanted.absolute;
  } else if (data.stamps == 0) {
    draft.out.window = {};
    return;
  } else if (data.stamps == 1) {
    draft.out.window = {data.first, data.first};  // a single scrape: state, no window
  } else if (wanted.last_month) {
    draft.out.window = last_month(data.end);
  } else if (wanted.last) {
    draft.out.window = {data.end - *wanted.last, data.end};
  } else {
    draft.out.window = {data.first, data.end};
  }
  if (data.stamps > 0 && !draft.out.window.empty())
    check_coverage(draft, {data.first, std::max(data.end, data.first + Duration{1})});
}

}  // namespace etiage::evidence
