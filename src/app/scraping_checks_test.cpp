// What doctor reads out of monitors and exporters, as people write them.

#include <gmock/gmock.h>

#include "app/testing/small_cluster.h"
#include "explain/doctor/scraping.h"
#include "formats/document.h"
#include "formats/kube/cluster.h"

namespace etiage::app::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<Check> checks_of(const std::string& objects) {
  Diagnostics diagnostics;
  Cluster cluster;
  formats::add_objects(
      cluster,
      formats::kubernetes_objects(formats::read_documents(objects, "f", diagnostics), "f", diagnostics), "f",
      diagnostics);
  return explain::scraping_checks(read({objects, "", ""}).evidence, "", cluster);
}
std::vector<std::string> ids_of(const std::string& objects) {
  std::vector<std::string> out;
  for (const Check& c : checks_of(objects)) out.push_back(c.id);
  return out;
}
Check check_of(const std::string& objects, const std::string& id) {
  for (Check& c : checks_of(objects))
    if (c.id == id) return c;
  ADD_FAILURE() << "no " << id;
  return {};
}

std::string dcgm_monitor(const std::string& endpoint) {
  return R"(---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: dcgm-exporter, namespace: gpu, labels: {release: prom}}
spec: {selector: {matchLabels: {app: dcgm-exporter}}, endpoints: [{port: metrics, honorLabels: true)" +
         endpoint + "}]}\n";
}
std::string pod_monitor(const std::string& app, const std::string& endpoint = "") {
  return R"(---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: m, namespace: prod, labels: {release: prom}}
spec: {selector: {matchLabels: {app: )" +
         app + "}}, podMetricsEndpoints: [{port: http" + endpoint + "}]}\n";
}

/// An exporter with all that it needs on plain nodes; `env` and `more` of its container, `spec` of its pods.
std::string exporter(const std::string& env = "", const std::string& more = "", const std::string& spec = "",
                     const std::string& kubernetes = "true") {
  return R"(---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: dcgm-exporter, namespace: gpu}
spec:
  template:
    metadata: {labels: {app: dcgm-exporter}}
    spec:
      containers:
      - name: exporter
        image: nvcr.io/nvidia/k8s/dcgm-exporter:4.5.3-4.8.2-ubuntu22.04
        args: [-f, /etc/dcgm-exporter/counters/metrics]
        env: [{name: DCGM_EXPORTER_KUBERNETES, value: ')" +
         kubernetes + "'}" + env + R"(]
        securityContext: {capabilities: {add: [SYS_ADMIN]}}
        volumeMounts: [{name: pods, mountPath: /var/lib/kubelet/pod-resources}, {name: counters, mountPath: /etc/dcgm-exporter/counters}]
)" + more +
         R"(      volumes:
      - {name: pods, hostPath: {path: /var/lib/kubelet/pod-resources}}
      - {name: counters, configMap: {name: counters}}
)" + spec;
}
const std::string kCounters = R"(---
apiVersion: v1
kind: ConfigMap
metadata: {name: counters, namespace: gpu}
data:
  metrics: |
    # Format,,
    DCGM_FI_PROF_GR_ENGINE_ACTIVE, gauge, Ratio.
    DCGM_FI_PROF_SM_ACTIVE, gauge, Ratio.
)";
std::string env(const std::string& name, const std::string& value) {
  return ", {name: " + name + ", value: '" + value + "'}";
}
std::string gpu_node(const std::string& more = "", const std::string& resources = "nvidia.com/gpu: 1",
                     const std::string& labels = "") {
  return node("n1", "cpu: 8, memory: 32Gi, " + resources, labels) + more;
}

TEST(ScrapingChecks, AWholeChainHasNone) {
  EXPECT_THAT(ids_of(dcgm_monitor(", interval: 15s") + exporter() + kCounters + gpu_node()), IsEmpty());
}

TEST(ScrapingChecks, LabelsThatRelabelingsLose) {
  const auto lost = [](const std::string& rules) {
    return ids_of(dcgm_monitor(", metricRelabelings: [" + rules + "]"));
  };
  EXPECT_THAT(lost("{action: labeldrop, regex: UUID}"), Contains("monitor-drops-labels"));
  EXPECT_THAT(lost("{action: labelkeep, regex: 'UUID|GPU_I_ID|Hostname|pod|namespace'}"),
              Contains("monitor-drops-labels"))
      << "__name__ too";
  EXPECT_THAT(lost("{action: labelkeep, regex: '__name__|UUID|GPU_I_ID|Hostname|pod|namespace'}"), IsEmpty());
  EXPECT_THAT(lost("{action: labeldrop, regex: 'UUI'}"), IsEmpty()) << "patterns are anchored";
  EXPECT_THAT(lost("{targetLabel: pod, replacement: x}"), Contains("monitor-drops-labels"));
  EXPECT_EQ(check_of(dcgm_monitor(", metricRelabelings: [{action: labeldrop, regex: UUID}]"),
                     "monitor-drops-labels")
                .severity,
            Severity::kError);
}

TEST(ScrapingChecks, RenamedLabelsAreNotLost) {
  const std::string moved = R"(---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: dcgm-exporter, namespace: gpu}
spec:
  selector: {matchLabels: {app: dcgm-exporter}}
  endpoints:
  - port: metrics
    metricRelabelings:
    - {action: labelmap, regex: exported_(.+)}
    - {action: labeldrop, regex: exported_.+}
)";
  EXPECT_THAT(ids_of(moved), IsEmpty());
}

TEST(ScrapingChecks, LabelsThatAreNotHonored) {
  const std::string plain = R"(---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: dcgm-exporter, namespace: gpu}
spec: {selector: {matchLabels: {app: dcgm-exporter}}, endpoints: [{port: metrics}]}
)";
  const Check check = check_of(plain, "monitor-honor-labels");
  EXPECT_EQ(check.severity, Severity::kInfo);
  EXPECT_THAT(check.fix, HasSubstr("\"/spec/endpoints/0/honorLabels\",\"value\":true"));
}

TEST(ScrapingChecks, MetricsThatAreDropped) {
  EXPECT_THAT(check_of(dcgm_monitor(", metricRelabelings: [{action: drop, sourceLabels: [__name__], regex: "
                                    "DCGM_FI_PROF_.*}]"),
                       "monitor-drops-metrics")
                  .message,
              HasSubstr("DCGM_FI_PROF_SM_ACTIVE, DCGM_FI_PROF_GR_ENGINE_ACTIVE"));
  const std::string served = pod("a", "n1", "nvidia.com/gpu: 1", "app: llm");
  EXPECT_THAT(ids_of(gpu_node() + served +
                     pod_monitor("vllm",
                                 ", metricRelabelings: [{action: keep, sourceLabels: [__name__], regex: "
                                 "'vllm:.*_latency.*'}]")),
              Contains("monitor-drops-metrics"));
  EXPECT_THAT(
      ids_of(dcgm_monitor(", metricRelabelings: [{action: drop, sourceLabels: [__name__, pod], regex: "
                          "DCGM_FI_PROF_.*}]")),
      IsEmpty())
      << "that depends on the pod";
}

TEST(ScrapingChecks, IntervalsAndTimeouts) {
  EXPECT_EQ(check_of(dcgm_monitor(", interval: 10m"), "monitor-interval").severity, Severity::kWarning);
  EXPECT_EQ(check_of(dcgm_monitor(", interval: 2m"), "monitor-interval").severity, Severity::kInfo);
  EXPECT_EQ(check_of(dcgm_monitor(", interval: 15s, scrapeTimeout: 30s"), "monitor-interval").severity,
            Severity::kError);
}

TEST(ScrapingChecks, MonitorsThatNobodyTakesOrThatFindNothing) {
  const std::string prometheus = R"(---
apiVersion: monitoring.coreos.com/v1
kind: Prometheus
metadata: {name: k8s, namespace: monitoring}
spec: {serviceMonitorSelector: {matchLabels: {release: other}}, podMonitorSelector: {}}
)";
  EXPECT_THAT(check_of(dcgm_monitor("") + prometheus, "monitor-not-taken").fix,
              HasSubstr("kubectl -n gpu label servicemonitor dcgm-exporter release=other"));
  const std::string elsewhere = R"(---
apiVersion: monitoring.coreos.com/v1
kind: Prometheus
metadata: {name: k8s, namespace: monitoring}
spec: {serviceMonitorSelector: {}}
)";
  EXPECT_THAT(check_of(dcgm_monitor("") + elsewhere, "monitor-not-taken").fix,
              HasSubstr("serviceMonitorNamespaceSelector: {}"));
  const std::string service = R"(---
