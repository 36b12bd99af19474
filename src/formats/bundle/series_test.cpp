#include "formats/bundle/series.h"

#include <gmock/gmock.h>

#include "formats/testing/sample_log.h"
#include "formats/text/text_reader.h"

namespace etiage::formats::bundle {
namespace {

std::string disguised(std::string_view text, const KeptKeys& kept = {}) {
  std::string out;
  SeriesText to([](std::string_view metric) { return metric != "unknown"; }, kept,
                [](std::string_view name, NameOf) {
                  return names_nothing(name) ? std::string(name) : "<" + std::string(name) + ">";
                },
                [&](std::string_view bytes) { out += bytes; });
  TextReader reader(to, {.scrape_ms = 1000});
  reader.feed(text);
  reader.finish();
  to.finish();
  return out;
}

TEST(SeriesText, RenamesValuesAndKeepsWordsOfExporters) {
  EXPECT_EQ(
      disguised(R"(DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",modelName="NVIDIA L4",pod="chat-0"} 41 1791762600
kube_pod_container_resource_requests{pod="chat-0",resource="nvidia_com_gpu",unit="integer"} 1 1791762600
kube_node_labels{node="n1",label_nvidia_com_gpu_product="L4",label_acme_com_rack="r7",label_team="chat"} 1 1791762600
unknown{pod="chat-0"} 1 1791762600
)"),
      R"(DCGM_FI_DEV_GPU_UTIL{UUID="<GPU-1>",gpu="0",modelName="NVIDIA L4",pod="<chat-0>"} 41 1791762600.000
kube_pod_container_resource_requests{pod="<chat-0>",resource="nvidia_com_gpu",unit="integer"} 1 1791762600.000
kube_node_labels{label_<acme_com_rack>="<r7>",label_nvidia_com_gpu_product="L4",label_team="<chat>",node="<n1>"} 1 1791762600.000
# EOF
)");
}

TEST(SeriesText, GivesBackTheSameSamples) {
  const std::string text =
      "up{job=\"a\"} StaleNaN 7.001\nup{job=\"a\"} 0.1 8\nup{job=\"a\"} +Inf 9\nup{job=\"a\"} NaN 10\n";
  EXPECT_EQ(disguised(text),
            "up{job=\"<a>\"} StaleNaN 7.001\nup{job=\"<a>\"} 0.1 8.000\nup{job=\"<a>\"} +Inf 9.000\n"
            "up{job=\"<a>\"} NaN 10.000\n# EOF\n");
}

TEST(SeriesNames, MeetsEveryNameAndReadsNoSample) {
  std::vector<std::string> met;
  SeriesNames names([](std::string_view) { return true; }, {},
                    [&](std::string_view name, NameOf) {
                      met.emplace_back(name);
                      return std::string();
                    });
  TextReader reader(names);
  reader.feed("kube_pod_info{namespace=\"a\",node=\"n\",pod=\"p\",phase=\"Running\"} 1\n");
  EXPECT_EQ(reader.finish().samples, 0U);
  EXPECT_THAT(met, testing::UnorderedElementsAre("a", "n", "p"));
}

TEST(InstanceType, StaysWhereItIsACloudsAndIsANameElsewhere) {
  const Rename rename = [](std::string_view, NameOf) { return std::string("other"); };
  for (const char* type :
       {"p5.48xlarge", "g6.xlarge", "a3-highgpu-8g", "Standard_ND96isr_H100_v5", "c6i.metal-32xl"})
    EXPECT_EQ(disguised_instance_type(type, rename), type);
  for (const char* type : {"acme.rack7", "rack-7", "gpu", "acme-internal-thing.large"})
    EXPECT_EQ(disguised_instance_type(type, rename), "other");
}

}  // namespace
}  // namespace etiage::formats::bundle
