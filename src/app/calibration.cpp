#include "app/calibration.h"

#include <cmath>
#include <fmt/format.h>
#include <map>

#include "adapters/files.h"
#include "adapters/input_file.h"
#include "base/json_writer.h"
#include "catalog/cards.h"
#include "formats/bench_result.h"
#include "formats/document.h"
#include "formats/engine_log.h"
#include "formats/kind.h"
#include "formats/text/text_reader.h"

namespace etiage::app {
namespace {

/// Sums of the engine's counters at the first and the last sample of each series.
class Counters final : public formats::SampleVisitor {
 public:
  bool wants(std::string_view metric) override {
    return metric.starts_with("vllm:") || metric.starts_with("sglang:");
  }
  std::optional<formats::SeriesRef> series(formats::Labels labels) override {
    std::string key;
    for (const auto& l : labels) (key += l.value) += '\n';
    const auto [at, added] = refs_.try_emplace(key, static_cast<formats::SeriesRef>(metrics_.size()));
    if (added) {
      auto name = formats::label_value(labels, "__name__");
      name.remove_prefix(name.find(':') + 1);
      metrics_.emplace_back(name);
      ends_.push_back({});
      if (model_.empty()) model_ = formats::label_value(labels, "model_name");
    }
    return at->second;
  }
  void samples(formats::SeriesRef ref, std::span<const formats::Sample> samples) override {
    for (const auto& s : samples) {
      if (!std::isfinite(s.value)) continue;
      auto& e = ends_[ref];
      if (e.count++ == 0 || s.value < e.last)
        e.first = e.count == 1 ? s.value : 0;  // a reset begins anew from zero
      e.last = s.value;
      e.sum += s.value;
    }
  }

  /// Growth over the samples; a single scrape counts since the start of the engine.
  double growth(std::initializer_list<std::string_view> metrics) const {
    for (const auto metric : metrics) {
      double total = 0;
      for (std::size_t i = 0; i < ends_.size(); ++i)
        if (metrics_[i] == metric)
          total += ends_[i].count > 1 ? ends_[i].last - ends_[i].first : ends_[i].last;
      if (total > 0) return total;
    }
    return 0;
  }
  double mean(std::initializer_list<std::string_view> metrics) const {
    for (const auto metric : metrics) {
      double total = 0;
      for (std::size_t i = 0; i < ends_.size(); ++i)
        if (metrics_[i] == metric && ends_[i].count > 0) total += ends_[i].sum / ends_[i].count;
      if (total > 0) return total;
    }
    return 0;
  }
  const std::string& model() const { return model_; }

