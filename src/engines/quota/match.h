#pragma once
// Labels against selectors and taints against tolerations, as Kueue's flavor assigner and topology snapshot
// ask it.

#include <span>
#include <string>

#include "model/meta.h"
#include "model/pod.h"

namespace etiage::quota {

bool matches(const LabelSelector& selector, const LabelMap& labels);

/// The first taint of effect NoSchedule or NoExecute that none of the tolerations covers; null: all are
/// tolerated.
const Taint* untolerated_taint(std::span<const Taint> taints, std::span<const Toleration> tolerations,
                               std::span<const Toleration> more_tolerations);

/// `key=value:Effect`, as Kubernetes prints a taint.
std::string to_string(const Taint& taint);
std::string_view to_string(TaintEffect effect);

/// Required terms, any of which suffices; `name` is what `metadata.name` means.
bool matches(const NodeSelector& selector, const LabelMap& labels, std::string_view name);

/// Node selector and required affinity with only the terms whose keys `allowed` knows; a term that loses all
/// its expressions makes the whole affinity match (Kueue's flavorSelector).
bool matches_flavor(const PodSpec& pod, const LabelMap& flavor_labels, const LabelMap& allowed);

}  // namespace etiage::quota
