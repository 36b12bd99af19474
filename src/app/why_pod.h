#pragma once
// `etiage why pod`: why a pod waits for a node.

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "explain/pod_reason.h"
#include "render/table.h"

namespace etiage::app {

struct WhyPodQuestion {
  std::string pod;  ///< NAME or NAMESPACE/NAME
  std::vector<std::string> paths;
  std::string configuration;                      ///< file of a KubeSchedulerConfiguration; may be empty
  std::string kubernetes_version, feature_gates;  ///< may be empty
};

Result<explain::PodReason> why_pod(const WhyPodQuestion& question, Diagnostics& diagnostics);

std::string to_json(const explain::PodReason& reason);
std::vector<render::Table> tables(const explain::PodReason& reason);

}  // namespace etiage::app
