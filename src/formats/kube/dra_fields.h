#pragma once
// Fields that several kinds of resource.k8s.io share. Internal to formats/kube/dra*.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/tree.h"
#include "model/dra.h"

namespace etiage::formats::dra {

/// One object being read: where it stands and where remarks go.
struct Reading {
  const std::string& file;
  std::string object;  ///< `ResourceSlice gpu-node-1`, for messages
  Diagnostics& diagnostics;

  void remark(const Tree& at, const std::string& path, std::string code, std::string message,
              std::string hint = {}) const;
};

std::vector<std::string> read_strings(const Tree& tree);
std::optional<std::string> read_optional_string(const Tree& tree);
std::optional<WrittenQuantity> read_quantity(const Tree& tree, const std::string& path,
                                             const Reading& reading);
/// An integer of 64 bits; 0 where nothing stands there, and, with a remark of that code, for anything else.
std::int64_t read_integer(const Tree& tree, const std::string& path, const std::string& code,
                          const Reading& reading);
/// `{name: {value: quantity}}`, and the older `{name: quantity}`.
CounterMap read_counters(const Tree& tree, const std::string& path, const Reading& reading);
DeviceTaint read_taint(const Tree& tree);
DeviceToleration read_toleration(const Tree& tree);
std::vector<DeviceSelector> read_selectors(const Tree& tree);
std::vector<DeviceConfig> read_configs(const Tree& tree);

ResourceSlice read_slice(const Tree& object, ObjectMeta meta, const Reading& reading);
ClaimSpec read_claim_spec(const Tree& spec, const std::string& path, const Reading& reading);
ResourceClaim read_claim(const Tree& object, ObjectMeta meta, const Reading& reading);

}  // namespace etiage::formats::dra
