#include "catalog/tables.h"

namespace etiage::catalog {

std::string_view cards_table() {
  static constexpr std::string_view kText =
#include "tables/cards.inc"
      ;
  return kText;
}

std::string_view mig_slices_table() {
  static constexpr std::string_view kText =
#include "tables/mig_slices.inc"
      ;
  return kText;
}

std::string_view models_table() {
  static constexpr std::string_view kText =
#include "tables/models.inc"
      ;
  return kText;
}

std::string_view prices_table() {
  static constexpr std::string_view kText =
#include "tables/prices.inc"
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
