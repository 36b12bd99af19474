#pragma once
// Pods and pod specs, from trees to the model.

#include <string>

#include "base/diagnostic.h"
#include "base/tree.h"
#include "formats/kube/resources.h"
#include "model/pod.h"

namespace etiage::formats {

Pod read_pod(const Tree& object, const std::string& file, Diagnostics& diagnostics);
/// A spec by itself, as a template holds it; `labels` are those that its pods will carry.
PodSpec read_pod_spec(const Tree& spec, const LabelMap& labels, const FieldReading& reading);
std::vector<Toleration> read_tolerations(const Tree& tree);

}  // namespace etiage::formats
