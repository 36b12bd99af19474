#include "engines/dra/capacity.h"

#include <limits>

#include "engines/dra/quantity_form.h"

namespace etiage::dra {
namespace {

using Outcome = CapacityCheck::Outcome;
constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr Quantity::Nano kNanoPerMilli = 1'000'000;

/// What a request comes to: an amount, and the form by which the policy's default is recognised.
struct Consumption {
  Quantity amount;
  std::optional<QuantityForm> form;  ///< absent: that of `written`, or the default itself
  std::string fault;
  const WrittenQuantity* written = nullptr;
};

/// Its form is worked out only where it is compared.
Consumption as_written(const WrittenQuantity& q) {
  return {q.amount, std::nullopt, {}, &q};
}

bool is_default(const Consumption& c, const WrittenQuantity& standard) {
  if (!c.form && !c.written) return true;
  return is_same_form(c.form ? *c.form : form_of(c.written->text), form_of(standard.text));
}

Consumption failed(std::string why) {
  return {{}, std::nullopt, std::move(why), nullptr};
}

std::optional<std::int64_t> whole_milli(const Quantity& q) {
  if (q.nano() % kNanoPerMilli != 0) return std::nullopt;
  const Quantity::Nano milli = q.nano() / kNanoPerMilli;
  if (milli > kLargest || milli < -Quantity::Nano(kLargest)) return std::nullopt;
  return static_cast<std::int64_t>(milli);
}

/// Whether the range is counted in thousandths: all parts are representable and the step is not below one.
bool counts_in_milli(const Behaviour& b, const CapacityRange& range) {
  if (!b.gates.fractional_capacity_range) return false;
  for (const auto* part : {&range.min, &range.max, &range.step})
    if (*part && !whole_milli((*part)->amount)) return false;
  return !range.step || *whole_milli(range.step->amount) >= 1;
}

Consumption in_units(std::int64_t units, Quantity::Format format) {
  return {Quantity::units(units, format), QuantityForm{units, 0, format, {}, false}, {}, nullptr};
}

Consumption round_in_milli(const WrittenQuantity& asked, const CapacityRange& range) {
  const auto wanted = whole_milli(asked.amount);
  if (!wanted) return failed("request " + asked.text + " is not a representable milli value");
  const std::int64_t step = *whole_milli(range.step->amount), min = *whole_milli(range.min->amount);
  const Quantity::Nano steps = (Quantity::Nano(*wanted) - min + step - 1) / step;
  const Quantity::Nano milli = min + steps * step;
  if (milli > kLargest)
    return failed("rounding request " + asked.text + " up to the next step passes the milli-value range");
  const Quantity::Format format = range.step->amount.format();
  if (milli % 1000 == 0) return in_units(static_cast<std::int64_t>(milli / 1000), format);
  const auto value = static_cast<std::int64_t>(milli);
  return {Quantity::milli(value, format), QuantityForm{value, -3, format, {}, false}, {}, nullptr};
}

Consumption round_up(const Behaviour& b, const WrittenQuantity& asked, const CapacityRange& range) {
  if (asked.amount < range.min->amount) return as_written(*range.min);
  if (!range.step) return as_written(asked);
  if (counts_in_milli(b, range)) return round_in_milli(asked, range);
  if (asked.amount.nano() > Quantity::units(kLargest).nano())
    return failed("request " + asked.text + " exceeds MaxInt64");
  const Quantity::Nano step = range.step->amount.value(), min = range.min->amount.value();
  if (step == 0) return failed("the step of the range is zero");
  const Quantity::Nano added = Quantity::Nano(asked.amount.value()) - min;
  const Quantity::Nano value = min + step * (added / step + (added % step != 0 ? 1 : 0));
  if (value > kLargest)
    return failed("rounding request " + asked.text + " up to the next step passes MaxInt64");
  return in_units(static_cast<std::int64_t>(value),
                  b.rounds_in_step_format ? range.step->amount.format() : Quantity::Format::kBinarySI);
}

Consumption consume(const Behaviour& b, const WrittenQuantity* asked, const DeviceCapacity& capacity) {
  const CapacityRequestPolicy* policy = capacity.policy ? &*capacity.policy : nullptr;
  if (!asked) {
    if (!policy || !policy->standard) return as_written(capacity.value);
    // A default beyond 64 bits is not equal to its own copy.
    const auto form = form_of(policy->standard->text);
    return {policy->standard->amount, form.is_big ? std::optional(form) : std::nullopt, {}, nullptr};
  }
  if (!policy) return as_written(*asked);
  if (policy->range && policy->range->min) return round_up(b, *asked, *policy->range);
  if (policy->values)
    for (const WrittenQuantity& value : *policy->values)
      if (asked->amount <= value.amount) return as_written(value);
  return as_written(*asked);
}

bool off_step(const Behaviour& b, const Quantity& amount, const CapacityRange& range) {
  if (!range.step) return false;
  if (counts_in_milli(b, range)) {
    const auto milli = whole_milli(amount);
    return !milli ||
           (*milli - (range.min ? *whole_milli(range.min->amount) : 0)) % *whole_milli(range.step->amount) !=
               0;
  }
  const std::int64_t step = range.step->amount.value();
  return step == 0 ||
         (Quantity::Nano(amount.value()) - (range.min ? range.min->amount.value() : 0)) % step != 0;
}

bool against_policy(const Behaviour& b, const Consumption& c, const DeviceCapacity& capacity) {
  if (!capacity.policy) return false;
  const CapacityRequestPolicy& policy = *capacity.policy;
  if (policy.standard && is_default(c, *policy.standard)) return false;
  if (policy.range)
    return (policy.range->max && c.amount > policy.range->max->amount) ||
           off_step(b, c.amount, *policy.range);
  if (!policy.values || policy.values->empty()) return false;
  for (const WrittenQuantity& value : *policy.values)
    if (c.amount == value.amount) return false;
  return true;
}

const WrittenQuantity* asked_for(const CapacityRequests& requests, const QualifiedName& name) {
  if (!requests) return nullptr;
  const auto found = requests->find(name);
  return found == requests->end() ? nullptr : &found->second;
}

Quantity amount_of(const CapacityMap* map, const QualifiedName& name) {
  if (!map) return {};
  const auto found = map->find(name);
  return found == map->end() ? Quantity() : found->second;
}

}  // namespace

CapacityCheck check_capacity(const Behaviour& b, const CapacityRequests& requests, const Device& device,
                             const CapacityMap* used, const CapacityMap* being_taken) {
  if (requests)
    for (const auto& [name, amount] : *requests)
      if (!device.capacity.contains(name)) return {Outcome::kUndefined, name, {}, {}, {}};
  CapacityCheck soft;
  for (const auto& [name, capacity] : device.capacity) {
    const Consumption c = consume(b, asked_for(requests, name), capacity);
    const bool negative = b.capacity_faults_abort && c.amount.sign() < 0;
    if (!c.fault.empty() || negative) {
      const std::string why = negative ? "capacity value is negative" : c.fault;
      if (b.capacity_faults_abort)
        return {Outcome::kFault, name, {}, {}, "capacity \"" + name + "\": " + why};
      return {Outcome::kAgainstPolicy, name, {}, {}, {}};
    }
    if (!soft.fits()) continue;
    const Quantity taken = amount_of(used, name) + amount_of(being_taken, name);
    if (against_policy(b, c, capacity)) {
      soft = {Outcome::kAgainstPolicy, name, c.amount, {}, {}};
    } else if (taken + c.amount > capacity.value.amount) {
      soft = {Outcome::kShort, name, c.amount, capacity.value.amount - taken, {}};
    }
  }
  return soft;
}

CapacityMap consumed_capacity(const Behaviour& b, const CapacityRequests& requests, const Device& device) {
  CapacityMap out;
  for (const auto& [name, capacity] : device.capacity)
    out.emplace(name, consume(b, asked_for(requests, name), capacity).amount);
  return out;
}

}  // namespace etiage::dra
