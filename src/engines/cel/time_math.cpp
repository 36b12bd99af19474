#include "engines/cel/time_math.h"

#include <limits>

#include "engines/cel/library.h"

namespace etiage::cel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

Value overflow() {
  return Value::error("integer overflow");
}

Value shifted(const TimePoint& t, std::int64_t ns) {
  std::int64_t seconds = t.seconds + ns / kSecond;
  std::int64_t nanos = t.nanos + ns % kSecond;
  if (nanos < 0) nanos += kSecond, --seconds;
  if (nanos >= kSecond) nanos -= kSecond, ++seconds;
  if (seconds < kMinTime || seconds > kMaxTime) return Value::error("timestamp overflow");
  return Value::timestamp({seconds, static_cast<std::int32_t>(nanos), t.offset});
}

Value between(const TimePoint& a, const TimePoint& b) {
  std::int64_t ns;
  if (__builtin_mul_overflow(a.seconds - b.seconds, kSecond, &ns)) return overflow();
  if (__builtin_add_overflow(ns, std::int64_t{a.nanos} - b.nanos, &ns)) return overflow();
  return Value::duration(ns);
}

}  // namespace

Value add_time(const Value& a, const Value& b) {
  if (a.is(Kind::kTimestamp)) {
    return b.is(Kind::kDuration) ? shifted(a.as_timestamp(), b.as_duration()) : no_such_overload();
  }
  if (b.is(Kind::kTimestamp)) return shifted(b.as_timestamp(), a.as_duration());
  if (!b.is(Kind::kDuration)) return no_such_overload();
  std::int64_t sum;
  return __builtin_add_overflow(a.as_duration(), b.as_duration(), &sum) ? overflow() : Value::duration(sum);
}

Value subtract_time(const Value& a, const Value& b) {
  if (a.is(Kind::kTimestamp)) {
    if (b.is(Kind::kTimestamp)) return between(a.as_timestamp(), b.as_timestamp());
    if (!b.is(Kind::kDuration)) return no_such_overload();
    if (b.as_duration() == std::numeric_limits<std::int64_t>::min()) return overflow();
    return shifted(a.as_timestamp(), -b.as_duration());
  }
  if (!b.is(Kind::kDuration)) return no_such_overload();
  std::int64_t rest;
  return __builtin_sub_overflow(a.as_duration(), b.as_duration(), &rest) ? overflow() : Value::duration(rest);
}

}  // namespace etiage::cel
