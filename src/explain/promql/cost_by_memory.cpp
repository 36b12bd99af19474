// `DCGM_FI_DEV_FB_USED / node_gpu_memory_total * node_hourly_cost`: money by memory used.

#include "explain/promql/rules.h"

namespace etiage::explain::promql {
namespace {

bool prices_memory(const Expr& e) {
  return e.kind == Expr::Kind::kBinary && (e.name == "*" || e.name == "/") && reads(e, is_gpu_memory) &&
         reads(e, is_cost);
}

}  // namespace

Faults cost_by_memory(const Expr& e, const Records&) {
  if (!any(e, prices_memory)) return {};
  std::string message =
      "money is divided by GPU memory used: an engine takes its memory at the start and keeps it whatever "
      "the "
      "load, and a pod that uses a part of its card blocks all of it, so that the rest is nobody's";
  if (any(e, [](const Expr& i) { return i.kind == Expr::Kind::kBinary && has_label(i, {"instance"}); }))
    message += "; joined on instance, which is the exporter's own address, it is empty";
  return {
      {"promql-cost-by-memory",
       Severity::kError,
       message,
       "costs that add up to no bill; FB_USED is MiB, and rows of shared cards count twice",
       "sum by (namespace, pod) (kube_pod_container_resource_requests{resource=~\"nvidia_com_gpu|"
       "nvidia_com_mig_.*|nvidia_com_gpu_shared\"} * on (node) group_left () node_gpu_hourly_cost) and on "
       "(namespace, pod) (kube_pod_status_phase{phase=\"Running\"} == 1)  # times the share of a slice; "
       "exactly: etiage cost --by pod",
       {}}};
}

}  // namespace etiage::explain::promql
