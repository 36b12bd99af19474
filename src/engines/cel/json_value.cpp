#include "engines/cel/json_value.h"

#include <fmt/format.h>

#include "engines/cel/go_text.h"

namespace etiage::cel {
namespace {

constexpr std::int64_t kWidest = (std::int64_t{1} << 53) - 1;  ///< that a double holds with all below it

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k > bytes.size() ? '=' : kDigits[group >> (18 - 6 * k) & 63];
  }
  return out;
}

/// The name without its namespace, as Kubernetes' own types tell it.
std::string_view short_name(const Value& v) {
  const std::string_view name = type_name(v);
  return name.substr(name.rfind('.') + 1);
}

}  // namespace

std::string conversion_fault(const Value& v, std::string_view native) {
  switch (v.kind()) {
    case Kind::kBool:
      return fmt::format("type conversion error from bool to '{}'", native);
    case Kind::kInt:
    case Kind::kUint:
      return fmt::format("unsupported type conversion from '{}' to {}", type_name(v), native);
    case Kind::kDouble:
      return fmt::format("type conversion error from Double to '{}'", native);
    case Kind::kString:
      return fmt::format("unsupported native conversion from string to '{}'", native);
    case Kind::kBytes:
      return fmt::format("type conversion error from Bytes to '{}'", native);
    case Kind::kList:
    case Kind::kMap:
      return fmt::format("type conversion error from {} to '{}'", type_name(v), native);
    case Kind::kType:
      return "type conversion not supported for 'type'";
    case Kind::kOptional:
      return v.has_value() ? conversion_fault(v.inner(), native) : "optional.none() dereference";
    case Kind::kNull:
      return fmt::format("type conversion error from 'null_type' to '{}'", native);
    default:
      return fmt::format("type conversion error from '{}' to '{}'", short_name(v), native);
  }
}

std::expected<Value, std::string> json_list(const std::vector<Value>& items) {
  std::vector<Value> out;
  for (const Value& item : items) {
    auto v = json_value(item);
    if (!v) return v;
    out.push_back(std::move(*v));
  }
  return Value::list(std::move(out));
}

std::expected<Value, std::string> json_map(const MapObject& map) {
  auto out = std::make_unique<MapObject>();
  for (const auto& [key, value] : map.entries()) {
    if (!key.is(Kind::kString)) return std::unexpected(conversion_fault(key, "string"));
    auto v = json_value(value);
    if (!v) return v;
    out->put(key, std::move(*v));
  }
  return make_map(std::move(out));
}

std::expected<Value, std::string> json_value(const Value& v) {
  switch (v.kind()) {
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kDouble:
    case Kind::kString:
      return v;
    case Kind::kInt:
      if (v.as_int() > kWidest || v.as_int() < -kWidest) return Value::string(std::to_string(v.as_int()));
      return Value::number(static_cast<double>(v.as_int()));
    case Kind::kUint:
      if (v.as_uint() > static_cast<std::uint64_t>(kWidest))
        return Value::string(std::to_string(v.as_uint()));
      return Value::number(static_cast<double>(v.as_uint()));
    case Kind::kBytes:
      return Value::string(base64(v.text()));
    case Kind::kDuration:
      return Value::string(go_duration_seconds(v.as_duration()));
    case Kind::kTimestamp:
      return Value::string(go_time(v.as_timestamp()));
    case Kind::kList:
      return json_list(v.items());
    case Kind::kMap:
      return json_map(v.map());
    case Kind::kEmpty:
      return make_map(std::make_unique<MapObject>());
    case Kind::kOptional:
      if (v.has_value()) return json_value(v.inner());
      [[fallthrough]];
    default:
      return std::unexpected(conversion_fault(v, "*structpb.Value"));
  }
}

}  // namespace etiage::cel
