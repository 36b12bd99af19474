#pragma once
// Catalog: the facts that are built in (tables of data/, each row with its source and date) and what a user
// puts over them. This header: the text of the built-in tables.

#include <string_view>

namespace etiage::catalog {

std::string_view cards_table();                 ///< data/cards.csv
std::string_view mig_slices_table();            ///< data/mig_slices.csv
std::string_view models_table();                ///< data/models.csv
std::string_view prices_table();                ///< data/prices.csv
std::string_view serving_coefficients_table();  ///< data/serving_coefficients.csv

}  // namespace etiage::catalog
