#pragma once
// Unification of types: which type each free parameter stands for, with a way back.

#include <string>
#include <unordered_map>
#include <vector>

#include "engines/cel/type.h"

namespace etiage::cel {

class TypeMapping {
 public:
  /// Whether `a` may be used where `b` is wanted; the mapping changes only if so.
  bool assignable(const TypePtr& a, const TypePtr& b);
  bool assignable_all(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b);
  /// With parameters replaced by what they stand for; free ones by `dyn` if asked.
  TypePtr substitute(const TypePtr& t, bool free_to_dyn) const;
  void bind(const std::string& param, TypePtr to);

 private:
  const TypePtr* find(const Type& t) const;
  void add(const Type& param, TypePtr to);
  void roll_back(std::size_t mark);
  bool unify(const TypePtr& a, const TypePtr& b);
  bool unify_all(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b);
  struct Substitution {
    bool valid, existed;
  };
  Substitution substitutes(const TypePtr& t, const TypePtr& param);
  bool occurs_not(const Type& param, const Type& within) const;

  std::unordered_map<std::string, TypePtr> map_;
  std::vector<std::pair<std::string, TypePtr>> log_;  ///< what was there before each change
};

/// The more general of two types that unify.
TypePtr most_general(const TypePtr& a, const TypePtr& b);

}  // namespace etiage::cel
