#include "engines/dra/selectors.h"

namespace etiage::dra {

SelectorAnswers::SelectorAnswers(const Fleet& fleet, const cel::Environment& environment)
    : fleet_(&fleet),
      environment_(environment),
      preparation_(environment),
      prepared_(fleet.devices().size()) {}

SelectorAnswers::Handle SelectorAnswers::compile(const std::string& expression) {
  const auto [entry, fresh] = handles_.try_emplace(expression, columns_.size());
  if (fresh)
    columns_.push_back({cel::compile_selector(expression, environment_),
                        std::vector<std::uint8_t>(fleet_->devices().size(), kUnasked),
                        {},
                        std::nullopt});
  return entry->second;
}

const cel::PreparedDevice& SelectorAnswers::prepared(std::uint32_t device) {
  cel::PreparedDevice& p = prepared_[device];
  if (!p.record) {
    const FleetDevice& d = fleet_->devices()[device];
    p = preparation_.prepare(fleet_->slices()[d.slice].object->driver, *d.object);
  }
  return p;
}

void SelectorAnswers::prepare_all() {
  for (std::uint32_t d = 0; d < prepared_.size(); ++d) prepared(d);
}

cel::Outcome SelectorAnswers::ask_anew(Handle handle, std::uint32_t device) {
  Column& column = columns_[handle];
  const cel::Outcome outcome = column.memo.matches(column.selector, prepared(device));
  column.answers[device] = static_cast<std::uint8_t>(outcome);
  return outcome;
}

cel::Verdict SelectorAnswers::verdict(Handle handle, std::uint32_t device) {
  return cel::evaluate(columns_[handle].selector, prepared(device));
}

const std::vector<SelectorAnswers::Handle>& SelectorAnswers::clause_handles(Handle handle) {
  if (columns_[handle].clauses) return *columns_[handle].clauses;
  std::vector<Handle> out;
  const std::vector<cel::Clause> clauses = columns_[handle].selector.clauses;
  if (clauses.size() > 1)
    for (const cel::Clause& clause : clauses) out.push_back(compile(clause.text));
  for (const Handle clause : out)
    if (!columns_[clause].selector.ok()) {
      out.clear();
      break;
    }
  return columns_[handle].clauses.emplace(std::move(out));
}

std::optional<std::size_t> SelectorAnswers::first_clause(Handle handle, std::uint32_t device,
                                                         cel::Outcome outcome) {
  const std::vector<Handle> handles = clause_handles(handle);
  for (std::size_t i = 0; i < handles.size(); ++i)
    if (ask(handles[i], device) == outcome) return i;
  if (!handles.empty()) return std::nullopt;
  const auto verdicts = clauses(handle, device);
  for (std::size_t i = 0; i < verdicts.size(); ++i)
    if (verdicts.size() > 1 && verdicts[i].outcome == outcome) return i;
  return std::nullopt;
}

std::vector<cel::Verdict> SelectorAnswers::clauses(Handle handle, std::uint32_t device) {
  return cel::evaluate_clauses(columns_[handle].selector, prepared(device));
}

}  // namespace etiage::dra
