#pragma once
// By which labels Prometheus, agents and clouds say which cluster a series is of.

#include <array>
#include <string_view>

namespace etiage::formats {

/// Best first: the external labels that people set, then those of OpenTelemetry (`k8s.cluster.name`), of
/// agents and of clouds.
inline constexpr auto kClusterLabels = std::to_array<std::string_view>(
    {"cluster", "cluster_name", "cluster_id", "k8s_cluster", "k8s_cluster_name", "kubernetes_cluster",
     "kube_cluster", "kube_cluster_name", "kubernetes_cluster_name", "eks_cluster", "aks_cluster",
     "gke_cluster"});

/// By which Mimir's federated queries, and we of its blocks, say whose tenant's a series is.
inline constexpr std::string_view kTenantLabel = "__tenant_id__";

}  // namespace etiage::formats
