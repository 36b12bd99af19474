#include "engines/quota/waiting.h"

#include <algorithm>
#include <tuple>

#include "engines/quota/local_usage.h"

namespace etiage::quota {

using Place = WorkloadState::Place;

std::uint64_t Waiting::key_of(const WorkloadState& w) {
  return (std::uint64_t{w.shape.value} << 32) | static_cast<std::uint32_t>(w.priority);
}

Waiting::Class& Waiting::class_of(WorkloadId id) {
  WorkloadState& w = of(id);
  if (w.waiting_class == kNoClass) {
    w.waiting_class =
        class_by_key_.try_emplace(key_of(w), static_cast<std::uint32_t>(classes_.size())).first->second;
    if (w.waiting_class == classes_.size()) classes_.emplace_back();
  }
  return classes_[w.waiting_class];
}

Waiting::Item Waiting::item_of(WorkloadId id) const {
  const WorkloadState& w = of(id);
  return {w.priority, w.order_time, w.uid_rank, id};
}

bool Waiting::before(const Item& a, const Item& b) const {
  if (by_usage_) {
    if (const int order = compare_usage(*state_, a.workload, b.workload); order != 0) return order < 0;
    if (sticky.valid() && (a.workload == sticky) != (b.workload == sticky)) return a.workload == sticky;
  }
  return std::tuple(-a.priority, a.time, a.uid_rank) < std::tuple(-b.priority, b.time, b.uid_rank);
}

void Waiting::put(std::vector<Item>& heap, std::size_t slot, const Item& item) {
  heap[slot] = item;
  of(item.workload).slot = static_cast<std::uint32_t>(slot);
}

void Waiting::sift_up(std::vector<Item>& heap, std::size_t slot) {
  const Item item = heap[slot];
  for (; slot > 0 && before(item, heap[(slot - 1) / 2]); slot = (slot - 1) / 2)
    put(heap, slot, heap[(slot - 1) / 2]);
  put(heap, slot, item);
}

/// Whether the item had to move.
bool Waiting::sift_down(std::vector<Item>& heap, std::size_t slot) {
  const std::size_t start = slot;
  const Item item = heap[slot];
  while (true) {
    std::size_t child = 2 * slot + 1;
    if (child >= heap.size()) break;
    if (child + 1 < heap.size() && before(heap[child + 1], heap[child])) ++child;
    if (!before(heap[child], item)) break;
    put(heap, slot, heap[child]);
    slot = child;
  }
  put(heap, slot, item);
  return slot != start;
}

void Waiting::fix(std::vector<Item>& heap, std::size_t slot) {
  if (!sift_down(heap, slot)) sift_up(heap, slot);
}

void Waiting::erase_at(std::vector<Item>& heap, std::size_t slot) {
  const Item last = heap.back();
  heap.pop_back();
  if (slot == heap.size()) return;
  put(heap, slot, last);
  fix(heap, slot);
}

bool Waiting::class_before(std::uint32_t a, std::uint32_t b) const {
  return before(classes_[a].heap.front(), classes_[b].heap.front());
}

void Waiting::put_class(std::size_t slot, std::uint32_t c) {
  active_[slot] = c;
  classes_[c].slot = static_cast<std::uint32_t>(slot);
}

/// The first of the class there is another one now.
void Waiting::fix_class(std::size_t slot) {
  const std::uint32_t c = active_[slot];
  while (slot > 0 && class_before(c, active_[(slot - 1) / 2])) {
    put_class(slot, active_[(slot - 1) / 2]);
    slot = (slot - 1) / 2;
  }
  for (std::size_t child = 2 * slot + 1; child < active_.size(); child = 2 * slot + 1) {
    if (child + 1 < active_.size() && class_before(active_[child + 1], active_[child])) ++child;
    if (!class_before(active_[child], c)) break;
    put_class(slot, active_[child]);
    slot = child;
  }
  put_class(slot, c);
}

void Waiting::activate(std::uint32_t c) {
  active_.push_back(c);
  fix_class(active_.size() - 1);
}

void Waiting::deactivate(std::uint32_t c) {
  const std::uint32_t slot = classes_[c].slot, last = active_.back();
  active_.pop_back();
  if (slot == active_.size()) return;
  put_class(slot, last);
  fix_class(slot);
}

void Waiting::insert(WorkloadId id, bool checked) {
  Class& c = class_of(id);
  WorkloadState& w = of(id);
  w.place = Place::kHeap;
  if (by_usage_) {
    shared_.push_back(item_of(id));
    return sift_up(shared_, shared_.size() - 1);
  }
  if (c.parked) dissolve(w.waiting_class);
  const bool first = c.heap.empty();
  if (first) {
    c.name_space = &w.spec->meta.ns;
    c.uniform = checked;
  } else {
    c.uniform &= checked && *c.name_space == w.spec->meta.ns;
  }
  c.heap.push_back(item_of(id));
  sift_up(c.heap, c.heap.size() - 1);
  if (first)
    activate(w.waiting_class);
  else if (w.slot == 0)
    fix_class(c.slot);
}

void Waiting::park(WorkloadId id) {
  WorkloadState& w = of(id);
  w.place = Place::kParked;
  w.slot = static_cast<std::uint32_t>(parked_.size());
  parked_.push_back(id);
}

void Waiting::unpark(WorkloadId id) {
  WorkloadState& w = of(id);
  const WorkloadId last = parked_.back();
  parked_[w.slot] = last;
  of(last).slot = w.slot;
  parked_.pop_back();
  w.place = Place::kNone;
}

void Waiting::dissolve(std::uint32_t c) {
  std::vector<Item> members;
  members.swap(classes_[c].heap);
  classes_[c].parked = false;
  std::erase(parked_classes_, c);
  for (const Item& item : members) park(item.workload);
}

void Waiting::park_with_its_like(WorkloadId id) {
  const std::uint64_t key = key_of(of(id));
  hopeless_.insert(key);
  park(id);
  if (by_usage_) {
    std::vector<WorkloadId> same;
    for (const Item& item : shared_)
      if (key_of(of(item.workload)) == key) same.push_back(item.workload);
    for (const WorkloadId w : same) {
      erase(w);
      park(w);
    }
    return;
  }
  Class& c = class_of(id);
  if (c.parked || c.heap.empty()) return;
  deactivate(of(id).waiting_class);
  c.parked = true;
  parked_classes_.push_back(of(id).waiting_class);
}

bool Waiting::hopeless(WorkloadId id) const {
  return !hopeless_.empty() && hopeless_.contains(key_of(of(id)));
}

void Waiting::update(WorkloadId id) {
  std::vector<Item>& heap = by_usage_ ? shared_ : class_of(id).heap;
  heap[of(id).slot] = item_of(id);
  fix(heap, of(id).slot);
  if (!by_usage_ && !class_of(id).parked) fix_class(class_of(id).slot);
}

void Waiting::erase(WorkloadId id) {
  WorkloadState& w = of(id);
  if (w.place == Place::kParked) return unpark(id);
  if (w.place != Place::kHeap) return;
  w.place = Place::kNone;
  if (by_usage_) return erase_at(shared_, w.slot);
  Class& c = class_of(id);
  if (!c.parked && c.heap.size() == 1) deactivate(w.waiting_class);
  if (c.parked && c.heap.size() == 1) {
    c.parked = false;
    std::erase(parked_classes_, w.waiting_class);
  }
  erase_at(c.heap, w.slot);
  if (!c.parked && !c.heap.empty()) fix_class(c.slot);
}

WorkloadId Waiting::pop() {
  WorkloadId first = by_usage_ ? shared_.front().workload : classes_[active_.front()].heap.front().workload;
  if (!by_usage_ && sticky.valid() && place(sticky) == Place::kHeap) first = sticky;
  erase(first);
  return first;
}

void Waiting::reactivate(const std::function<bool(const WorkloadState&)>& may_return) {
  hopeless_.clear();
  std::vector<std::uint32_t> classes;
  classes.swap(parked_classes_);
  for (const std::uint32_t c : classes) {
    if (!classes_[c].uniform || !may_return(of(classes_[c].heap.front().workload))) {
      dissolve(c);
      continue;
    }
    classes_[c].parked = false;
    activate(c);
  }
  std::vector<WorkloadId> parked;
  parked.swap(parked_);
  for (const WorkloadId id : parked) {
    if (may_return(of(id)))
      insert(id, true);
    else
      park(id);
  }
}

void Waiting::restore_order() {
  for (std::size_t slot = shared_.size() / 2; slot-- > 0;) sift_down(shared_, slot);
}

Place Waiting::place(WorkloadId id) const {
  const WorkloadState& w = of(id);
  const bool with_class = w.place == Place::kHeap && !by_usage_ && classes_[w.waiting_class].parked;
  return with_class ? Place::kParked : w.place;
}

std::vector<WorkloadId> Waiting::members() const {
  std::vector<WorkloadId> out;
  for (const Item& item : shared_) out.push_back(item.workload);
  for (const std::uint32_t c : active_)
    for (const Item& item : classes_[c].heap) out.push_back(item.workload);
  return out;
}

std::vector<WorkloadId> Waiting::in_order() const {
  std::vector<Item> items = shared_;
  for (const std::uint32_t c : active_)
    items.insert(items.end(), classes_[c].heap.begin(), classes_[c].heap.end());
  std::sort(items.begin(), items.end(), [&](const Item& a, const Item& b) { return before(a, b); });
  if (!by_usage_)
    std::stable_partition(items.begin(), items.end(), [&](const Item& i) { return i.workload == sticky; });
  std::vector<WorkloadId> out;
  for (const Item& item : items) out.push_back(item.workload);
  return out;
}

}  // namespace etiage::quota
