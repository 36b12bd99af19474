#include "catalog/tables.h"

namespace etiage::catalog {

std::string_view cards_table() {
  static const char kText[] =  // an array: a long literal is beyond what constexpr counts
#include "tables/cards.inc"
      ;
  return {kText, sizeof kText - 1};
}

std::string_view mig_slices_table() {
  static const char kText[] =
#include "tables/mig_slices.inc"
      ;
  return {kText, sizeof kText - 1};
}

std::string_view models_table() {
  static const char kText[] =
#include "tables/models.inc"
      ;
  return {kText, sizeof kText - 1};
}

std::string_view prices_table() {
  static constexpr std::string_view kText =
#include "tables/prices.inc"
      ;
  return kText;
}

std::string_view serving_coefficients_table() {
  static const char kText[] =
#include "tables/serving_coefficients.inc"
      ;
  return {kText, sizeof kText - 1};
}

}  // namespace etiage::catalog
