#pragma once
// Lines of a provider's invoice, whatever its format: what was charged for, when, and how much.

#include <array>
#include <cstdint>
#include <string_view>

#include "base/instant.h"
#include "base/money.h"

namespace etiage {

/// An amount in 1e-12 of its currency, of either sign; invoices carry up to twelve decimals.
__extension__ using PicoAmount = __int128;

/// Rounded half to even.
Money rounded(PicoAmount amount);

enum class ChargeKind : std::uint8_t {
  kUsage,
  kUnused,    ///< commitments and reservations that were paid for and not used
  kPurchase,  ///< of commitments, licences, subscriptions
  kDiscount,  ///< a line of its own, where the invoice does not take it off the usage
  kCredit,
  kAdjustment,  ///< corrections, refunds
  kTax
};
inline constexpr std::size_t kChargeKindCount = 7;
std::string_view to_string(ChargeKind kind);

/// The views live only as long as the call that hands the line out.
struct InvoiceLine {
  Window period;  ///< never empty
  ChargeKind kind = ChargeKind::kUsage;
  std::string_view currency, service;
  std::string_view instance_type;  ///< where the line names one in a field of its own
  std::string_view resource;       ///< what was used: an instance's id or name
  /// Words that may name an instance type: the usage type, the SKU, the description.
  std::array<std::string_view, 4> words;
  PicoAmount billed = 0;     ///< as invoiced
  PicoAmount effective = 0;  ///< commitments spread over what they cover
  double hours = 0;          ///< of an instance, where the line counts them
};

}  // namespace etiage
