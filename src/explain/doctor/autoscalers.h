#pragma once
// Whether autoscalers of model servers follow what says how many replicas are needed.

#include <span>
#include <vector>

#include "explain/waste/bill.h"

namespace etiage::explain {

std::vector<Check> autoscaler_checks(const Evidence& evidence,
                                     std::span<const ClusterAutoscaler> autoscalers);

}  // namespace etiage::explain
