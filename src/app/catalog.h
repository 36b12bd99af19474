#pragma once
// The built-in facts as tables, each row with its source and date.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "render/table.h"

namespace etiage::app {

/// `cards`, `models`, `mig` or `prices`; `catalogs`: files of rows over ours (catalog/facts.h).
Result<render::Table> catalog_table(std::string_view which, const std::vector<std::string>& catalogs);

/// The same as a JSON array of objects.
std::string catalog_json(std::string_view which, const render::Table& table);

}  // namespace etiage::app
