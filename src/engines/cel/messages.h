#pragma once
// Message literals, as in `google.protobuf.Duration{seconds: 1}`: of protobuf's well-known types those that
// are a value of CEL.

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "engines/cel/type.h"
#include "engines/cel/value.h"

namespace etiage::cel {

struct MessageType {
  std::string_view name;   ///< in full
  std::string_view value;  ///< the type that it is in CEL, as type_of() reads it
  std::map<std::string, TypePtr, std::less<>> fields;
};
const std::map<std::string_view, MessageType>& message_types();

struct MessageField {
  std::string_view name;
  Value value;
};
/// The value; an error where a field does not take its value, or the type has none.
Value make_message(std::string_view type, std::span<const MessageField> fields);

}  // namespace etiage::cel
