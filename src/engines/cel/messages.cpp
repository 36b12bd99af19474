#include "engines/cel/messages.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace etiage::cel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// `int32` or `int64` fields hold integers only.
std::optional<std::string> whole_fault(const Value& v, bool narrow) {
  const char* native = narrow ? "int32" : "int64";
  switch (v.kind()) {
    case Kind::kInt:
      if (narrow && v.as_int() != static_cast<std::int32_t>(v.as_int())) return "integer overflow";
      return std::nullopt;
    case Kind::kString:
      return fmt::format("unsupported native conversion from string to '{}'", native);
    case Kind::kNull:
      return fmt::format("type conversion error from 'null_type' to '{}'", native);
    default:
      return fmt::format("unsupported type conversion from '{}' to {}", type_name(v), native);
  }
}

Value refused(std::string_view type, std::string_view field, std::string_view why) {
  return Value::error(fmt::format("field type conversion error for {}.{} value type: {}", type, field, why));
}

/// Seconds and nanoseconds; the last value of a field counts.
Value make_time(std::string_view type, std::span<const MessageField> fields) {
  std::int64_t seconds = 0, nanos = 0;
  for (const MessageField& f : fields) {
    const bool narrow = f.name == "nanos";
    if (const auto fault = whole_fault(f.value, narrow)) return refused(type, f.name, *fault);
    (narrow ? nanos : seconds) = f.value.as_int();
  }
  if (type.ends_with("Duration")) {
    std::int64_t total = 0;
    if (__builtin_mul_overflow(seconds, kSecond, &total) || __builtin_add_overflow(total, nanos, &total))
      total =
          seconds < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    return Value::duration(total);
  }
  const std::int64_t carry = nanos / kSecond - (nanos % kSecond < 0 ? 1 : 0);
  return Value::timestamp({seconds + carry, static_cast<std::int32_t>(nanos - carry * kSecond), 0});
}

Value default_of(std::string_view type) {
  if (type == "bool") return Value::boolean(false);
  if (type == "uint") return Value::uinteger(0);
  if (type == "double") return Value::number(0);
  if (type == "string") return Value::string("");
  if (type == "bytes") return Value::bytes("");
  return Value::integer(0);
}

Value make_wrapper(const MessageType& type, std::span<const MessageField> fields) {
  Value out = default_of(type.value);
  for (const MessageField& f : fields) {
    const bool is_narrow = type.name.ends_with("Int32Value");
    const bool overflows =
        is_narrow &&
        (f.value.is(Kind::kInt)
             ? f.value.as_int() != static_cast<std::int32_t>(f.value.as_int())
             : f.value.is(Kind::kUint) && f.value.as_uint() > std::numeric_limits<std::uint32_t>::max());
    if (overflows) return refused(type.name, f.name, "integer overflow");
    if (f.value.kind() != out.kind())
      return refused(
          type.name, f.name,
          fmt::format("unsupported type conversion from '{}' to {}", type_name(f.value), type.value));
    out = f.value;
  }
  if (type.name.ends_with("FloatValue")) return Value::number(static_cast<float>(out.as_double()));
  return out;
}

}  // namespace

const std::map<std::string_view, MessageType>& message_types() {
  static const auto made = [] {
    std::map<std::string_view, MessageType> out;
    const TypePtr whole = type_of("int");
    for (const auto& [name, value] : {std::pair{"google.protobuf.Duration", "duration"},
                                      std::pair{"google.protobuf.Timestamp", "timestamp"}})
      out[name] = {name, value, {{"seconds", whole}, {"nanos", whole}}};
    for (const auto& [name, value] :
         {std::pair{"google.protobuf.BoolValue", "bool"}, std::pair{"google.protobuf.BytesValue", "bytes"},
          std::pair{"google.protobuf.DoubleValue", "double"},
          std::pair{"google.protobuf.FloatValue", "double"}, std::pair{"google.protobuf.Int32Value", "int"},
          std::pair{"google.protobuf.Int64Value", "int"}, std::pair{"google.protobuf.StringValue", "string"},
          std::pair{"google.protobuf.UInt32Value", "uint"}, std::pair{"google.protobuf.UInt64Value", "uint"}})
      out[name] = {name, value, {{"value", type_of(value)}}};
    return out;
  }();
  return made;
}

Value make_message(std::string_view type, std::span<const MessageField> fields) {
  const auto found = message_types().find(type);
  if (found == message_types().end()) return Value::error(fmt::format("unknown type '{}'", type));
  const MessageType& message = found->second;
  return message.fields.contains("seconds") ? make_time(type, fields) : make_wrapper(message, fields);
}

}  // namespace etiage::cel
