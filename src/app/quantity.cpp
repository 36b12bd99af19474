#include "app/quantity.h"

#include "base/json_writer.h"
#include "base/wide_quantity.h"

namespace etiage::app {

QuantityAnswer inspect_quantity(std::string_view text) {
  const auto wide = parse_wide_quantity(text);
  if (!wide) return {.error = wide.error().message};
  Decimal thousandths = wide->amount;
  if (!thousandths.is_zero()) thousandths.exponent += 3;
  return {true, canonical(*wide), to_int64_saturated(wide->amount), to_int64_saturated(thousandths), ""};
}

std::string to_json(const QuantityAnswer& answer) {
  JsonWriter json;
  json.begin_object().member("ok", answer.ok);
  if (answer.ok) {
    json.member("canonical", answer.canonical)
        .member("value", answer.value)
        .member("milliValue", answer.milli_value);
    json.key("error").null();
  } else {
    json.key("canonical").null().key("value").null().key("milliValue").null();
    json.member("error", answer.error);
  }
  return json.end_object().take() + "\n";
}

}  // namespace etiage::app
