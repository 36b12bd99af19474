#pragma once
// What a content is, told by its first bytes and never by its name.

#include <cstdint>
#include <string_view>

namespace etiage::formats {

enum class ContentKind : std::uint8_t {
  kUnknown,
  kEmpty,
  kBinary,             ///< not text, and nothing that is known
  kKubernetesObjects,  ///< YAML or JSON with `apiVersion` and `kind`
  kObjectFragment,     ///< a piece of an object without its kind: labels, capacities, a status
  kKubectlText,        ///< `kubectl describe`, tables, events
  kPrometheusText,     ///< exposition text, with or without times
  kOpenMetrics,        ///< OpenMetrics text, as `promtool tsdb dump-openmetrics` writes
  kPrometheusApi,      ///< an answer of the HTTP API: `{"status": ..., "data": ...}`
  kPricesYaml,
  kPricesCsv,
  kInvoiceFocus,  ///< FOCUS billing rows
  kInvoiceCur,    ///< AWS cost and usage report rows
  kEngineLog,     ///< vLLM and its like
  kNvidiaSmi,     ///< any of nvidia-smi's outputs
  kSpendLog,      ///< LiteLLM's spend log
  kGatewayLog,    ///< another gateway's log: who asked which model for how many tokens
  kAccessLog,     ///< one HTTP request a line, without tokens
  kCsv,           ///< another table
  kJson,          ///< another JSON value
  kPlan,          ///< `etiage plan -o json`
  kScenario,      ///< a scenario of the twin
};

/// As listings name it: `Kubernetes objects`.
std::string_view to_string(ContentKind kind);

/// `head`: the first bytes (64 KiB are plenty; decompressed). `tail`: the last ones where they are at hand:
/// `# EOF` there tells OpenMetrics.
ContentKind recognise(std::string_view head, std::string_view tail = {});

}  // namespace etiage::formats