apiVersion: v1
kind: Service
metadata: {name: dcgm, namespace: gpu, labels: {app: dcgm}}
spec: {selector: {app: dcgm}, ports: [{name: web, port: 9400}]}
)";
  EXPECT_THAT(ids_of(dcgm_monitor("") + service), Contains("monitor-finds-nothing"));
  std::string other_port = service;
  other_port.replace(other_port.find("{app: dcgm}"), 11, "{app: dcgm-exporter}");
  EXPECT_THAT(ids_of(dcgm_monitor("") + other_port), Contains("monitor-port"));
}

TEST(ScrapingChecks, ServersThatNoMonitorSelects) {
  const auto server = [](const std::string& app) {
    return R"(---
kind: Pod
metadata: {name: a-0, namespace: prod, labels: {app: )" +
           app + R"(}}
spec:
  nodeName: n1
  containers: [{name: main, image: vllm/vllm-openai, args: [--model, m], resources: {requests: {nvidia.com/gpu: 1}}}]
status: {phase: Running, startTime: "2026-10-11T00:00:00Z"}
)";
  };
  const Check check = check_of(gpu_node() + server("llama") + pod_monitor("other"), "engine-not-monitored");
  EXPECT_THAT(check.subjects, ::testing::ElementsAre("prod/a-0"));
  EXPECT_THAT(check.fix, HasSubstr("matchLabels: {app: llama}"));
  EXPECT_THAT(ids_of(gpu_node() + server("llama") + pod_monitor("llama")),
              Not(Contains("engine-not-monitored")));
  EXPECT_THAT(ids_of(gpu_node() + server("llama")), IsEmpty()) << "monitors were not asked for";
}

