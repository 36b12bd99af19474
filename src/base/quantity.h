#pragma once
// Kubernetes quantities (`500m`, `1.5Gi`, `2e3`), exact, with the semantics of apimachinery's
// resource.Quantity.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace etiage {

/// An amount in units of 1e-9 (finer input is rounded up, away from zero, as Kubernetes does) and the form it
/// is written in.
class Quantity {
 public:
  enum class Format : std::uint8_t { kDecimalSI, kBinarySI, kDecimalExponent };
  __extension__ using Nano = __int128;

  constexpr Quantity() = default;
  /// Amounts beyond +-1e21 units are clamped to that, so that sums of millions never overflow.
  static constexpr Nano kLimit = Nano{1'000'000'000'000'000} * 1'000'000'000'000'000;
  /// Refuses what apimachinery refuses; the message is its own.
  static Result<Quantity> parse(std::string_view text);
  static constexpr Quantity units(std::int64_t n, Format format = Format::kDecimalSI) {
    return {Nano{n} * 1'000'000'000, format};
  }
  static constexpr Quantity milli(std::int64_t n, Format format = Format::kDecimalSI) {
    return {Nano{n} * 1'000'000, format};
  }
  static constexpr Quantity nano(Nano n, Format format = Format::kDecimalSI) { return {n, format}; }

  constexpr Nano nano() const { return nano_; }
  constexpr Format format() const { return format_; }
  std::int64_t value() const;        ///< whole units, rounded away from zero; saturates at int64
  std::int64_t milli_value() const;  ///< thousandths, rounded away from zero; saturates at int64
  constexpr double as_double() const { return static_cast<double>(nano_) / 1e9; }
  constexpr int sign() const { return nano_ < 0 ? -1 : nano_ > 0 ? 1 : 0; }
  constexpr bool is_zero() const { return nano_ == 0; }
  /// The canonical form: the largest suffix that leaves no fraction.
  std::string canonical() const;

  /// Amounts compare; the form does not.
  constexpr std::strong_ordering operator<=>(const Quantity& o) const { return nano_ <=> o.nano_; }
  constexpr bool operator==(const Quantity& o) const { return nano_ == o.nano_; }
  /// The form of the left side, or of the right where the left is zero.
  constexpr Quantity operator+(const Quantity& o) const {
    return {nano_ + o.nano_, nano_ == 0 ? o.format_ : format_};
  }
  constexpr Quantity operator-(const Quantity& o) const {
    return {nano_ - o.nano_, nano_ == 0 ? o.format_ : format_};
  }
  constexpr Quantity& operator+=(const Quantity& o) { return *this = *this + o; }
  constexpr Quantity& operator-=(const Quantity& o) { return *this = *this - o; }

 private:
  constexpr Quantity(Nano nano, Format format) : nano_(nano), format_(format) {}

  Nano nano_ = 0;
  Format format_ = Format::kDecimalSI;
};

}  // namespace etiage
