#include "evidence/engines.h"

#include <cmath>
#include <gtest/gtest.h>

#include "evidence/testing/sources.h"

namespace etiage::evidence {
namespace {

using testing::evidence;

std::string pod(const std::string& name, const std::string& more_labels = "", const std::string& args = "") {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: a, uid: " + name +
         ", creationTimestamp: '1969-12-31T00:00:00Z', labels: {app: x" + more_labels +
         "}}\nspec:\n  nodeName: n1\n  containers:\n  - {name: c, args: [" + args +
         "], resources: {requests: {nvidia.com/gpu: '1'}}}\n"
         "status: {phase: Running, startTime: '1969-12-31T00:00:00Z'}\n";
}

const std::string kNode =
    "apiVersion: v1\nkind: Node\nmetadata: {name: n1, creationTimestamp: '1970-01-01T00:00:00Z'}\n"
    "status: {capacity: {nvidia.com/gpu: '4', cpu: '8', memory: 64Gi}}\n";

/// A counter of pod `name` that goes from 100 to 100 + `growth` in a minute.
std::string counter(const std::string& metric, const std::string& name, const std::string& labels,
                    double growth) {
  const std::string head = metric + "{namespace=\"a\",pod=\"" + name + "\"" + labels + "} ";
  return head + "100 60\n" + head + std::to_string(100 + growth) + " 120\n";
}

struct Totals {
  double input = 0, cached = 0, output = 0, prefill = 0, decode = 0, images = 0;
  bool operator==(const Totals&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Totals& t) {
  return out << t.input << ' ' << t.cached << ' ' << t.output << ' ' << t.prefill << ' ' << t.decode << ' '
             << t.images;
}

Totals totals(const Evidence& e) {
  Totals sum;
  for (const Served& s : e.served) {
    sum.input += s.input.count, sum.cached += s.cached_input.count, sum.output += s.output.count;
    sum.prefill += s.prefill_seconds, sum.decode += s.decode_seconds, sum.images += s.images;
  }
  for (double* d : {&sum.input, &sum.cached, &sum.output, &sum.prefill, &sum.decode, &sum.images})
    *d = std::round(*d * 1e6) / 1e6;
  return sum;
}

Totals of_one_pod(const std::string& text) {
  return totals(evidence(kNode + pod("p"), text, 600));
}

TEST(Engines, CountTokensInTheirOwnWords) {
  const std::string m = ",model_name=\"m\"";
  EXPECT_EQ(of_one_pod(counter("vllm:prompt_tokens_total", "p", m, 30) +
                       counter("vllm:generation_tokens_total", "p", m, 7)),
            (Totals{30, 0, 7}));
  EXPECT_EQ(of_one_pod(counter("sglang:prompt_tokens_total", "p", m, 30) +
                       counter("sglang:cached_tokens_total", "p", m + ",cache_source=\"device\"", 10) +
                       counter("sglang:cached_tokens_total", "p", m + ",cache_source=\"total\"", 10) +
                       counter("sglang:generation_tokens_total", "p", m, 7)),
            (Totals{20, 10, 7}));
  EXPECT_EQ(of_one_pod(counter("tgi_request_input_length_sum", "p", "", 30) +
                       counter("tgi_request_generated_tokens_sum", "p", "", 7) +
                       counter("tgi_batch_inference_duration_sum", "p", ",method=\"prefill\"", 2) +
                       counter("tgi_batch_inference_duration_sum", "p", ",method=\"decode\"", 8)),
            (Totals{30, 0, 7, 2, 8}));
  EXPECT_EQ(
      of_one_pod(counter("nv_llm_input_token_len_sum", "p", ",model=\"tensorrt_llm\",version=\"1\"", 30) +
                 counter("nv_llm_output_token_len_sum", "p", ",model=\"tensorrt_llm\",version=\"1\"", 7)),
      (Totals{30, 0, 7}));
  EXPECT_EQ(of_one_pod(counter("llamacpp:prompt_tokens_total", "p", "", 30) +
                       counter("llamacpp:tokens_predicted_total", "p", "", 7) +
                       counter("llamacpp:prompt_seconds_total", "p", "", 1) +
                       counter("llamacpp:tokens_predicted_seconds_total", "p", "", 3)),
            (Totals{30, 0, 7, 1, 3}));
  EXPECT_EQ(of_one_pod(counter("te_batch_next_tokens_sum", "p", "", 30)), (Totals{30, 0, 0}));
  EXPECT_EQ(of_one_pod(counter("comfy_images_generated_total", "p", m, 12)), (Totals{.images = 12}));
}

TEST(Engines, ReadNamesWithAndWithoutTotalAndThePrefixOfRay) {
  for (const char* name :
       {"vllm:generation_tokens_total", "vllm:generation_tokens", "vllm_generation_tokens_total",
        "ray_vllm_generation_tokens_total", "ray_vllm:generation_tokens_total", "generation_tokens_total"})
    EXPECT_EQ(of_one_pod(counter(name, "p", ",model_name=\"m\"", 7)).output, 7) << name;
  EXPECT_EQ(of_one_pod(counter("vllm:generation_tokens_created", "p", "", 7)).output, 0);
  EXPECT_EQ(of_one_pod(counter("vllm:iteration_tokens_total_sum", "p", "", 7)).output, 0);
}

TEST(Engines, CountOnceWhatIsSeenTwice) {
  const std::string m = ",model_name=\"m\"";
  // two scrape jobs of one target
  EXPECT_EQ(of_one_pod(counter("vllm:generation_tokens_total", "p", m + ",job=\"a\"", 7) +
                       counter("vllm:generation_tokens_total", "p", m + ",job=\"b\"", 7))
                .output,
            7);
  // the bare names of NIM, or those of Ray, beside the engine's own
  EXPECT_EQ(of_one_pod(counter("vllm:generation_tokens_total", "p", m, 7) +
                       counter("generation_tokens_total", "p", m, 7) +
                       counter("ray_vllm_generation_tokens_total", "p", m, 7))
                .output,
            7);
  // tensor parallel ranks show the same counts, data parallel ranks and engines their own
  EXPECT_EQ(of_one_pod(counter("sglang:generation_tokens_total", "p", m + ",tp_rank=\"0\"", 7) +
                       counter("sglang:generation_tokens_total", "p", m + ",tp_rank=\"1\"", 7))
                .output,
            7);
  EXPECT_EQ(of_one_pod(counter("sglang:generation_tokens_total", "p", m + ",tp_rank=\"0\",dp_rank=\"0\"", 7) +
                       counter("sglang:generation_tokens_total", "p", m + ",tp_rank=\"1\",dp_rank=\"1\"", 5))
                .output,
            12);
  EXPECT_EQ(of_one_pod(counter("vllm:generation_tokens_total", "p", m + ",engine=\"0\"", 7) +
                       counter("vllm:generation_tokens_total", "p", m + ",engine=\"1\"", 5))
                .output,
            12);
}

/// Prompt tokens of a vLLM pod by source; the total is their sum.
std::string by_source(const std::string& name, double computed, double hits, double transferred) {
  const std::string m = ",model_name=\"m\"", s = "vllm:prompt_tokens_by_source_total";
  return counter("vllm:prompt_tokens_total", name, m, computed + hits + transferred) +
         counter(s, name, m + ",source=\"local_compute\"", computed) +
         counter(s, name, m + ",source=\"local_cache_hit\"", hits) +
         counter(s, name, m + ",source=\"external_kv_transfer\"", transferred);
}

TEST(Engines, SamplingSeveralAnswersComputesAPromptOnce) {
  // n = 8 of a prompt of 311 tokens: 2488 are counted, seven copies are found in the cache
  EXPECT_EQ(of_one_pod(by_source("p", 311, 2177, 0)), (Totals{311, 2177, 0}));
}

TEST(Engines, DecodePoolsDoNotCountPromptsAgain) {
  const std::string two = kNode + pod("prefill") + pod("decode");
  EXPECT_EQ(totals(evidence(two, by_source("prefill", 900, 100, 0) + by_source("decode", 1, 10, 989), 600)),
            (Totals{901, 100, 0}));
  // without a pool that computes, the same counters tell of an outer cache
  EXPECT_EQ(of_one_pod(by_source("p", 1, 10, 989)), (Totals{1, 999, 0}));
}

TEST(Engines, DecodePoolsAreToldByLabelsArgumentsOrTheEngine) {
  const std::string m = ",model_name=\"m\"";
  const std::string text =
      counter("sglang:prompt_tokens_total", "p", m, 100) + counter("sglang:prompt_tokens_total", "d", m, 100);
  const auto input = [&](const std::string& decode, const std::string& samples) {
    return totals(evidence(kNode + pod("p") + decode, samples, 600)).input;
  };
  EXPECT_EQ(input(pod("d"), text), 200);
  EXPECT_EQ(input(pod("d", ", llm-d.ai/role: decode"), text), 100);
  EXPECT_EQ(input(pod("d", ", nvidia.com/dynamo-sub-component-type: decode"), text), 100);
  EXPECT_EQ(input(pod("d", "", "--disaggregation-mode, decode"), text), 100);
  EXPECT_EQ(input(pod("d", "", "'--kv-transfer-config={\"kv_role\":\"kv_consumer\"}'"), text), 100);
  EXPECT_EQ(
      input(pod("d"), counter("sglang:prompt_tokens_total", "p", m, 100) +
                          counter("sglang:prompt_tokens_total", "d", m + ",engine_type=\"decode\"", 100)),
      100);
}

TEST(Engines, OnePhaseAloneDoesNotDivideTheMoney) {
  const std::string m = ",model_name=\"m\"";
  const std::string stage =
      counter("sglang:per_stage_req_latency_seconds_sum", "p", m + ",stage=\"prefill_forward\"", 5);
  EXPECT_EQ(of_one_pod(stage), (Totals{}));
  EXPECT_EQ(of_one_pod(stage + counter("sglang:inter_token_latency_seconds_sum", "p", m, 20)),
            (Totals{.prefill = 5, .decode = 20}));
}

TEST(Engines, PartsOfATritonPipelineDoNotNameTheModel) {
  const Evidence e = evidence(kNode + pod("p", "", "--model, acme/llama"),
                              counter("nv_llm_output_token_len_sum", "p", ",model=\"tensorrt_llm\"", 7), 600);
  ASSERT_EQ(e.models.size(), 1u);
  EXPECT_EQ(e.models[0].name, "acme/llama");
  EXPECT_EQ(e.pods[0].engine, "TensorRT-LLM");
}

TEST(Engines, TrainingServesNoModel) {
  const std::string owned =
      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: t, namespace: a, uid: t, creationTimestamp: "
      "'1970-01-01T00:00:00Z', ownerReferences: [{kind: PyTorchJob, name: t, uid: j, apiVersion: v1, "
      "controller: "
      "true}]}\nspec: {nodeName: n1, containers: [{name: c, args: [--model, gpt2], resources: {requests: "
      "{nvidia.com/gpu: '1'}}}]}\n";
  const Evidence e = evidence(kNode + owned + pod("p", "", "--model, gpt2"), "", 600);
  ASSERT_EQ(e.pods.size(), 2u);
  for (const PodLife& p : e.pods) EXPECT_EQ(p.model.valid(), p.name == "p") << p.name;
}

TEST(Engines, WorkersOfAReplicaServeWhatItsLeaderServes) {
  const auto member = [](const std::string& name, const std::string& index) {
    return pod(name,
               ", leaderworkerset.sigs.k8s.io/name: big, leaderworkerset.sigs.k8s.io/group-index: '0', "
               "leaderworkerset.sigs.k8s.io/worker-index: '" +
                   index + "'");
  };
  const Evidence e = evidence(kNode + member("big-0", "0") + member("big-0-1", "1"),
                              counter("vllm:generation_tokens_total", "big-0", ",model_name=\"m\"", 7), 600);
  for (const PodLife& p : e.pods) {
    EXPECT_EQ(p.workload, "big");
    ASSERT_TRUE(p.model.valid());
    EXPECT_EQ(e.models[p.model.index()].name, "m");
    EXPECT_EQ(p.leader, p.name == "big-0");
  }
}

TEST(Engines, ARayClusterMayHoldSeveralReplicas) {
  const auto member = [](const std::string& name, const std::string& type) {
    return pod(name, ", ray.io/cluster: r, ray.io/node-type: " + type);
  };
  const std::string m = ",model_name=\"m\"";
  const Evidence e =
      evidence(kNode + member("head", "head") + member("w1", "worker") + member("w2", "worker"),
               counter("ray_vllm_generation_tokens_total", "w1", m, 7) +
                   counter("ray_vllm_generation_tokens_total", "w2", m, 5),
               600);
  EXPECT_EQ(totals(e).output, 12);
  for (const PodLife& p : e.pods) EXPECT_EQ(p.leader, p.name != "head");
}

}  // namespace
}  // namespace etiage::evidence
