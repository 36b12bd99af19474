// Quantities as values: how apimachinery keeps them, and sums that share digits.

#include <algorithm>
#include <deque>

#include "engines/cel/value_objects.h"

namespace etiage::cel {
namespace {

/// Quantities whose digits another shares and changed, in this thread's evaluation.
struct ChangedQuantities {
  struct Entry {
    Value holder;
    const QuantityObject* object;
    std::size_t cell;
  };
  std::vector<Entry> entries;
  std::deque<Quantity> cells;

  const Entry* find(const QuantityObject* object) const {
    const auto found = std::ranges::find(entries, object, &Entry::object);
    return found == entries.end() ? nullptr : &*found;
  }
};
thread_local ChangedQuantities changed_quantities;

}  // namespace

Value Value::quantity(const Quantity& q, bool by_pointer) {
  auto* o = new QuantityObject;
  o->value = q;
  o->by_pointer = by_pointer;
  return {Kind::kQuantity, o};
}
const Quantity& Value::as_quantity() const {
  const auto& o = object<QuantityObject>(bits_.object);
  if (o.form.wide) [[unlikely]] {
    if (const auto* changed = changed_quantities.find(&o)) return changed_quantities.cells[changed->cell];
  }
  return o.value;
}
Value make_quantity(const Quantity& q, QuantityForm form, bool by_pointer) {
  Value v = Value::quantity(q, by_pointer);
  // Nobody else has it yet.
  const_cast<QuantityObject*>(static_cast<const QuantityObject*>(v.identity()))->form = form;
  return v;
}
QuantityForm form_of(const Value& quantity) {
  return object<QuantityObject>(quantity.identity()).form;
}
Value change_quantity(const Value& left, const Quantity& sum, QuantityForm form) {
  auto& all = changed_quantities;
  const auto* object = static_cast<const QuantityObject*>(left.identity());
  const auto* mine = all.find(object);
  const std::size_t cell = mine != nullptr ? mine->cell : all.cells.size();
  if (mine == nullptr) {
    all.cells.push_back(sum);
    all.entries.push_back({left, object, cell});
  }
  all.cells[cell] = sum;
  Value out = make_quantity(sum, form, true);
  all.entries.push_back({out, static_cast<const QuantityObject*>(out.identity()), cell});
  return out;
}
void forget_changed_quantities() {
  if (changed_quantities.entries.empty()) [[likely]]
    return;
  changed_quantities.entries.clear();
  changed_quantities.cells.clear();
}
bool Value::quantity_by_pointer() const {
  return object<QuantityObject>(bits_.object).by_pointer;
}

}  // namespace etiage::cel