TEST(ScrapingChecks, ExportersThatCannotNamePods) {
  EXPECT_THAT(ids_of(exporter("", "        envFrom: [{configMapRef: {name: e}}]\n", "", "false") + kCounters),
              IsEmpty())
      << "what it is told stands elsewhere";
  EXPECT_THAT(check_of(exporter("", "", "", "false") + kCounters, "exporter-kubernetes-off").fix,
              HasSubstr("kubectl -n gpu set env daemonset/dcgm-exporter DCGM_EXPORTER_KUBERNETES=true"));
  std::string unmounted = exporter();
  unmounted.replace(unmounted.find("/var/lib/kubelet/pod-resources}, "), 30, "/elsewhere");
  EXPECT_THAT(ids_of(unmounted + kCounters), Contains("exporter-pod-resources"));
  const std::string shared = gpu_node("", "nvidia.com/gpu: 4", "nvidia.com/gpu.replicas: '4'");
  EXPECT_THAT(ids_of(exporter() + kCounters + shared), Contains("exporter-virtual-gpus"));
  EXPECT_THAT(ids_of(exporter(env("KUBERNETES_VIRTUAL_GPUS", "true")) + kCounters + shared),
              Not(Contains("exporter-virtual-gpus")));
  const std::string renamed = gpu_node("", "nvidia.com/a100: 1");
  EXPECT_THAT(check_of(exporter() + kCounters + renamed, "exporter-resource-names").fix,
              HasSubstr("NVIDIA_RESOURCE_NAMES=nvidia.com/gpu,nvidia.com/a100"));
  EXPECT_THAT(
      ids_of(exporter(env("NVIDIA_RESOURCE_NAMES", "nvidia.com/gpu,nvidia.com/a100")) + kCounters + renamed),
      IsEmpty());
  const std::string gke = gpu_node("", "nvidia.com/gpu: 1", "cloud.google.com/gke-accelerator: nvidia-l4");
  EXPECT_THAT(ids_of(exporter() + kCounters + gke), Contains("exporter-gpu-id-type"));
  const std::string slice = R"(---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec: {driver: gpu.nvidia.com, nodeName: n1, pool: {name: n1, generation: 1, resourceSliceCount: 1}, devices: [{name: gpu-0}]}
)";
  EXPECT_THAT(ids_of(exporter() + kCounters + gpu_node() + slice), Contains("exporter-dra"));
}

