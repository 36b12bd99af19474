#include "formats/bench_result.h"

#include <algorithm>
#include <iterator>

namespace etiage::formats {
namespace {

std::optional<double> number(const Tree& t) {
  return t.as_double();
}

/// The engine that a script's `backend` means; empty where that is only a protocol, such as `openai-chat`.
std::string engine_of(std::string_view backend) {
  if (backend.starts_with("vllm")) return "vllm";
  if (backend.starts_with("sglang")) return "sglang";
  return backend.starts_with("tensorrt") || backend.starts_with("trt") ? "trtllm" : "";
}

/// vLLM and SGLang's script of the same origin: flat keys in milliseconds, totals of tokens over completed
/// requests.
std::optional<BenchResult> vllm(const Tree& d) {
  const auto completed = number(d["completed"]), in = number(d["total_input_tokens"]),
             out = number(d["total_output_tokens"]);
  if (!d.has("mean_ttft_ms") || !completed || !in || !out || *completed <= 0) return std::nullopt;
  BenchResult r{.tool = d.has("model_id") ? "vllm bench serve" : "sglang bench_serving",
                .model = d["model_id"].text(),
                .input = *in / *completed,
                .output = *out / *completed,
                .engine = engine_of(d["backend"].text())};
  r.concurrency = number(d["max_concurrency"]);
  if (!r.concurrency) r.concurrency = number(d["concurrency"]);
  r.first_token_ms = number(d["mean_ttft_ms"]);
  r.token_ms = number(d["mean_tpot_ms"]);
  const auto duration = number(d["duration"]), e2e = number(d["mean_e2el_ms"]);
  const double latency = e2e.value_or(r.first_token_ms.value_or(0) + r.token_ms.value_or(0) * (r.output - 1));
  if (!r.concurrency && duration && *duration > 0)
    r.concurrency = *completed / *duration * latency / 1e3;  // Little's law
  return r;
}

std::optional<double> mean(const Tree& metric) {
  for (const auto* t : {&metric["successful"]["mean"], &metric["successful"]["median"], &metric["mean"],
                        &metric["avg"], &metric["p50"]})
    if (const auto v = number(*t)) return v;
  return std::nullopt;
}

/// guidellm: `benchmarks`, each with `metrics.*.successful.mean`.
std::vector<BenchResult> guidellm(const Tree& d) {
  std::vector<BenchResult> out;
  for (const auto& b : d["benchmarks"].items()) {
    const auto& m = b["metrics"];
    const auto in = mean(m["prompt_token_count"]), made = mean(m["output_token_count"]);
    if (!in || !made) continue;
    BenchResult r{.tool = "guidellm", .model = d["args"]["model"].text(), .input = *in, .output = *made};
    r.concurrency = mean(m["request_concurrency"]);
    r.first_token_ms = mean(m["time_to_first_token_ms"]);
    r.token_ms = mean(m["inter_token_latency_ms"]);
    if (!r.token_ms) r.token_ms = mean(m["time_per_output_token_ms"]);
    out.push_back(std::move(r));
  }
  return out;
}

std::optional<double> in_ms(const Tree& metric) {
  const auto value = mean(metric);
  if (!value) return value;
  const auto& unit = metric["unit"].text();
  return unit == "ns"                   ? *value / 1e6
         : unit == "us"                 ? *value / 1e3
         : unit == "s" || unit == "sec" ? *value * 1e3
                                        : *value;
}

/// A name, or a list of one, at the top or with the endpoint.
std::string model_in(const Tree& config) {
  for (const auto* t : {&config["model"], &config["model_names"], &config["endpoint"]["model_names"]}) {
    if (t->is_string()) return t->text();
    if (t->is_sequence() && !t->items().empty()) return t->at(0).text();
  }
  return "";
}

/// genai-perf and aiperf: one object a metric with `unit` and `avg`.
std::optional<BenchResult> genai_perf(const Tree& d) {
  const auto in = mean(d["input_sequence_length"]), made = mean(d["output_sequence_length"]);
  if (!d.has("time_to_first_token") || !in || !made) return std::nullopt;
  const auto& config = d["input_config"];
  BenchResult r{.tool = config.has("loadgen") ? "aiperf" : "genai-perf",
                .model = model_in(config),
                .input = *in,
                .output = *made};
  r.concurrency = number(config["perf_analyzer"]["stimulus"]["concurrency"]);
  if (!r.concurrency) r.concurrency = number(config["loadgen"]["concurrency"]);
  r.first_token_ms = in_ms(d["time_to_first_token"]);
  r.token_ms = in_ms(d["inter_token_latency"]);
  return r;
}

}  // namespace

std::vector<BenchResult> read_bench_results(const Tree& d) {
  std::vector<BenchResult> all;  // results of several runs, put into one list
  for (const auto& run : d.items()) std::ranges::move(read_bench_results(run), std::back_inserter(all));
  if (!all.empty()) return all;
  if (auto r = vllm(d)) return {*r};
  if (auto r = genai_perf(d)) return {*r};
  return guidellm(d);
}

}  // namespace etiage::formats
