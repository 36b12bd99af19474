#pragma once
// Small clusters written down in a test: objects, samples of one hour and prices, read as files would be.

#include <string>

#include "app/scan.h"

namespace etiage::app::testing {

/// Any part may be empty. Objects are YAML documents or JSON, metrics OpenMetrics lines, prices CSV or YAML.
struct SmallCluster {
  std::string objects, metrics, prices;
};

/// Settled over the hour that the device rows span.
Reading read(const SmallCluster& cluster);

/// `series` once a minute from minute `from` to the one before `to` of the hour.
std::string gauge(const std::string& series, double value, int from = 0, int to = 60);
/// A counter that grows evenly from `first` at minute `from` to `last` at minute `to`.
std::string counter(const std::string& series, double first, double last, int from = 0, int to = 60);

/// A node that is ready for the whole hour; `resources` as `nvidia.com/gpu: 4`, `labels` likewise, comma by
/// comma.
std::string node(const std::string& name, const std::string& resources, const std::string& labels = "");
/// A pod of namespace `prod` that is placed and ready before the hour begins.
std::string pod(const std::string& name, const std::string& node, const std::string& requests,
                const std::string& labels = "");

/// The account of the only pod of that name; asserted.
const ledger::PodAccount& account(const Reading& reading, const std::string& pod);
bool has_check(const Reading& reading, const std::string& id);

}  // namespace etiage::app::testing
