#include "engines/dra/selectors.h"

namespace etiage::dra {

SelectorAnswers::SelectorAnswers(const Fleet& fleet, const cel::Environment& environment)
    : fleet_(&fleet), environment_(environment), prepared_(fleet.devices().size()) {}

SelectorAnswers::Handle SelectorAnswers::compile(const std::string& expression) {
  const auto [entry, fresh] = handles_.try_emplace(expression, columns_.size());
  if (fresh)
    columns_.push_back({cel::compile_selector(expression, environment_),
                        std::vector<std::uint8_t>(fleet_->devices().size(), kUnasked)});
  return entry->second;
}

const cel::PreparedDevice& SelectorAnswers::prepared(std::uint32_t device) {
  cel::PreparedDevice& p = prepared_[device];
  if (!p.record) {
    const FleetDevice& d = fleet_->devices()[device];
    p = cel::prepare_device(fleet_->slices()[d.slice].object->driver, *d.object, environment_);
  }
  return p;
}

void SelectorAnswers::prepare_all() {
  for (std::uint32_t d = 0; d < prepared_.size(); ++d) prepared(d);
}

cel::Outcome SelectorAnswers::ask_anew(Handle handle, std::uint32_t device) {
  Column& column = columns_[handle];
  const cel::Outcome outcome = cel::matches(column.selector, prepared(device));
  column.answers[device] = static_cast<std::uint8_t>(outcome);
  return outcome;
}

cel::Verdict SelectorAnswers::verdict(Handle handle, std::uint32_t device) {
  return cel::evaluate(columns_[handle].selector, prepared(device));
}

cel::FleetMatch SelectorAnswers::match_fleet(Handle handle) {
  prepare_all();
  Column& column = columns_[handle];
  cel::FleetMatch out = cel::match_fleet(column.selector, prepared_);
  for (std::size_t d = 0; d < out.outcomes.size(); ++d)
    column.answers[d] = static_cast<std::uint8_t>(out.outcomes[d]);
  return out;
}

std::vector<cel::Verdict> SelectorAnswers::clauses(Handle handle, std::uint32_t device) {
  return cel::evaluate_clauses(columns_[handle].selector, prepared(device));
}

}  // namespace etiage::dra