 private:
  struct Ends {
    double first = 0, last = 0, sum = 0;
    int count = 0;
  };
  std::map<std::string, formats::SeriesRef> refs_;
  std::vector<std::string> metrics_;
  std::vector<Ends> ends_;
  std::string model_;
};

std::optional<sizing::Observation> observation(const Counters& c, const std::string& source) {
  const double requests = c.growth({"request_success_total", "num_requests_total", "request_success",
                                    "time_to_first_token_seconds_count"});
  const double in = c.growth({"prompt_tokens_total"}), out = c.growth({"generation_tokens_total"});
  if (requests <= 0 || in <= 0 || out <= 0) return std::nullopt;
  sizing::Observation o{.work = {in / requests, out / requests, 1}, .source = source};
  const auto ratio_ms = [&](std::initializer_list<std::string_view> sums,
                            std::initializer_list<std::string_view> counts) -> std::optional<double> {
    const double n = c.growth(counts), s = c.growth(sums);
    return n > 0 && s > 0 ? std::optional(s / n * 1e3) : std::nullopt;
  };
  o.first_token_ms = ratio_ms({"time_to_first_token_seconds_sum"}, {"time_to_first_token_seconds_count"});
  o.token_ms = ratio_ms({"time_per_output_token_seconds_sum", "request_time_per_output_token_seconds_sum",
                         "inter_token_latency_seconds_sum"},
                        {"time_per_output_token_seconds_count", "request_time_per_output_token_seconds_count",
                         "inter_token_latency_seconds_count"});
  o.work.concurrency = std::max(1.0, c.mean({"num_requests_running", "num_running_reqs"}));
  return o;
}

void read_log(Calibrated& out, std::string_view text, const std::string& path) {
  for (const auto& s : formats::read_engine_log(text)) {
    sizing::PrintedMemory m{s.weights_gib,        s.kv_cache_gib, s.cuda_graph_gib, s.kv_cache_tokens,
                            s.max_batched_tokens, s.model,        s.engine_version, path};
    if (!m.empty()) out.printed.push_back(std::move(m));
  }
}

void read_results(Calibrated& out, std::string_view text, const std::string& path, std::string& model) {
  const auto documents = formats::read_documents(text, path, out.diagnostics);
  for (const auto& d : documents)
    for (const auto& r : formats::read_bench_results(d)) {
      if (model.empty()) model = r.model;
      out.observations.push_back({{r.input, r.output, std::max(1.0, r.concurrency.value_or(1))},
                                  r.first_token_ms,
                                  r.token_ms,
                                  path + " (" + r.tool + ")"});
    }
}

Result<void> read(Calibrated& out, const std::string& path, std::string& model) {
  auto file = adapters::InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  using formats::ContentKind;
  const auto kind = formats::recognise(file->head(), file->tail());
  const auto whole = file->whole();
  if (kind == ContentKind::kPrometheusText || kind == ContentKind::kOpenMetrics) {
    Counters counters;
    formats::TextReader reader(counters);
    reader.feed(whole.bytes);
    reader.finish();
    if (model.empty()) model = counters.model();
    if (auto o = observation(counters, path))
      out.observations.push_back(std::move(*o));
    else
      out.diagnostics.push_back({Severity::kWarning,
                                 "no-engine-metrics",
                                 {path},
                                 "no finished requests of vLLM or SGLang in these metrics",
                                 ""});
  } else if (kind == ContentKind::kEngineLog) {
    read_log(out, whole.bytes, path);
    if (model.empty() && !out.printed.empty()) model = out.printed.back().model;
  } else if (kind == ContentKind::kJson) {
    read_results(out, whole.bytes, path, model);
  } else {
    out.diagnostics.push_back(
        {Severity::kWarning,
         "not-used",
         {path},
         "reads as " + std::string(formats::to_string(kind)) + ", which says nothing about an engine's times",
         ""});
  }
  return {};
}

Result<sizing::Question> base_of(const SizeOptions& o, const std::string& model) {
  sizing::Question q;
  auto spec = model_of(model, o.config);
  if (!spec) return std::unexpected(spec.error());
  q.model = std::move(*spec);
  if (o.cards.size() != 1) return failure("on which card does it run?", {}, "give --card");
  auto card = catalog::find_card(o.cards.front(), catalog::cards());
  if (!card) return std::unexpected(card.error());
  auto device = o.mig == "auto" || o.mig == "off" || o.mig.empty()
                    ? Result<serving::Device>(sizing::device_of(*card))
                    : sizing::device_of(*card, o.mig);
  if (!device) return std::unexpected(device.error());
  q.device = *device;
  q.quantization = o.quantization;
  auto engine = serving::parse_engine(o.engine.empty() ? "vllm" : o.engine);
  if (!engine) return std::unexpected(engine.error());
  q.settings.engine = *engine;
  q.split.tensor = o.tensor.empty() ? 1 : std::atoi(o.tensor.c_str());
  return q;
}

void write_factor(JsonWriter& json, std::string_view name, const sizing::Factor& f) {
  json.key(name)
      .begin_object()
      .member("factor", std::exp(f.log_mean))
      .member("low", std::exp(f.log_mean - 1.2816 * f.log_spread))
      .member("high", std::exp(f.log_mean + 1.2816 * f.log_spread));
  json.member("logMean", f.log_mean)
      .member("logSpread", f.log_spread)
      .member("observations", f.observations)
      .end_object();
}

sizing::Factor factor_of(const Tree& t) {
  return {t["logMean"].as_double().value_or(0), t["logSpread"].as_double().value_or(0.3),
          static_cast<int>(t["observations"].as_int().value_or(0))};
}

}  // namespace

Result<Calibrated> calibrate(const std::vector<std::string>& paths, const SizeOptions& deployment) {
  Calibrated out;
  auto found = adapters::find_files(paths);
  out.diagnostics = found.diagnostics;
  std::string model = deployment.model;
  for (const auto& f : found.files)
    if (auto ok = read(out, f.path, model); !ok) return std::unexpected(ok.error());
  if (out.observations.empty() && out.printed.empty())
    return failure(
        "nothing to learn from: no finished requests in metrics, no benchmark result, no start-up log", {},
        "give /metrics texts of vLLM or SGLang, result JSON of a load generator, or the engine's log");
  auto base = base_of(deployment, model);
  if (!base) return std::unexpected(base.error());
  out.base = std::move(*base);
  auto learnt = sizing::calibrate(out.base, out.observations, serving::builtin_coefficients());
  if (!learnt) return std::unexpected(learnt.error());
  out.learnt = *learnt;
  return out;
}

std::string calibration_json(const Calibrated& c) {
  JsonWriter json;
  json.begin_object()
      .key("calibration")
      .begin_object()
      .member("model", c.learnt.model)
      .member("engine", c.learnt.engine)
      .member("card", c.learnt.card);
  write_factor(json, "tpot", c.learnt.token);
  write_factor(json, "ttft", c.learnt.first_token);
  json.end_object().key("observations").begin_array();
  for (const auto& o : c.observations) {
    json.begin_object()
        .member("source", o.source)
        .member("input", o.work.input)
        .member("output", o.work.output)
        .member("concurrency", o.work.concurrency);
    json.key("ttftMs");
    o.first_token_ms ? json.value(*o.first_token_ms) : json.null();
    json.key("tpotMs");
    o.token_ms ? json.value(*o.token_ms) : json.null();
    json.end_object();
  }
  json.end_array().key("memory").begin_array();
  for (const auto& m : c.printed) {
    json.begin_object().member("source", m.source).member("model", m.model).member("version", m.version);
    for (const auto& [name, value] : {std::pair{"weightsGiB", m.weights_gib},
                                      {"kvCacheGiB", m.kv_cache_gib},
                                      {"cudaGraphGiB", m.cuda_graph_gib}}) {
      json.key(name);
      value ? json.value(*value) : json.null();
    }
    json.key("kvCacheTokens");
    m.kv_cache_tokens ? json.value(*m.kv_cache_tokens) : json.null();
    json.end_object();
  }
  return json.end_array().end_object().take();
}

Result<serving::Coefficients> coefficients_with(const std::string& path) {
  if (path.empty()) return serving::builtin_coefficients();
  auto file = adapters::InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  Diagnostics faults;
  const auto documents = formats::read_documents(file->whole().bytes, path, faults);
  const auto& c = documents.size() == 1 ? documents.front()["calibration"] : Tree{};
  if (!c.is_map()) return failure("no calibration in it", {path}, "as `etiage calibrate -o yaml` writes one");
  return sizing::calibrated(
      serving::builtin_coefficients(),
      {c["model"].text(), c["engine"].text(), c["card"].text(), factor_of(c["tpot"]), factor_of(c["ttft"])});
}

}  // namespace etiage::app
