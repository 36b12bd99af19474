// PromQL: any text is read or refused.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "explain/promql/expression.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace etiage::explain::promql;
  const auto expr = parse({reinterpret_cast<const char*>(data), size});
  if (expr) metrics(*expr);
  return 0;
}
