#include "base/money.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace etiage {
namespace {

__extension__ using Wide = __int128;

constexpr long double kTie = 1e-7L;

Wide divide_half_even(Wide n, Wide d) {
  Wide q = n / d, r = n % d;
  if (r < 0) r += d, q -= 1;
  const Wide twice = 2 * r;
  if (twice > d || (twice == d && q % 2 != 0)) q += 1;
  return q;
}

/// `value` in units of 10^-decimals, as text without trailing zeros.
std::string decimal(std::int64_t value, int decimals) {
  std::string digits =
      std::to_string(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, ".");
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return (value < 0 ? "-" : "") + digits;
}

struct Decimal {
  Wide digits = 0;
  int exponent = 0;
};

std::optional<int> parse_exponent(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > 3) return {};
  int value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return {};
    value = value * 10 + (c - '0');
  }
  return negative ? -value : value;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal out;
  bool point = false, any = false;
  if (text.starts_with('+')) text.remove_prefix(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == 'e' || c == 'E') {
      const auto exponent = parse_exponent(text.substr(i + 1));
      if (!exponent || !any) return {};
      out.exponent += *exponent;
      return out;
    }
    if (c == '.' && !point) {
      point = true;
    } else if (c >= '0' && c <= '9') {
      any = true;
      if (out.digits > Wide{1} << 120) return {};
      out.digits = out.digits * 10 + (c - '0');
      out.exponent -= point ? 1 : 0;
    } else {
      return {};
    }
  }
  return any ? std::optional(out) : std::nullopt;
}

}  // namespace

std::optional<HourlyPrice> parse_price(std::string_view text) {
  auto number = parse_decimal(text);
  if (!number) return {};
  int shift = number->exponent + 12;
  constexpr Wide limit = INT64_MAX;
  for (; shift > 0 && number->digits != 0; --shift) {
    number->digits *= 10;
    if (number->digits > limit) return {};
  }
  Wide divisor = 1;
  for (; shift < 0 && divisor < Wide{1} << 100; ++shift) divisor *= 10;
  const Wide pico = divide_half_even(number->digits, divisor);
  if (pico > limit) return {};
  return HourlyPrice{static_cast<std::int64_t>(pico)};
}

Money cost_of(HourlyPrice price, Duration time) {
  // pico-units x nanoseconds / (1e6 pico a micro x 3600e9 ns an hour)
  return {static_cast<std::int64_t>(
      divide_half_even(Wide{price.pico} * time.ns, Wide{3'600'000'000'000} * 1'000'000))};
}

std::string to_string(Money amount) {
  return decimal(amount.micro, 6);
}
std::string to_string(HourlyPrice price) {
  return decimal(price.pico, 12);
}

std::vector<Money> apportion(Money total, std::span<const long double> exact) {
  assert(total.micro >= 0);
  std::vector<Money> parts(exact.size());
  std::vector<long double> remainder(exact.size());
  std::int64_t left = total.micro;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    // A whole number must not lose a unit to the last bit of a division.
    const long double whole = std::floor(exact[i] + kTie / 2);
    parts[i].micro = static_cast<std::int64_t>(whole);
    remainder[i] = std::round((exact[i] - whole) / kTie);
    left -= parts[i].micro;
  }
  std::vector<std::size_t> order(exact.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return remainder[a] > remainder[b]; });
  if (order.empty()) return parts;
  const auto n = static_cast<std::int64_t>(order.size());
  for (Money& part : parts)
    part.micro += std::max<std::int64_t>(left, 0) / n;  // 0 where the amounts do sum to the total
  left = left > 0 ? left % n : left;
  for (std::size_t i = 0; left > 0; ++i, --left) parts[order[i]].micro += 1;
  for (std::size_t i = order.size(); left < 0; ++left) {
    do i = (i + order.size() - 1) % order.size();
    while (parts[order[i]].micro == 0);
    parts[order[i]].micro -= 1;
  }
  return parts;
}

std::vector<Money> split(Money total, std::span<const long double> weights) {
  std::vector<long double> exact(weights.begin(), weights.end());
  const long double sum = std::accumulate(exact.begin(), exact.end(), 0.0L);
  if (exact.empty()) return {};
  if (!(sum > 0))
    exact.assign(exact.size(), 0), exact[0] = static_cast<long double>(total.micro);
  else
    for (long double& w : exact) w *= static_cast<long double>(total.micro) / sum;
  return apportion(total, exact);
}

}  // namespace etiage
