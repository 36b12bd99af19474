#pragma once
// A gateway's log with other names.

#include <functional>

#include "formats/bundle/labels.h"
#include "model/gateway.h"

namespace etiage::formats::bundle {

/// As CSV with LiteLLM's names of columns, in the order of the log; ids of requests become numbers. `write`
/// takes pieces.
void write_gateway_log(const GatewayLog& log, const Rename& rename,
                       const std::function<void(std::string_view)>& write);

}  // namespace etiage::formats::bundle
