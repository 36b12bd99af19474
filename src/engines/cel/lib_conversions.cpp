#include <cmath>
#include <fmt/format.h>

#include "base/utf8.h"
#include "engines/cel/go_text.h"
#include "engines/cel/library.h"
#include "engines/cel/numbers.h"
#include "engines/cel/time_math.h"

namespace etiage::cel {
namespace {

/// The name of the target type as messages tell it.
Value refused(const Value& v, std::string_view target) {
  return Value::error(fmt::format("type conversion error from '{}' to '{}'", type_name(v), target));
}

Value identity(Args args) {
  return args[0];
}

Value to_bool(Args args) {
  const auto b = go_parse_bool(args[0].text());
  return b ? Value::boolean(*b) : refused(args[0], "bool");
}
Value string_to_bytes(Args args) {
  return Value::bytes(args[0].text());
}

Value to_double(Args args) {
  const Value& v = args[0];
  if (v.is(Kind::kInt)) return Value::number(static_cast<double>(v.as_int()));
  if (v.is(Kind::kUint)) return Value::number(static_cast<double>(v.as_uint()));
  const auto d = go_parse_float(v.text());
  return d ? Value::number(*d) : refused(v, "double");
}

Value to_int_value(Args args) {
  const Value& v = args[0];
  switch (v.kind()) {
    case Kind::kDouble: {
      const auto i = to_int(v.as_double());
      return i ? Value::integer(*i) : Value::error("integer overflow");
    }
    case Kind::kUint:
      return v.as_int() < 0 ? Value::error("integer overflow") : Value::integer(v.as_int());
    case Kind::kDuration:
      return Value::integer(v.as_duration());
    case Kind::kTimestamp:
      return Value::integer(v.as_timestamp().seconds);
    default: {
      const auto i = go_parse_int(v.text());
      return i ? Value::integer(*i) : refused(v, "int");
    }
  }
}

Value to_uint_value(Args args) {
  const Value& v = args[0];
  switch (v.kind()) {
    case Kind::kDouble: {
      const auto u = to_uint(v.as_double());
      return u ? Value::uinteger(*u) : Value::error("unsigned integer overflow");
    }
    case Kind::kInt:
      return v.as_int() < 0 ? Value::error("unsigned integer overflow") : Value::uinteger(v.as_uint());
    default: {
      const auto u = go_parse_uint(v.text());
      return u ? Value::uinteger(*u) : refused(v, "uint");
    }
  }
}

Value to_string_value(Args args) {
  const Value& v = args[0];
  switch (v.kind()) {
    case Kind::kBool:
      return Value::string(v.as_bool() ? "true" : "false");
    case Kind::kInt:
      return Value::string(std::to_string(v.as_int()));
    case Kind::kUint:
      return Value::string(std::to_string(v.as_uint()));
    case Kind::kDouble:
      return Value::string(go_float(v.as_double()));
    case Kind::kDuration:
      return Value::string(go_duration_seconds(v.as_duration()));
    case Kind::kTimestamp:
      return Value::string(go_time(v.as_timestamp()));
    default:
      if (!is_utf8(v.text())) return Value::error("invalid UTF-8 in bytes, cannot convert to string");
      return Value::string(v.text());
  }
}

Value to_duration(Args args) {
  const auto ns = go_parse_duration(args[0].text());
  return ns ? Value::duration(*ns) : refused(args[0], "google.protobuf.Duration");
}
Value int_to_duration(Args args) {
  return refused(args[0], "google.protobuf.Duration");
}

Value to_timestamp(Args args) {
  if (args[0].is(Kind::kInt)) {
    const std::int64_t seconds = args[0].as_int();
    if (seconds < kMinTime || seconds > kMaxTime) return Value::error("timestamp overflow");
    return Value::timestamp({seconds, 0, 0});
  }
  const auto t = go_parse_time(args[0].text());
  if (!t) return refused(args[0], "google.protobuf.Timestamp");
  if (t->seconds < kMinTime || t->seconds > kMaxTime) return Value::error("timestamp overflow");
  return Value::timestamp(*t);
}

Value type_of_value(Args args) {
  return Value::type(type_name(args[0]));
}

}  // namespace

void declare_conversions(Declarations& d, const LibraryOptions& options) {
  d.singleton("type", type_of_value, kNoTrait, {{"type", "(A) type(A)"}});
  d.function("bool",
             {{"bool_to_bool", "(bool) bool", identity}, {"string_to_bool", "(string) bool", to_bool}});
  d.function("bytes", {{"bytes_to_bytes", "(bytes) bytes", identity},
                       {"string_to_bytes", "(string) bytes", string_to_bytes}});
  d.function("double", {{"double_to_double", "(double) double", identity},
                        {"int64_to_double", "(int) double", to_double},
                        {"string_to_double", "(string) double", to_double},
                        {"uint64_to_double", "(uint) double", to_double}});
  d.function("duration", {{"duration_to_duration", "(duration) duration", identity}});
  if (options.int_to_duration)
    d.function("duration", {{"int64_to_duration", "(int) duration", int_to_duration}});
  d.function("duration", {{"string_to_duration", "(string) duration", to_duration}});
  d.singleton("dyn", identity, kNoTrait, {{"to_dyn", "(A) dyn"}});
  d.function("int", {{"int64_to_int64", "(int) int", identity},
                     {"double_to_int64", "(double) int", to_int_value},
                     {"duration_to_int64", "(duration) int", to_int_value},
                     {"string_to_int64", "(string) int", to_int_value},
                     {"timestamp_to_int64", "(timestamp) int", to_int_value},
                     {"uint64_to_int64", "(uint) int", to_int_value}});
  d.function("string", {{"string_to_string", "(string) string", identity},
                        {"bool_to_string", "(bool) string", to_string_value},
                        {"bytes_to_string", "(bytes) string", to_string_value},
                        {"double_to_string", "(double) string", to_string_value},
                        {"duration_to_string", "(duration) string", to_string_value},
                        {"int64_to_string", "(int) string", to_string_value},
                        {"timestamp_to_string", "(timestamp) string", to_string_value},
                        {"uint64_to_string", "(uint) string", to_string_value}});
  d.function("timestamp", {{"timestamp_to_timestamp", "(timestamp) timestamp", identity},
                           {"int64_to_timestamp", "(int) timestamp", to_timestamp},
                           {"string_to_timestamp", "(string) timestamp", to_timestamp}});
  d.function("uint", {{"uint64_to_uint64", "(uint) uint", identity},
                      {"double_to_uint64", "(double) uint", to_uint_value},
                      {"int64_to_uint64", "(int) uint", to_uint_value},
                      {"string_to_uint64", "(string) uint", to_uint_value}});
}

}  // namespace etiage::cel
