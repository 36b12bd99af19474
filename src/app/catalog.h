#pragma once
// The built-in facts as tables, each row with its source and date.

#include <string_view>

#include "base/result.h"
#include "render/table.h"

namespace etiage::app {

/// `cards`, `models`, `mig` or `prices`.
Result<render::Table> catalog_table(std::string_view which);

/// The same as a JSON array of objects.
std::string catalog_json(std::string_view which, const render::Table& table);

}  // namespace etiage::app
