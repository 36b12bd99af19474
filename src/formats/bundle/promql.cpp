#include "formats/bundle/promql.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/ascii.h"

namespace etiage::formats::bundle {
namespace {

constexpr auto kWords = std::to_array<std::string_view>(
    {"sum",      "avg",        "min",          "max",       "count",     "by",         "without",
     "on",       "ignoring",   "group",        "left",      "right",     "rate",       "irate",
     "increase", "delta",      "over",         "time",      "last",      "quantile",   "histogram",
     "label",    "replace",    "join",         "clamp",     "or",        "and",        "unless",
     "offset",   "bool",       "vector",       "scalar",    "absent",    "topk",       "bottomk",
     "dcgm",     "fi",         "dev",          "prof",      "gpu",       "util",       "utilization",
     "usage",    "sm",         "active",       "gr",        "engine",    "fb",         "used",
     "free",     "memory",     "mem",          "duty",      "cycle",     "tensor",     "pipe",
     "dram",     "gfx",        "activity",     "bytes",     "seconds",   "total",      "bucket",
     "le",       "vllm",       "sglang",       "tgi",       "nv",        "trtllm",     "trt",
     "llm",      "llamacpp",   "triton",       "litellm",   "num",       "requests",   "request",
     "running",  "waiting",    "queue",        "size",      "reqs",      "tokens",     "token",
     "prompt",   "generation", "generated",    "kv",        "cache",     "perc",       "hits",
     "kube",     "pod",        "node",         "container", "namespace", "deployment", "workload",
     "service",  "job",        "instance",     "cluster",   "exported",  "model",      "name",
     "uuid",     "hostname",   "cpu",          "working",   "set",       "http",       "metric",
     "info",     "status",     "latency",      "ttft",      "itl",       "percent",    "ratio",
     "per",      "second",     "milliseconds", "ms",        "s",         "m",          "h",
     "d"});

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool stays(std::string_view word) {
  return std::isdigit(static_cast<unsigned char>(word.front())) ||
         std::ranges::find(kWords, lower_case(word)) != kWords.end();
}

}  // namespace

std::string disguised_promql(std::string_view expression, const Rename& rename) {
  std::string out;
  for (std::size_t at = 0; at < expression.size();) {
    const char c = expression[at];
    if (c == '"' || c == '\'' || c == '`') {
      const auto end = std::min(expression.find(c, at + 1), expression.size());
      out += c + rename(expression.substr(at + 1, end - at - 1), NameOf::kAnything) + c;
      at = end + 1;
    } else if (is_word(c)) {
      const auto end =
          std::find_if_not(expression.begin() + static_cast<std::ptrdiff_t>(at), expression.end(), is_word);
      const std::string_view word(expression.begin() + static_cast<std::ptrdiff_t>(at), end);
      out += stays(word) ? std::string(word) : rename(word, NameOf::kAnything);
      at += word.size();
    } else {
      out += c;
      ++at;
    }
  }
  return out;
}

}  // namespace etiage::formats::bundle