TEST(ScrapingChecks, WhatAnExporterExports) {
  EXPECT_THAT(ids_of(exporter()), IsEmpty()) << "its list is not among the objects";
  std::string few = kCounters;
  few.erase(few.find("    DCGM_FI_PROF_SM_ACTIVE"));
  EXPECT_THAT(check_of(exporter() + few, "exporter-counters").fix,
              HasSubstr("kubectl -n gpu edit configmap counters"));
  std::string stock = exporter();
  stock.replace(stock.find("counters/metrics"), 16, "default-counters.csv");
  EXPECT_THAT(check_of(stock, "exporter-counters").message, HasSubstr("the image's own list"));
  std::string weak = exporter();
  weak.replace(weak.find("SYS_ADMIN"), 9, "NET_ADMIN");
  EXPECT_THAT(ids_of(weak + kCounters), Contains("exporter-capability"));
  EXPECT_THAT(ids_of(exporter(env("DCGM_EXPORTER_INTERVAL", "300000"))), Contains("exporter-interval"));
  EXPECT_THAT(ids_of(exporter(env("DCGM_EXPORTER_DEVICES_STR", "g,i"))), Contains("exporter-devices"));
}

TEST(ScrapingChecks, NodesThatNoExporterRunsOn) {
  std::string tainted = gpu_node();
  tainted.insert(tainted.find("status:"), "spec: {taints: [{key: gpu, value: 'yes', effect: NoSchedule}]}\n");
  EXPECT_THAT(check_of(exporter() + tainted, "exporter-misses-nodes").fix,
              HasSubstr("tolerations: [{key: gpu, operator: Exists}]"));
  EXPECT_THAT(ids_of(exporter("", "", "      tolerations: [{operator: Exists}]\n") + tainted), IsEmpty());
  EXPECT_THAT(ids_of(exporter("", "", "      nodeSelector: {gpu: 'true'}\n") + gpu_node()),
              Contains("exporter-misses-nodes"));
}

TEST(ScrapingChecks, APodTellsOfItsDaemonSet) {
  const std::string pod = R"(---
apiVersion: v1
kind: Pod
metadata: {name: dcgm-exporter-x1, namespace: gpu, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: dcgm-exporter, uid: u, controller: true}]}
spec: {containers: [{name: exporter, image: nvcr.io/nvidia/k8s/dcgm-exporter:4, securityContext: {privileged: true}, volumeMounts: [{name: token, mountPath: /var/run/secrets}]}]}
)";
  EXPECT_THAT(check_of(pod, "exporter-kubernetes-off").subjects,
              ::testing::ElementsAre("DaemonSet gpu/dcgm-exporter"));
  EXPECT_THAT(ids_of(pod + exporter() + kCounters), IsEmpty()) << "the DaemonSet itself says more";
  const std::string shortened = pod.substr(0, pod.find(", securityContext")) + "}]}\n";
  EXPECT_THAT(ids_of(shortened), IsEmpty()) << "of such a pod nothing is known";
}

}  // namespace
}  // namespace etiage::app::testing
