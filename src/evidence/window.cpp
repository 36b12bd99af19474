// Which time the report is about (RULES.md 1 and 6).

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

/// Some of the data: its stamps, and where what they say ends.
struct Reach {
  Instant first, last, end;
  std::size_t samples = 0;
};

/// What is known of the time of the data, and how many different stamps there are (at most 2 counted).
struct Extent {
  std::vector<Reach> reaches;
  std::size_t stamps = 0;
};

void add_reaches(Extent& to, const std::vector<Stretch>& stretches, Duration interval) {
  for (const Stretch& s : stretches) to.reaches.push_back({s.first, s.last, s.last + interval, s.samples});
}

Extent device_extent(const DeviceCatalogue& catalogue) {
  Extent out;
  out.stamps = catalogue.stamps;
  for (const auto& d : catalogue.devices) add_reaches(out, d.stretches, d.interval);
  return out;
}

/// Where there are no device rows, whatever was scraped tells the time.
Extent any_extent(const SeriesStore& store) {
  Extent out;
  Instant known;
  for (const Series& s : store.all()) {
    std::vector<std::int64_t> stamps;
    for (const auto& sample : s.samples()) stamps.push_back(sample.ms);
    if (stamps.empty()) continue;
    const Instant first = Instant::unix_millis(stamps.front());
    if (stamps.size() > 1 || (out.stamps > 0 && first != known)) out.stamps = 2;
    out.stamps = std::max<std::size_t>(out.stamps, 1);
    known = first;
    add_reaches(out, stretches(stamps), modal_interval(stamps));
  }
  return out;
}

/// Those that lie near each other become one.
std::vector<Reach> joined(std::vector<Reach> reaches) {
  std::ranges::sort(reaches, {}, &Reach::first);
  std::vector<Reach> out;
  for (const Reach& r : reaches)
    if (out.empty() || r.first - out.back().last > kFarOff) {
      out.push_back(r);
    } else {
      out.back().last = std::max(out.back().last, r.last);
      out.back().end = std::max(out.back().end, r.end);
      out.back().samples += r.samples;
    }
  return out;
}

/// A few samples more than a year from all others (a clock that began in 1970, seconds taken for
/// milliseconds) are not what the report is about: nodes would be billed for decades of which nothing is
/// known.
void leave_out_strays(Draft& draft, std::vector<Reach>& reaches) {
  if (reaches.size() < 2) return;
  const Reach most = *std::ranges::max_element(reaches, {}, &Reach::samples);
  std::size_t strays = 0;
  std::vector<std::string> where;
  for (const Reach& r : reaches)
    if (r.first != most.first)
      strays += r.samples, where.push_back(to_string(r.first) + "/" + to_string(r.end));
  if (static_cast<double>(strays) >= 0.02 * static_cast<double>(most.samples)) return;
  reaches = {most};
  draft.check(
      {"outlier-stamps", Severity::kWarning,
       std::to_string(strays) + " samples lie more than a year from all others",
       "they are left out: the window is that of the others",
       "look for a wrong clock, or seconds taken for milliseconds, where they come from; give --window "
       "where you mean their time",
       std::move(where)});
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
  Extent data =
      draft.catalogue.devices.empty() ? any_extent(draft.sources.series) : device_extent(draft.catalogue);
  const WindowRequest& wanted = draft.request.window;
  data.reaches = joined(std::move(data.reaches));
  if (!wanted.absolute) leave_out_strays(draft, data.reaches);
  Window reach;
  if (!data.reaches.empty()) reach.start = data.reaches.front().first;
  for (const Reach& r : data.reaches) reach.end = std::max(reach.end, r.end);
  if (wanted.absolute) {
    draft.out.window = *wanted.absolute;
  } else if (data.stamps == 0) {
    draft.out.window = {};
    return;
  } else if (data.stamps == 1) {
    draft.out.window = {reach.start, reach.start};  // a single scrape: state, no window
  } else if (wanted.last_month) {
    draft.out.window = last_month(reach.end);
  } else if (wanted.last) {
    draft.out.window = {reach.end - *wanted.last, reach.end};
  } else {
    draft.out.window = reach;
  }
  if (data.stamps > 0 && !draft.out.window.empty())
    check_coverage(draft, {reach.start, std::max(reach.end, reach.start + Duration{1})});
}

}  // namespace etiage::evidence
