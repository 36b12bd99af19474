#include "engines/cel/answer_memo.h"

#include "engines/cel/program.h"

namespace etiage::cel {
namespace {

/// After so many questions at least half of them must have been answered from memory.
constexpr std::size_t kTrial = 256;
constexpr std::size_t kFirstCells = 64;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t bits) {
  hash = (hash ^ bits) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 29);
}

/// Of the values at these places; a value that is not there counts as null, which no attribute is.
std::uint64_t hash_of(const DeviceRecord& record, const std::vector<std::uint32_t>& places) {
  std::uint64_t hash = record.allows_multiple_allocations() ? 1 : 0;
  for (const std::uint32_t place : places) {
    const Value* v = record.at(place);
    hash = v ? mixed(hash, v->bits()) : mixed(hash, 0);
  }
  return hash;
}

}  // namespace

bool AnswerMemo::worth_it(const Program& program) {
  return program.reads && (asked_ < kTrial || 2 * remembered_ < asked_);
}

const AnswerMemo::Places& AnswerMemo::places_in(const Program& program,
                                                const std::shared_ptr<const DeviceShape>& shape) {
  if (last_ && last_->shape == shape) return last_->places;
  KnownShape& known = shapes_[shape.get()];
  if (!known.shape) {
    known.shape = shape;
    for (const DeviceName& name : *program.reads) known.places.push_back(shape->find(hash_of(name), name));
  }
  last_ = &known;
  return known.places;
}

/// The cell with that answer, or the free one where it belongs.
std::size_t AnswerMemo::find(std::uint64_t hash, const DeviceRecord& record, const Places& places) const {
  const std::size_t mask = entries_.size() - 1, flag = places.size();
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Entry& entry = entries_[at];
    if (!entry.taken) return at;
    if (entry.hash != hash) continue;
    const Value* kept = &values_[entry.first_value];
    bool same = kept[flag].as_bool() == record.allows_multiple_allocations();
    for (std::size_t i = 0; same && i < places.size(); ++i) {
      const Value* v = record.at(places[i]);
      same = v ? kept[i].is_identical(*v) : kept[i].is(Kind::kNull);
    }
    if (same) return at;
  }
}

void AnswerMemo::grow() {
  std::vector<Entry> old(entries_.empty() ? kFirstCells : 2 * entries_.size());
  std::swap(old, entries_);
  for (const Entry& entry : old) {
    if (!entry.taken) continue;
    std::size_t at = entry.hash & (entries_.size() - 1);
    while (entries_[at].taken) at = (at + 1) & (entries_.size() - 1);
    entries_[at] = entry;
  }
}

Outcome AnswerMemo::matches(const Selector& selector, const PreparedDevice& device) {
  const Program& program = *selector.program;
  const DeviceRecord& record = *device.record;
  if (!worth_it(program) || record.error()) return cel::matches(selector, device);
  if (2 * remembered_ >= entries_.size()) grow();
  const Places& places = places_in(program, record.shape());
  const std::uint64_t hash = hash_of(record, places);
  Entry& entry = entries_[find(hash, record, places)];
  ++asked_;
  if (entry.taken) return entry.outcome;
  entry = {hash, static_cast<std::uint32_t>(values_.size()), cel::matches(selector, device), true};
  ++remembered_;
  for (const std::uint32_t place : places) values_.push_back(record.at(place) ? *record.at(place) : Value());
  values_.push_back(Value::boolean(record.allows_multiple_allocations()));
  return entry.outcome;
}

}  // namespace etiage::cel
