// Any expression is refused with words, or evaluated to an end on a device, in every release.

#include <cstdlib>
#include <string_view>

#include "engines/cel/selector.h"

namespace {

etiage::Device device() {
  using namespace etiage;
  Device d;
  d.attributes = {{"name", std::string("H100")},
                  {"n", std::int64_t{3}},
                  {"b", true},
                  {"v", SemanticVersion{"1.2.3"}},
                  {"x.y/z", std::string("z")}};
  d.capacity["m"].value = {"80Gi", *Quantity::parse("80Gi")};
  return d;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace etiage;
  if (size < 1 || size > 4096) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  cel::Environment environment = cel::default_environment({34 + data[0] % 4}, data[0] % 8 < 4);
  static const Device kDevice = device();
  const auto selector = cel::compile_selector(text, environment);
  if (!selector.ok()) {
    if (selector.compile_error->empty()) std::abort();
    return 0;
  }
  const auto prepared = cel::prepare_device("d", kDevice, environment);
  const auto verdict = cel::evaluate(selector, prepared);
  if (cel::matches(selector, prepared) != verdict.outcome) std::abort();
  cel::evaluate_clauses(selector, prepared);
  return 0;
}
