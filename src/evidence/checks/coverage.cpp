// The window, and how much of it was seen.

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

#include "base/counted.h"
#include "evidence/accelerators.h"
#include "evidence/checks/checks.h"

namespace etiage::evidence {
namespace {

/// Card-seconds with evidence and without, of what was held in an hour of the window.
struct Hour {
  Window span;
  double measured = 0, held = 0;
};
using Hours = std::vector<Hour>;

Hours hours_of(Window window) {
  Hours out;
  const auto ends = interval_ends(window, {});
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) out.push_back({.span = {ends[i], ends[i + 1]}});
  return out;
}

/// The hour that holds a moment of the window; what comes after it is of the last.
std::size_t hour_at(const Hours& hours, Instant t) {
  const auto after = std::ranges::upper_bound(hours, t, {}, [](const Hour& h) { return h.span.start; });
  return static_cast<std::size_t>(after - hours.begin()) - 1;
}

Hours by_hour(const Draft& draft) {
  Hours out = hours_of(draft.out.window);
  for (const Holding& h : draft.out.holdings) {
    const Window held = overlap(h.time, draft.out.window);
    if (held.empty()) continue;
    for (std::size_t i = hour_at(out, held.start); i < out.size() && out[i].span.start < held.end; ++i)
      out[i].held += h.share * overlap(out[i].span, held).length().as_seconds();
  }
  std::size_t at = 0;  // the works of a holding come in order of time, so each is of this hour or the next
  for (const Work& w : draft.out.work) {
    if (w.span.start < out.front().span.start) continue;
    if (at + 1 < out.size() && out[at + 1].span.start == w.span.start) ++at;
    if (!out[at].span.contains(w.span.start)) at = hour_at(out, w.span.start);
    out[at].measured += draft.out.holdings[w.holding.index()].share * w.measured_seconds;
  }
  return out;
}

/// Stretches of hours in which something was held and nothing of it seen.
std::vector<Window> blind_hours(const Hours& hours) {
  std::vector<Window> out;
  for (const Hour& hour : hours) {
    if (hour.held <= 0 || hour.measured > 0) continue;
    if (!out.empty() && out.back().end == hour.span.start) {
      out.back().end = hour.span.end;
    } else {
      out.push_back(hour.span);
    }
  }
  return out;
}

std::string text_of(Window w) {
  return to_string(w.start) + "/" + to_string(w.end);
}

/// A few samples far from all others stretch the window over a time without any.
bool outliers(const Hours& hours, Window blind, Window window) {
  if (blind.length().as_seconds() < 0.5 * window.length().as_seconds()) return false;
  double before = 0, after = 0;
  for (const Hour& hour : hours) (hour.span.start < blind.start ? before : after) += hour.measured;
  return std::min(before, after) < 0.02 * std::max(before, after);
}

}  // namespace

std::string name_of(const PodLife& pod) {
  return pod.ns + "/" + pod.name;
}

