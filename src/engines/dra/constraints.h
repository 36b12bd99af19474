#pragma once
// matchAttribute and distinctAttribute over the devices that one claim is being given.

#include <map>
#include <string>
#include <vector>

#include "engines/dra/behaviour.h"
#include "model/dra.h"

namespace etiage::dra {

/// A request or subrequest by name; `parent` is empty for a request of its own.
struct RequestName {
  std::string name, parent;

  /// Constraints count subrequests under their parent.
  const std::string& base() const { return parent.empty() ? name : parent; }
  std::string full() const { return parent.empty() ? name : parent + "/" + name; }
};

/// The attribute of that fully qualified name: as it stands, or without the domain where that is the driver.
/// Null: none.
const DeviceAttribute* find_attribute(const Device& device, std::string_view driver,
                                      std::string_view attribute);

bool affects(const DeviceConstraint& constraint, const RequestName& request);

/// One constraint of one claim while the search goes on. What `add` took must be given back by `remove`, last
/// first.
class ConstraintState {
 public:
  ConstraintState(const DeviceConstraint& constraint, const Behaviour& behaviour)
      : constraint_(&constraint), behaviour_(&behaviour) {}

  /// False: the device would break the constraint; nothing is kept then.
  bool add(const RequestName& request, const Device& device, std::string_view driver);
  void remove(const RequestName& request);
  const DeviceConstraint& constraint() const { return *constraint_; }
  std::size_t count() const { return count_; }

 private:
  bool add_matching(const DeviceAttribute& attribute);
  bool add_distinct(const RequestName& request, const DeviceAttribute& attribute);
  bool same(const DeviceAttribute& now, const DeviceAttribute& before) const;

  const DeviceConstraint* constraint_;
  const Behaviour* behaviour_;
  std::size_t count_ = 0;
  std::vector<DeviceAttribute>
      matching_;  ///< the value in force after each device; with lists the values in common
  std::vector<const DeviceAttribute*> distinct_;
  std::map<std::string, const DeviceAttribute*> distinct_of_request_;  ///< Behaviour::distinct_per_request
};

}  // namespace etiage::dra
