#pragma once
// The rows of exporters grouped by device: who was named on it when, and what its gauges read.

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "evidence/series_store.h"
#include "evidence/timeline.h"

namespace etiage::evidence {

/// Namespace and name, as labels name a pod; not yet one life of it.
using PodName = std::pair<std::string, std::string>;

/// A pod named by rows of a device without a row in between that does not name it.
struct Presence {
  PodName pod;
  Instant first, last;  ///< stamps of its rows
  Instant until;        ///< held on to the next row that does not name it, at most the hold limit
};

struct DeviceRows {
  std::string cluster, uuid, instance, profile, card_model;
  std::string exporter_dialect;     ///< `DCGM`, ...
  std::string host;                 ///< what the exporter calls its node
  PodName exporter;                 ///< the exporter's own pod, where labels tell it
  std::string node_label;           ///< a label that names the node outright, or empty
  Instant first, last;              ///< stamps
  std::vector<Stretch> stretches;   ///< the same, where they lie far apart
  Duration interval;                ///< modal
  std::vector<Presence> presences;  ///< by pod, then time
  std::map<BusySignal, std::vector<const Series*>> gauges;  ///< of the store that the rows came from
  double memory_peak_mib = 0;
  DeviceMemory memory;
};

/// Values above 1 and what became of them (RULES.md 11).
struct OddValues {
  std::size_t clamped = 0, dropped = 0;
};

struct DeviceCatalogue {
  std::vector<DeviceRows> devices;  ///< by cluster, UUID, instance; one that rows place on two nodes at the
                                    ///< same time is two devices, beside each other
  std::vector<std::string> twins;   ///< UUIDs of such devices
  OddValues odd;
  std::size_t stamps = 0;  ///< different stamps of all rows, at most 2 counted
  bool exported_labels = false;
};

/// `threads` share the work; the result is the same for any number. Points into `store`.
DeviceCatalogue device_catalogue(const SeriesStore& store, unsigned threads);

/// How busy a device was as its gauges of one signal say. Made anew at each call: to keep it for all devices
/// would take more memory than the samples do.
Segments busy_segments(std::span<const Series* const> gauges);

/// The pod that labels name: `exported_pod` where present (the plain labels then name the exporter), old
/// names too.
PodName pod_of(const Series& series);

}  // namespace etiage::evidence
