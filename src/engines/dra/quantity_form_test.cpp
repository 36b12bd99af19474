#include "engines/dra/quantity_form.h"

#include <gtest/gtest.h>

namespace etiage::dra {
namespace {

TEST(QuantityForm, SameAmountsInOtherFormsDiffer) {
  EXPECT_TRUE(is_same_form(form_of("10Gi"), form_of("10Gi")));
  EXPECT_FALSE(is_same_form(form_of("1Gi"), form_of("1024Mi"))) << "1Gi keeps its text, 1024Mi does not";
  EXPECT_TRUE(is_same_form(form_of("1024Mi"), form_of("1048576Ki"))) << "neither keeps its text";
  EXPECT_FALSE(is_same_form(form_of("1k"), form_of("1000"))) << "another scale";
}

TEST(QuantityForm, FractionsOfBinaryUnitsAreNeverTheSame) {
  EXPECT_TRUE(form_of("1.5Gi").is_big);
  EXPECT_FALSE(is_same_form(form_of("1.5Gi"), form_of("1.5Gi")));
}

TEST(QuantityForm, KeepsScaleAndFormat) {
  const QuantityForm f = form_of("1.25");
  EXPECT_EQ(f.value, 125);
  EXPECT_EQ(f.scale, -2);
  EXPECT_TRUE(f.text.empty());
  EXPECT_EQ(form_of("2e3").format, Quantity::Format::kDecimalExponent);
}

}  // namespace
}  // namespace etiage::dra
