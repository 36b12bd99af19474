#include "engines/cel/messages.h"

#include <algorithm>
#include <array>
#include <expected>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "engines/cel/json_value.h"

namespace etiage::cel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// `int32` or `int64` fields hold integers only.
std::optional<std::string> whole_fault(const Value& v, bool narrow, std::string_view native) {
  if (!v.is(Kind::kInt)) return conversion_fault(v, native);
  if (narrow && v.as_int() != static_cast<std::int32_t>(v.as_int())) return "integer overflow";
  return std::nullopt;
}

Value refused(std::string_view type, std::string_view field, std::string_view why) {
  return Value::error(fmt::format("field type conversion error for {}.{} value type: {}", type, field, why));
}

/// Seconds and nanoseconds; the last value of a field counts.
Value make_time(std::string_view type, std::span<const MessageField> fields) {
  std::int64_t seconds = 0, nanos = 0;
  for (const MessageField& f : fields) {
    const bool narrow = f.name == "nanos";
    if (const auto fault = whole_fault(f.value, narrow, narrow ? "int32" : "int64"))
      return refused(type, f.name, *fault);
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

/// The field of a wrapper in Go.
std::string_view native_of(const MessageType& type) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kNatives{
      {{"google.protobuf.BoolValue", "bool"},
       {"google.protobuf.BytesValue", "[]uint8"},
       {"google.protobuf.DoubleValue", "float64"},
       {"google.protobuf.FloatValue", "float32"},
       {"google.protobuf.Int32Value", "int32"},
       {"google.protobuf.Int64Value", "int64"},
       {"google.protobuf.StringValue", "string"},
       {"google.protobuf.UInt32Value", "uint32"},
       {"google.protobuf.UInt64Value", "uint64"}}};
  return std::ranges::find(kNatives, type.name, &decltype(kNatives)::value_type::first)->second;
}

bool overflows(const Value& v, std::string_view native) {
  if (native == "int32") return v.as_int() != static_cast<std::int32_t>(v.as_int());
  return native == "uint32" && v.as_uint() > std::numeric_limits<std::uint32_t>::max();
}

Value make_wrapper(const MessageType& type, std::span<const MessageField> fields) {
  const std::string_view native = native_of(type);
  Value out = default_of(display(*type.fields.at("value")));
  for (const MessageField& f : fields) {
    if (f.value.kind() != out.kind()) return refused(type.name, f.name, conversion_fault(f.value, native));
    if (overflows(f.value, native)) return refused(type.name, f.name, "integer overflow");
    out = f.value;
  }
  return native == "float32" ? Value::number(static_cast<float>(out.as_double())) : out;
}

/// `Struct` and `ListValue`: a map or a list as it is in JSON.
Value make_container(std::string_view type, std::span<const MessageField> fields) {
  const bool is_map = type.ends_with("Struct");
  Value out = is_map ? empty_map() : Value::list({});
  for (const MessageField& f : fields) {
    if (!f.value.is(is_map ? Kind::kMap : Kind::kList)) {
      const std::string_view params = f.value.is(Kind::kList)  ? "(dyn)"
                                      : f.value.is(Kind::kMap) ? "(dyn, dyn)"
                                                               : "";
      return Value::error(
          fmt::format("unsupported field type for {}.{}: {}{}", type, f.name, type_name(f.value), params));
    }
    auto made = is_map ? json_map(f.value.map()) : json_list(f.value.items());
    if (!made) return refused(type, f.name, made.error());
    out = std::move(*made);
  }
  return out;
}

/// What one field of a `Value` makes of it.
std::expected<Value, std::string> alternative(std::string_view field, const Value& v) {
  const auto plain = [&](Kind kind, std::string_view native) -> std::expected<Value, std::string> {
    if (v.is(kind)) return v;
    return std::unexpected(conversion_fault(v, native));
  };
  if (field == "bool_value") return plain(Kind::kBool, "bool");
  if (field == "number_value") return plain(Kind::kDouble, "float64");
  if (field == "string_value") return plain(Kind::kString, "string");
  if (field == "struct_value") {
    if (v.is(Kind::kMap)) return json_map(v.map());
    return std::unexpected(conversion_fault(v, "*structpb.Struct"));
  }
  if (field == "list_value") {
    if (v.is(Kind::kList)) return json_list(v.items());
    return std::unexpected(conversion_fault(v, "*structpb.ListValue"));
  }
  if (auto fault = whole_fault(v, true, "protoreflect.EnumNumber")) return std::unexpected(std::move(*fault));
  return Value();
}

Value make_value(std::string_view type, std::span<const MessageField> fields) {
  Value out;
  for (const MessageField& f : fields) {
    auto made = alternative(f.name, f.value);
    if (!made) return refused(type, f.name, made.error());
    out = std::move(*made);
  }
  return out;
}

/// Always an error: what a message of any type holds is not unpacked here.
Value make_any(std::string_view type, std::span<const MessageField> fields) {
  for (const MessageField& f : fields) {
    const bool is_url = f.name == "type_url";
    if (!f.value.is(is_url ? Kind::kString : Kind::kBytes))
      return refused(type, f.name, conversion_fault(f.value, is_url ? "string" : "[]uint8"));
  }
  return Value::error("unsupported conversion to ref.Val: (*dynamicpb.Message)");
}

}  // namespace

