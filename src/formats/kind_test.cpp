#include "formats/kind.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <rapidcheck/gtest.h>

namespace etiage::formats {
namespace {

using Kind = ContentKind;

TEST(Recognise, Contents) {
  const std::pair<std::string_view, Kind> cases[] = {
      {"", Kind::kEmpty},
      {" \n\n", Kind::kEmpty},
      {std::string_view("\0\1\2PK\0\0", 7), Kind::kBinary},
      {"apiVersion: v1\nkind: Pod\n", Kind::kKubernetesObjects},
      {"# a comment\n---\n- apiVersion: v1\n  kind: Pod\n", Kind::kKubernetesObjects},
      {"{\n \"kind\" : \"List\", \"apiVersion\":\"v1\"}", Kind::kKubernetesObjects},
      {"up 1\n", Kind::kPrometheusText},
      {"up{job=\"x\"} 1 1700000000000\n", Kind::kPrometheusText},
      {"{\"up\",job=\"x\"} 1\n", Kind::kPrometheusText},
      {"# TYPE a counter\na_total 1 1700000000.5\n# EOF\n", Kind::kOpenMetrics},
      {"# EOF\n", Kind::kOpenMetrics},
      {"{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}", Kind::kPrometheusApi},
      {"name,hourly\nn1,3.5\n", Kind::kPricesCsv},
      {"\xef\xbb\xbf\"instanceType\" , \"Hourly\"\r\np5.48xlarge,98\r\n", Kind::kPricesCsv},
      {"currency: USD\nprices:\n- card: H100\n  hourly: 2.5\n", Kind::kPricesYaml},
      {"instanceTypes: {p5.48xlarge: 55.04}\n", Kind::kPricesYaml},
      {"{\"prices\": [{\"card\": \"H100\", \"hourly\": 2}]}", Kind::kPricesYaml},
      {"currency: USD\noffers:\n- {name: a, kind: spot, hourly: 1}\n", Kind::kObjectFragment},
      {"BilledCost,ChargePeriodStart\n1,2\n", Kind::kInvoiceFocus},
      {"identity/LineItemId,lineItem/UnblendedCost\n", Kind::kInvoiceCur},
      {"time,gpus\n2026-01-01T00:00:00Z,3\n", Kind::kCsv},
      {"10.0.0.1 - - [12/Oct/2026:10:00:00 +0000] \"POST /v1/chat/completions HTTP/1.1\" 200 512 0.8\n",
       Kind::kAccessLog},
      {"{\"method\":\"POST\",\"path\":\"/v1/completions\",\"status\":200,\"duration\":3}\n",
       Kind::kAccessLog},
      {"hello world\n", Kind::kUnknown},
      {"[1,2,3]", Kind::kJson},
  };
  for (const auto& [text, kind] : cases) EXPECT_EQ(to_string(recognise(text, text)), to_string(kind)) << text;
}

/// What each recorded file is, by the beginning of its name.
TEST(Recognise, RecordedFiles) {
  const char* data = std::getenv("ETIAGE_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(data ? data : ETIAGE_SOURCE_DIR "/../shared/data") / "metrics";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no recordings at " << folder;
  const std::pair<std::string_view, Kind> kinds[] = {
      {"clusterqueue_describe", Kind::kKubectlText},
      {"hpa_", Kind::kKubectlText},
      {"kueue_workload_events", Kind::kKubectlText},
      {"kueue_workloads_table", Kind::kKubectlText},
      {"node-describe", Kind::kKubectlText},
      {"node-labels", Kind::kObjectFragment},
      {"nodelabels", Kind::kObjectFragment},
      {"node-capacity", Kind::kObjectFragment},
      {"kueue_workload_admissioncheck", Kind::kObjectFragment},
      {"nvidia-smi", Kind::kNvidiaSmi},
      {"vllmlog", Kind::kEngineLog},
      {"litellm_metrics", Kind::kPrometheusText},
      {"litellm", Kind::kSpendLog},
      {"promql", Kind::kPrometheusApi},
  };
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".source")) continue;
    Kind expected = name.ends_with(".prom") ? Kind::kPrometheusText : Kind::kKubernetesObjects;
    for (const auto& [beginning, kind] : kinds)
      if (name.starts_with(beginning)) {
        expected = kind;
        break;
      }
    std::ifstream file(entry.path());
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_EQ(to_string(recognise(std::string_view(text).substr(0, 65536))), to_string(expected)) << name;
  }
}

RC_GTEST_PROP(RecogniseProperty, AnyBytesAreSomething, (const std::string& text)) {
  RC_ASSERT(!to_string(recognise(text)).empty());
}

}  // namespace
}  // namespace etiage::formats
