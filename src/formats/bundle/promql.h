#pragma once
// Names of metrics and PromQL of autoscalers with other names.

#include <string>
#include <string_view>

#include "formats/bundle/names.h"

namespace etiage::formats::bundle {

/// Words of PromQL, of Kubernetes and of exporters stay where they stand in a name (`acme_gpu_util` becomes
/// `xqzt_gpu_util`); other words and everything in quotes are names.
std::string disguised_promql(std::string_view expression, const Rename& rename);

}  // namespace etiage::formats::bundle
