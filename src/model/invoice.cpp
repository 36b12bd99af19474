#include "model/invoice.h"

namespace etiage {

Money rounded(PicoAmount amount) {
  constexpr PicoAmount kMicro = 1'000'000;
  const bool negative = amount < 0;
  const PicoAmount size = negative ? -amount : amount;
  PicoAmount whole = size / kMicro;
  const PicoAmount twice = 2 * (size % kMicro);
  if (twice > kMicro || (twice == kMicro && whole % 2 == 1)) ++whole;
  return {static_cast<std::int64_t>(negative ? -whole : whole)};
}

std::string_view to_string(ChargeKind kind) {
  constexpr std::array<std::string_view, kChargeKindCount> kNames{
      "usage", "unused commitment", "purchase", "discount", "credit", "adjustment", "tax"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace etiage
