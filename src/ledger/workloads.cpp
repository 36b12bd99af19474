#include "ledger/workloads.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace etiage::ledger {

bool was_there(const PodLife& pod, Window window) {
  if (!pod.node.valid()) return false;
  if (window.empty()) return window.start <= pod.life.end;  // a state: who has not gone
  return pod.life.start < window.end && window.start < pod.life.end;
}

std::vector<WorkloadRow> workload_rows(const Evidence& evidence, const Ledger& ledger,
                                       const std::vector<Money>& borne, const PodFilter& wanted) {
  std::map<std::tuple<std::string, std::string, std::string, std::string>, WorkloadRow> rows;
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i) {
    const PodLife& pod = evidence.pods[i];
    if (!was_there(pod, evidence.window) || (wanted && !wanted(pod))) continue;
    WorkloadRow& row = rows[{pod.cluster, pod.ns, pod.workload, pod.workload_kind}];
    std::tie(row.cluster, row.ns, row.name, row.kind) =
        std::tie(pod.cluster, pod.ns, pod.workload, pod.workload_kind);
    if (row.team.empty()) row.team = pod.team;
    if (!row.model.valid()) row.model = pod.model;
    row.pods.push_back({i});
    row.gpu_hours += ledger.pods[i].gpu_hours;
    row.busy_hours += ledger.pods[i].busy_hours;
    row.buckets += ledger.pods[i].buckets;
    if (!borne.empty()) row.borne += borne[i];
  }
  std::vector<WorkloadRow> out;
  for (auto& [key, row] : rows) out.push_back(std::move(row));
  return out;
}

std::vector<DeviceUse> device_use(const Evidence& evidence) {
  std::vector<DeviceUse> out(evidence.devices.size());
  std::vector<std::map<BusySignal, double>> by_signal(evidence.devices.size());
  for (const Holding& h : evidence.holdings)
    if (h.device.valid())
      out[h.device.index()].held_hours += overlap(h.time, evidence.window).length().as_hours();
  for (const Work& w : evidence.work) {
    const DeviceId d = evidence.holdings[w.holding.index()].device;
    out[d.index()].measured_hours += w.measured_seconds / 3600;
    out[d.index()].busy_hours += w.busy_seconds / 3600;
    by_signal[d.index()][w.signal] += w.measured_seconds;
  }
  for (std::size_t d = 0; d < out.size(); ++d)
    if (!by_signal[d].empty())
      out[d].signal =
          std::ranges::max_element(by_signal[d], {}, [](const auto& s) { return s.second; })->first;
  return out;
}

}  // namespace etiage::ledger
