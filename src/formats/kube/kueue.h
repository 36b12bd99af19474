#pragma once
// Objects of kueue.x-k8s.io (v1beta1, v1beta2) and Kueue's controller configuration, from trees to the model,
// with the API server's defaults.

#include <string>

#include "base/diagnostic.h"
#include "base/tree.h"
#include "model/queue_config.h"

namespace etiage::formats {

/// Reads one object (of Kueue, or a Namespace) into its list. False: another kind, nothing is said about it.
/// What cannot be used becomes a diagnostic with its place, and the rest of the object is kept.
bool read_queue_object(const Tree& object, const std::string& file, QueueObjects& into,
                       Diagnostics& diagnostics);

/// A Configuration (config.kueue.x-k8s.io v1beta1, v1beta2).
Result<QueueConfiguration> read_queue_configuration(const Tree& document, const std::string& file);

}  // namespace etiage::formats
