#include "explain/lint/expression_scan.h"

#include <gtest/gtest.h>

namespace etiage::explain {
namespace {

TEST(ExpressionScan, FindsFieldsAndGuards) {
  const ExpressionScan scan = scan_expression(
      R"(has(device.attributes["a.b"].x) && device.attributes['a.b'].x > 1 && device.capacity["a.b"][?"m"].hasValue())");
  ASSERT_EQ(scan.fields.size(), 3u);
  EXPECT_TRUE(scan.guards({false, "a.b", "x", false}));
  EXPECT_TRUE(scan.fields[2].is_capacity);
  EXPECT_TRUE(scan.fields[2].guarded);
}

}  // namespace
}  // namespace etiage::explain
