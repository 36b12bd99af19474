#include "catalog/tables.h"

namespace etiage::catalog {

std::string_view models_table() {
  static constexpr std::string_view kText =
#include "tables/models.inc"
      ;
  return kText;
}

std::string_view serving_coefficients_table() {
  static constexpr std::string_view kText =
#include "tables/serving_coefficients.inc"
      ;
  return kText;
}

}  // namespace etiage::catalog