std::vector<std::string> unique(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<bool> measured_holdings(const Draft& draft) {
  std::vector<bool> out(draft.out.holdings.size());
  for (const Work& w : draft.out.work) out[w.holding.index()] = true;
  return out;
}

void check_window(Draft& draft) {
  if (!draft.out.window.empty()) return;
  const bool nothing = draft.sources.series.all().empty();
  draft.check({"no-window",
               Severity::kWarning,
               nothing ? "no samples: no window" : "one sample: no window",
               "state and hourly rates are shown, the bill is 0",
               "give a dump or range query that spans time",
               {}});
}

void check_stamps(Draft& draft) {
  const auto& impossible = draft.sources.series.impossible();
  if (impossible.samples == 0) return;
  draft.check(
      {"impossible-stamps",
       Severity::kWarning,
       std::to_string(impossible.samples) + " samples bear times that no clock says (the year 2255 or later)",
       "they are left out",
       "look for milliseconds or microseconds where seconds are due: OpenMetrics and dumps of promtool "
       "write seconds",
       {impossible.metric}});
}

void check_gaps(Draft& draft) {
  if (draft.out.window.empty() || draft.out.work.empty()) return;
  const auto hours = by_hour(draft);
  std::vector<std::string> gaps, far;
  for (const Window& w : blind_hours(hours))
    (outliers(hours, w, draft.out.window) ? far : gaps).push_back(text_of(w));
  if (!far.empty())
    draft.check({"outlier-stamps", Severity::kWarning,
                 "a few samples lie far from all others and stretch the window",
                 "nodes are billed for a time of which nothing is known",
                 "give --window with the time you mean; look for a wrong clock where they come from",
                 std::move(far)});
  if (!gaps.empty())
    draft.check(
        {"evidence-gaps", Severity::kWarning, "hours in which no device was seen while pods held them",
         "what was held then is `unmeasured`",
         "look whether Prometheus or the exporter's scrape was down (up{job=\"nvidia-dcgm-exporter\"})",
         std::move(gaps)});
}

void check_silence(Draft& draft) {
  const Instant end = draft.out.window.end;
  std::vector<std::string> silent;
  Instant last = Instant::min();
  for (const DeviceRows& d : draft.catalogue.devices) last = std::max(last, d.last);
  for (std::size_t i = 0; i < draft.catalogue.devices.size(); ++i) {
    const DeviceRows& d = draft.catalogue.devices[i];
    const DeviceId id = draft.device_ids[i];
    if (!id.valid() || d.last >= end) continue;
    const NodeLife& node = draft.out.nodes[draft.out.devices[id.index()].node.index()];
    const Duration quiet = std::min(node.life.end, last) - d.last;
    if (quiet > std::max(Duration::hours(1), d.interval * 10)) silent.push_back(node.name);
  }
  if (!silent.empty())
    draft.check(
        {"device-silent", Severity::kWarning,
         "devices stopped reporting before the window ends, while their node stayed",
         "what is held there since is `unmeasured`",
         "kubectl -n gpu-operator get pods -o wide  # is the exporter of these nodes running? a card that "
         "fell off the bus (XID 79) reports nothing either",
         unique(std::move(silent))});
}

void check_scrape_interval(Draft& draft) {
  Duration longest;
  std::size_t slow = 0;
  for (const DeviceRows& d : draft.catalogue.devices)
    if (d.interval >= Duration::seconds(120)) slow += 1, longest = std::max(longest, d.interval);
  if (slow == 0) return;
  const bool stale = longest > Duration::seconds(300);
  draft.check(
      {"scrape-interval",
       stale ? Severity::kWarning : Severity::kInfo,
       counted(slow, "device is", "devices are") + " sampled only every " + to_string(longest),
       stale ? "PromQL shows holes (a sample is stale after 5 minutes); peaks between samples are not "
               "seen, and pods that come and go between two have no row"
             : "peaks between samples are not seen",
       "ServiceMonitor of the exporter: endpoints: [{interval: 15s}]; data from remote storage may be "
       "downsampled: ask for the raw resolution",
       {}});
}

namespace {

std::string wanted_exporter(const std::string& card) {
  if (card.contains("AMD") || card.contains("Instinct")) return "AMD's device metrics exporter";
  if (!is_of_other_vendor(card)) return "DCGM exporter";
  std::string exporter = exporter_for(card);
  if (!exporter.empty()) return exporter;
  return fmt::format("no exporter of {} that we read ({})", card, unread_exporter(card));
}

}  // namespace

void check_unmeasured(Draft& draft) {
  const std::vector<bool> measured = measured_holdings(draft);
  std::vector<std::string> subjects;
  std::set<std::string> exporters;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const Holding& h = draft.out.holdings[i];
    if (measured[i] || draft.out.window.empty() || h.time.length() <= Duration::seconds(0)) continue;
    subjects.push_back(name_of(draft.pod(h.pod)));
    exporters.insert(wanted_exporter(draft.out.nodes[h.node.index()].card));
  }
  subjects = unique(std::move(subjects));
  if (!subjects.empty())
    draft.check({"held-unmeasured", Severity::kWarning,
                 counted(subjects.size(), "pod holds", "pods hold") + " devices without evidence of work",
                 "their money is `unmeasured`, neither busy nor idle",
                 fmt::format("scrape on their nodes, with pod labels: {}", fmt::join(exporters, "; ")),
                 std::move(subjects)});
}

}  // namespace etiage::evidence