const std::map<std::string_view, MessageType>& message_types() {
  static const auto made = [] {
    std::map<std::string_view, MessageType> out;
    const auto add = [&](std::string_view name, std::string_view value,
                         std::initializer_list<std::pair<const char*, const char*>> fields) {
      MessageType& type = out[name] = {name, value, {}};
      for (const auto& [field, of] : fields) type.fields[field] = type_of(of);
    };
    add("google.protobuf.Duration", "duration", {{"seconds", "int"}, {"nanos", "int"}});
    add("google.protobuf.Timestamp", "timestamp", {{"seconds", "int"}, {"nanos", "int"}});
    add("google.protobuf.BoolValue", "wrapper(bool)", {{"value", "bool"}});
    add("google.protobuf.BytesValue", "wrapper(bytes)", {{"value", "bytes"}});
    add("google.protobuf.DoubleValue", "wrapper(double)", {{"value", "double"}});
    add("google.protobuf.FloatValue", "wrapper(double)", {{"value", "double"}});
    add("google.protobuf.Int32Value", "wrapper(int)", {{"value", "int"}});
    add("google.protobuf.Int64Value", "wrapper(int)", {{"value", "int"}});
    add("google.protobuf.StringValue", "wrapper(string)", {{"value", "string"}});
    add("google.protobuf.UInt32Value", "wrapper(uint)", {{"value", "uint"}});
    add("google.protobuf.UInt64Value", "wrapper(uint)", {{"value", "uint"}});
    add("google.protobuf.Any", "any", {{"type_url", "string"}, {"value", "bytes"}});
    add("google.protobuf.Empty", "empty", {});
    add("google.protobuf.ListValue", "list(dyn)", {{"values", "list(dyn)"}});
    add("google.protobuf.Struct", "map(string, dyn)", {{"fields", "map(string, dyn)"}});
    add("google.protobuf.Value", "dyn",
        {{"null_value", "int"},
         {"number_value", "double"},
         {"string_value", "string"},
         {"bool_value", "bool"},
         {"struct_value", "map(string, dyn)"},
         {"list_value", "list(dyn)"}});
    return out;
  }();
  return made;
}

Value make_message(std::string_view type, std::span<const MessageField> fields) {
  const auto found = message_types().find(type);
  if (found == message_types().end()) return Value::error(fmt::format("unknown type '{}'", type));
  if (type.ends_with(".Duration") || type.ends_with(".Timestamp")) return make_time(type, fields);
  if (type.ends_with(".Struct") || type.ends_with(".ListValue")) return make_container(type, fields);
  if (type.ends_with(".Empty")) return Value::empty_message();
  if (type.ends_with(".Any")) return make_any(type, fields);
  if (type.ends_with(".Value")) return make_value(type, fields);
  return make_wrapper(found->second, fields);
}

}  // namespace etiage::cel
