#include "engines/cel/type_mapping.h"

#include <algorithm>

namespace etiage::cel {
namespace {

bool dyn_or_error(const Type& t) {
  return t.is_dyn() || t.is(TypeKind::kError);
}

bool nullable(const Type& t) {
  if (t.wrapper) return true;
  switch (t.kind) {
    case TypeKind::kNull:
    case TypeKind::kOpaque:
    case TypeKind::kStruct:
    case TypeKind::kAny:
    case TypeKind::kDuration:
    case TypeKind::kTimestamp:
      return true;
    default:
      return t.is_dyn();
  }
}

bool equal_or_less_specific(const Type& a, const Type& b) {
  if (a.is_dyn() || a.is(TypeKind::kParam)) return true;
  if (b.is_dyn() || b.is(TypeKind::kParam)) return false;
  if (a.kind != b.kind) return false;
  if (a.is(TypeKind::kType)) return true;
  if (a.name != b.name || a.params.size() != b.params.size()) return false;
  for (std::size_t i = 0; i < a.params.size(); ++i) {
    if (!equal_or_less_specific(*a.params[i], *b.params[i])) return false;
  }
  return true;
}

}  // namespace

TypePtr most_general(const TypePtr& a, const TypePtr& b) {
  return equal_or_less_specific(*a, *b) ? a : b;
}

const TypePtr* TypeMapping::find(const Type& t) const {
  if (!t.is(TypeKind::kParam)) return nullptr;
  const auto found = map_.find(t.name);
  return found == map_.end() ? nullptr : &found->second;
}
void TypeMapping::add(const Type& param, TypePtr to) {
  bind(param.name, std::move(to));
}
void TypeMapping::bind(const std::string& param, TypePtr to) {
  TypePtr& slot = map_[param];
  log_.emplace_back(param, slot);
  slot = std::move(to);
}
void TypeMapping::roll_back(std::size_t mark) {
  while (log_.size() > mark) {
    auto& [param, before] = log_.back();
    if (before)
      map_[param] = before;
    else
      map_.erase(param);
    log_.pop_back();
  }
}

bool TypeMapping::assignable(const TypePtr& a, const TypePtr& b) {
  const std::size_t mark = log_.size();
  if (unify(a, b)) return true;
  roll_back(mark);
  return false;
}
bool TypeMapping::assignable_all(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b) {
  const std::size_t mark = log_.size();
  if (unify_all(a, b)) return true;
  roll_back(mark);
  return false;
}

bool TypeMapping::unify_all(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!unify(a[i], b[i])) return false;
  }
  return true;
}

bool TypeMapping::unify(const TypePtr& a, const TypePtr& b) {
  if (b->is(TypeKind::kParam)) {
    const auto s = substitutes(a, b);
    if (s.valid) return true;
    if (s.existed) return false;
  }
  if (a->is(TypeKind::kParam)) return substitutes(b, a).valid;
  if (dyn_or_error(*a) || dyn_or_error(*b)) return true;
  if (a->is(TypeKind::kNull)) return nullable(*b);
  if (b->is(TypeKind::kNull)) return nullable(*a);
  if (a->is(TypeKind::kType)) return b->is(TypeKind::kType);
  return a->kind == b->kind && a->name == b->name && unify_all(a->params, b->params);
}

TypeMapping::Substitution TypeMapping::substitutes(const TypePtr& t, const TypePtr& param) {
  if (same_type(*t, *param)) return {true, true};
  if (const TypePtr* found = find(*param)) {
    const TypePtr current = *found;
    if (same_type(*t, *current)) return {true, true};
    if (!unify(t, current)) return {false, true};
    TypePtr general = most_general(t, current);
    if (occurs_not(*param, *general)) add(*param, std::move(general));
    return {true, true};
  }
  if (!occurs_not(*param, *t)) return {false, false};
  add(*param, t);
  return {true, false};
}

bool TypeMapping::occurs_not(const Type& param, const Type& within) const {
  if (same_type(param, within)) return false;
  if (within.is(TypeKind::kParam)) {
    const TypePtr* found = find(within);
    return found == nullptr || occurs_not(param, **found);
  }
  return std::ranges::all_of(within.params, [&](const TypePtr& p) { return occurs_not(param, *p); });
}

TypePtr TypeMapping::substitute(const TypePtr& t, bool free_to_dyn) const {
  if (const TypePtr* found = find(*t)) return substitute(*found, free_to_dyn);
  if (t->is(TypeKind::kParam)) return free_to_dyn ? simple_type(TypeKind::kDyn) : t;
  if (t->params.empty()) return t;
  Type copy{t->kind, t->name, {}};
  for (const TypePtr& p : t->params) copy.params.push_back(substitute(p, free_to_dyn));
  return std::make_shared<const Type>(std::move(copy));
}

}  // namespace etiage::cel
