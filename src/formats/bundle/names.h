#pragma once
// Bundle: the same input with other names, so that a fault can be shown to somebody else. Every name is
// replaced by an alias that sorts as the name does: the ledger breaks ties by name and sums in the order of
// labels, so its numbers stay the same to the micro-unit. This header: names and their aliases.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace etiage::formats::bundle {

enum class NameOf : std::uint8_t {
  kAnything,
  kReplicaSet,  ///< its Deployment can still be told from the alias
  kContainer,   ///< whether it says `exporter` can still be told, as of its pod
};

/// Asked for each name that is met: once to list them all, then to replace them.
using Rename = std::function<std::string(std::string_view name, NameOf what)>;

/// Whether a text names nothing: empty, `<none>`, a truth value, or a number of up to four digits.
bool names_nothing(std::string_view text);

/// What was met; `host:port` counts as its host.
class NameList {
 public:
  void add(std::string_view name, NameOf what);

 private:
  friend class Aliases;
  std::set<std::string, std::less<>> names_;
  std::set<std::string, std::less<>> containers_;
  std::map<std::string, std::string, std::less<>> last_set_of_;  ///< Deployment to its last ReplicaSet
};

/// Aliases of everything listed. Order is kept among names, and among those that begin with `GPU-` or `MIG-`,
/// as these keep their beginning. The same list and seed give the same aliases; none of them holds a listed
/// name.
class Aliases {
 public:
  Aliases(const NameList& list, std::uint64_t seed);

  /// `text` itself where it names nothing.
  std::string of(std::string_view text) const;
  const std::map<std::string, std::string, std::less<>>& all() const { return alias_; }

 private:
  std::map<std::string, std::string, std::less<>> alias_;
};

}  // namespace etiage::formats::bundle
