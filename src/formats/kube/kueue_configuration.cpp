#include <fmt/format.h>

#include "formats/kube/kueue.h"
#include "formats/kube/kueue_fields.h"

namespace etiage::formats {
namespace {

using namespace kueue;

/// Collects the first fault instead of going on: a configuration is used whole or not at all.
class ConfigurationReader {
 public:
  ConfigurationReader(const Tree& root, const std::string& file)
      : root_(root), reading_{file, "Configuration", faults_} {}

  Result<QueueConfiguration> read();

 private:
  std::optional<Duration> duration(const Tree& tree, const std::string& path);
  void read_fair_sharing(QueueConfiguration& out);
  void read_admission_fair_sharing(QueueConfiguration& out);
  void read_wait_for_pods_ready(QueueConfiguration& out);
  void read_resources(QueueConfiguration& out);

  const Tree& root_;
  Diagnostics faults_;
  FieldReading reading_;
};

std::optional<Duration> ConfigurationReader::duration(const Tree& tree, const std::string& path) {
  if (tree.is_null()) return std::nullopt;
  const auto out = parse_duration(tree.text());
  if (!out) reading_.refuse(tree, path, fmt::format("'{}' is not a duration as 5m or 1h30m", tree.text()));
  return out;
}

/// Being there enables it; v1beta1 may still say `enable: false`.
void ConfigurationReader::read_fair_sharing(QueueConfiguration& out) {
  const Tree& tree = root_["fairSharing"];
  if (!tree.is_map()) return;
  out.fair_sharing = tree["enable"].as_bool().value_or(true);
  for (const Tree& item : tree["preemptionStrategies"].items()) {
    if (item.text() == "LessThanOrEqualToFinalShare")
      out.fair_strategies.push_back(FairPreemptionStrategy::kLessThanOrEqualToFinalShare);
    else if (item.text() == "LessThanInitialShare")
      out.fair_strategies.push_back(FairPreemptionStrategy::kLessThanInitialShare);
    else
      reading_.refuse(
          item, "fairSharing.preemptionStrategies",
          fmt::format("'{}' is none of LessThanOrEqualToFinalShare, LessThanInitialShare", item.text()));
  }
}

void ConfigurationReader::read_admission_fair_sharing(QueueConfiguration& out) {
  const Tree& tree = root_["admissionFairSharing"];
  if (!tree.is_map()) return;
  AdmissionFairSharing& a = out.admission_fair_sharing.emplace();
  a.half_life =
      duration(tree["usageHalfLifeTime"], "admissionFairSharing.usageHalfLifeTime").value_or(a.half_life);
  a.sampling_interval = duration(tree["usageSamplingInterval"], "admissionFairSharing.usageSamplingInterval")
                            .value_or(a.sampling_interval);
  for (const auto& [resource, weight] : tree["resourceWeights"].members()) {
    if (const auto w = weight.as_double())
      a.resource_weights[resource] = *w;
    else
      reading_.refuse(weight, "admissionFairSharing.resourceWeights",
                      fmt::format("'{}' is not a number", weight.text()));
  }
}

void ConfigurationReader::read_wait_for_pods_ready(QueueConfiguration& out) {
  const Tree& tree = root_["waitForPodsReady"];
  if (!tree.is_map() || !tree["enable"].as_bool().value_or(true)) return;
  WaitForPodsReady& w = out.wait_for_pods_ready.emplace();
  w.timeout = duration(tree["timeout"], "waitForPodsReady.timeout").value_or(w.timeout);
  w.recovery_timeout = duration(tree["recoveryTimeout"], "waitForPodsReady.recoveryTimeout");
  w.block_admission = tree["blockAdmission"].as_bool().value_or(false);
  const Tree& requeue = tree["requeuingStrategy"];
  w.requeue_by_creation = requeue["timestamp"].text() == "Creation";
  w.backoff_limit = read_int32(requeue["backoffLimitCount"],
                               "waitForPodsReady.requeuingStrategy.backoffLimitCount", reading_);
  w.backoff_base_seconds = read_int32(requeue["backoffBaseSeconds"],
                                      "waitForPodsReady.requeuingStrategy.backoffBaseSeconds", reading_)
                               .value_or(w.backoff_base_seconds);
  w.backoff_max_seconds = read_int32(requeue["backoffMaxSeconds"],
                                     "waitForPodsReady.requeuingStrategy.backoffMaxSeconds", reading_)
                              .value_or(w.backoff_max_seconds);
}

void ConfigurationReader::read_resources(QueueConfiguration& out) {
  const Tree& tree = root_["resources"];
  out.excluded_resource_prefixes = read_strings(tree["excludeResourcePrefixes"]);
  for (const Tree& t : tree["transformations"].items())
    out.transformations.push_back(
        {t["input"].text(), t["multiplyBy"].text(), t["strategy"].text() != "Replace",
         read_resource_list(t["outputs"], "resources.transformations.outputs", reading_)});
  out.ignore_undeclared = tree["quotaCheckStrategy"].text() == "IgnoreUndeclared";
}

Result<QueueConfiguration> ConfigurationReader::read() {
  QueueConfiguration out;
  const std::string& version = root_["apiVersion"].text();
  if (root_["kind"].text() != "Configuration" || !version.starts_with("config.kueue.x-k8s.io/"))
    return failure("not a Configuration of config.kueue.x-k8s.io", {reading_.file, root_.line, 0, ""},
                   "give the file that Kueue's controller manager is started with");
  read_fair_sharing(out);
  read_admission_fair_sharing(out);
  read_wait_for_pods_ready(out);
  read_resources(out);
  for (const auto& [gate, on] : root_["featureGates"].members())
    out.feature_gates[gate] = on.as_bool().value_or(false);
  if (faults_.empty()) return out;
  return failure(faults_.front().message, faults_.front().place, faults_.front().hint);
}

}  // namespace

Result<QueueConfiguration> read_queue_configuration(const Tree& document, const std::string& file) {
  return ConfigurationReader(document, file).read();
}

}  // namespace etiage::formats
