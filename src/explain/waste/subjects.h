#pragma once
// Whom a finding is about, who answers for it, and the commands that act on it.

#include <string>
#include <vector>

#include "explain/waste/bill.h"

namespace etiage::explain {

/// The workload of a pod.
Subject workload_of(const Evidence& evidence, PodId pod);
Subject node_subject(const Evidence& evidence, NodeId node);

/// The team of the first pod that has one, else its namespace.
std::string owner_of(const Evidence& evidence, const std::vector<PodId>& pods);
/// A `team` label of the node, else its pool; empty: nobody known.
std::string owner_of(const NodeLife& node);

/// `kubectl -n chat scale deployment/llama --replicas=2`, or how such a workload is stopped or shrunk.
std::string scale_command(const Subject& workload, std::int64_t replicas);
/// The commands that make an empty node go away, in the words of whoever made it.
std::vector<std::string> release_commands(const NodeLife& node);

/// Pods that every node has, or that the kubelet itself runs: they neither pin a node nor stray onto it.
bool belongs_to_node(const PodLife& pod, const NodeLife& node);
/// Those of the workload that an autoscaler scales.
std::vector<PodId> scaled_pods(const Evidence& evidence, const ClusterAutoscaler& autoscaler);
/// Pods by workload, in order of cluster, namespace, name and kind.
std::vector<std::vector<PodId>> by_workload(const Evidence& evidence, const std::vector<PodId>& pods);
/// Those of `pods` that are there at the end of the window.
std::int64_t replicas_at_end(const Evidence& evidence, const std::vector<PodId>& pods);

/// `3.1%`, `41.5 h`, `1.5d`.
std::string percent_text(double ratio);
std::string hours_text(double seconds);
/// The series that told how busy the pod was.
std::string busy_source(const Evidence& evidence, PodId pod, BusySignal signal, DeviceId device);

}  // namespace etiage::explain
