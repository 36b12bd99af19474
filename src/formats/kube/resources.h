#pragma once
// Resource lists (`{cpu: 500m, nvidia.com/gpu: "1"}`) from trees to the model.

#include <string>

#include "base/diagnostic.h"
#include "base/tree.h"
#include "model/meta.h"

namespace etiage::formats {

/// Where an object stands and where remarks on its fields go.
struct FieldReading {
  const std::string& file;
  std::string object;  ///< `Pod default/web-0`
  Diagnostics& diagnostics;

  void refuse(const Tree& at, const std::string& path, std::string message) const;
};

/// A quantity that cannot be read is named in the diagnostics and left out.
ResourceList read_resource_list(const Tree& tree, const std::string& path, const FieldReading& reading);

}  // namespace etiage::formats
