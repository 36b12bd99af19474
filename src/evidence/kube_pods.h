#pragma once
// What kube-state-metrics tells of pods, gathered by pod.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence/series_store.h"
#include "evidence/timeline.h"
#include "model/meta.h"

namespace etiage::evidence {

struct KubePod {
  std::string cluster, ns, name, uid;
  std::string node, owner_kind, owner_name, pod_ip;
  std::optional<Instant> created, started, scheduled, completed, deleted;
  std::optional<Instant> terminal;      ///< first stamp in phase Succeeded or Failed
  std::optional<Instant> first, until;  ///< first stamp of kube_pod_info; last one plus its hold limit
  std::vector<formats::Sample> ready;   ///< 1 or 0, by time
  std::vector<std::vector<formats::Sample>> restarts;  ///< a counter for each container
  double cores = 0, memory_bytes = 0;
  std::map<std::string, double> devices;  ///< resource as kube-state-metrics writes it, to amount
  LabelMap labels;

  /// Known to have existed: kube_pod_info or a creation time.
  bool complete() const { return first.has_value(); }
  Window life() const;
  /// Spans in which it was held but not ready (RULES.md 10), not yet clipped or joined; `life` as decided
  /// elsewhere.
  std::vector<Window> starting(Window life) const;
};

/// `alias` maps a `cluster` label to the name used.
std::vector<KubePod> kube_pods(const SeriesStore& store, const std::map<std::string, std::string>& alias);

}  // namespace etiage::evidence
