#pragma once
// What the NVIDIA DRA driver publishes of its devices: product names and memory as they stand in
// ResourceSlices.

#include <string>
#include <vector>

#include "base/quantity.h"

namespace etiage::catalog {

struct PublishedDevice {
  std::string product;    ///< attribute `productName`
  std::string type;       ///< gpu or mig
  std::string profile;    ///< of a MIG device
  Quantity memory;        ///< capacity `memory`
  bool verified = false;  ///< read from a real slice
};

/// data/published_devices.csv, read once.
const std::vector<PublishedDevice>& published_devices();

}  // namespace etiage::catalog
