#pragma once
// The objects behind values that do not stand in place. Internal to value.

#include <optional>
#include <utility>

#include "engines/cel/quantity_form.h"
#include "engines/cel/value.h"

namespace etiage::cel {

template <class T>
struct Boxed : Object {
  T value;
  explicit Boxed(T v) : value(std::move(v)) {}
};
struct QuantityObject : Object {
  Quantity value;
  QuantityForm form;
  bool by_pointer = false;
};
struct OptionalObject : Object {
  std::optional<Value> value;
};

template <class T>
const T& object(const void* p) {
  return *static_cast<const T*>(static_cast<const Object*>(p));
}

}  // namespace etiage::cel
