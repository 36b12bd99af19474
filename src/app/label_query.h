#pragma once
// kubectl's label selectors: `app=chat,tier!=batch,env in (prod,stage),gpu,!canary`.

#include <string_view>

#include "base/result.h"
#include "model/meta.h"

namespace etiage::app {

Result<LabelSelector> parse_label_query(std::string_view text);

}  // namespace etiage::app
