// The names of types, and values as messages show them.

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "engines/cel/go_text.h"
#include "engines/cel/named_format.h"
#include "engines/cel/value.h"

namespace etiage::cel {
namespace {

std::string show_entries(const MapObject& map) {
  std::string out = "{";
  for (const auto& [key, value] : map.entries()) {
    if (out.size() > 1) out += ", ";
    out += show(key) + ": " + show(value);
  }
  return out + "}";
}

}  // namespace

const char* type_name(const Value& v) {
  switch (v.kind()) {
    case Kind::kNull:
      return "null_type";
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
      return "int";
    case Kind::kUint:
      return "uint";
    case Kind::kDouble:
      return "double";
    case Kind::kTimestamp:
      return "google.protobuf.Timestamp";
    case Kind::kDuration:
      return "google.protobuf.Duration";
    case Kind::kEmpty:
      return "google.protobuf.Empty";
    case Kind::kType:
      return "type";
    case Kind::kString:
      return "string";
    case Kind::kBytes:
      return "bytes";
    case Kind::kList:
      return "list";
    case Kind::kMap:
      return "map";
    case Kind::kOptional:
      return "optional_type";
    case Kind::kQuantity:
      return "kubernetes.Quantity";
    case Kind::kSemver:
      return "kubernetes.Semver";
    case Kind::kUrl:
      return "kubernetes.URL";
    case Kind::kIp:
      return "net.IP";
    case Kind::kCidr:
      return "net.CIDR";
    case Kind::kFormat:
      return "kubernetes.NamedFormat";
    case Kind::kError:
      return "error";
  }
  return "";
}

const char* known_type_name(std::string_view name) {
  static constexpr std::array<const char*, 21> kNames{"null_type",
                                                      "bool",
                                                      "int",
                                                      "uint",
                                                      "double",
                                                      "google.protobuf.Timestamp",
                                                      "google.protobuf.Duration",
                                                      "google.protobuf.Empty",
                                                      "type",
                                                      "string",
                                                      "bytes",
                                                      "list",
                                                      "map",
                                                      "optional_type",
                                                      "kubernetes.Quantity",
                                                      "kubernetes.Semver",
                                                      "kubernetes.URL",
                                                      "net.IP",
                                                      "net.CIDR",
                                                      "kubernetes.NamedFormat",
                                                      "dyn"};
  const auto found = std::ranges::find(kNames, name);
  return found == kNames.end() ? nullptr : *found;
}

std::string show(const Value& v) {
  switch (v.kind()) {
    case Kind::kNull:
      return "0";
    case Kind::kBool:
      return v.as_bool() ? "true" : "false";
    case Kind::kInt:
      return std::to_string(v.as_int());
    case Kind::kUint:
      return std::to_string(v.as_uint());
    case Kind::kDouble:
      return go_float(v.as_double());
    case Kind::kEmpty:
      return "";
    case Kind::kType:
      return v.as_type();
    case Kind::kString:
    case Kind::kError:
      return v.text();
    case Kind::kBytes: {
      std::string out = "[";
      for (const char c : v.text())
        out += fmt::format("{}{}", out.size() > 1 ? " " : "", static_cast<unsigned char>(c));
      return out + "]";
    }
    case Kind::kDuration:
      return go_duration(v.as_duration());
    case Kind::kTimestamp:
      return go_time_default(v.as_timestamp());
    case Kind::kList: {
      std::string out = "[";
      for (const Value& item : v.items()) out += (out.size() > 1 ? ", " : "") + show(item);
      return out + "]";
    }
    case Kind::kMap:
      return show_entries(v.map());
    case Kind::kOptional:
      return v.has_value() ? "optional(" + show(v.inner()) + ")" : "optional.none()";
    case Kind::kQuantity:
      return v.as_quantity().canonical();
    case Kind::kSemver:
      return to_string(v.as_semver());
    case Kind::kUrl:
      return to_string(v.as_url());
    case Kind::kIp:
      return to_string(v.as_ip());
    case Kind::kCidr:
      return to_string(v.as_cidr());
    case Kind::kFormat:
      return std::string(v.as_format().name);
  }
  return {};
}

std::string go_type(const Value& v) {
  switch (v.kind()) {
    case Kind::kNull:
      return "types.Null";
    case Kind::kBool:
      return "types.Bool";
    case Kind::kInt:
      return "types.Int";
    case Kind::kUint:
      return "types.Uint";
    case Kind::kDouble:
      return "types.Double";
    case Kind::kTimestamp:
      return "types.Timestamp";
    case Kind::kDuration:
      return "types.Duration";
    case Kind::kEmpty:
      return "*types.protoObj";
    case Kind::kType:
      return "*types.Type";
    case Kind::kString:
      return "types.String";
    case Kind::kBytes:
      return "types.Bytes";
    case Kind::kList:
      return "*types.baseList";
    case Kind::kMap:
      return "*types.baseMap";
    case Kind::kOptional:
      return "*types.Optional";
    case Kind::kQuantity:
      return v.quantity_by_pointer() ? "*cel.Quantity" : "cel.Quantity";
    case Kind::kSemver:
      return "cel.Semver";
    case Kind::kUrl:
      return "cel.URL";
    case Kind::kIp:
      return "cel.IP";
    case Kind::kCidr:
      return "cel.CIDR";
    case Kind::kFormat:
      return "cel.Format";
    case Kind::kError:
      return "*types.Err";
  }
  return {};
}

}  // namespace etiage::cel
