#include "app/calibration.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

#include "adapters/files.h"
#include "adapters/input_file.h"
#include "app/engine_counters.h"
#include "app/facts.h"
#include "base/json_writer.h"
#include "catalog/cards.h"
#include "formats/bench_result.h"
#include "formats/document.h"
#include "formats/engine_log.h"
#include "formats/kind.h"
#include "formats/text/text_reader.h"

namespace etiage::app {
namespace {

void read_log(Calibrated& out, std::string_view text, const std::string& path) {
  for (const auto& s : formats::read_engine_log(text)) {
    sizing::PrintedMemory m{s.weights_gib,
                            s.kv_cache_gib,
                            s.cuda_graph_gib,
                            s.kv_cache_tokens,
                            s.max_batched_tokens,
                            s.max_model_len,
                            s.utilization,
                            s.model,
                            s.engine,
                            s.engine_version,
                            s.tensor_parallel,
                            path};
    if (!m.empty()) out.printed.push_back(std::move(m));
  }
}

/// What the files say of the deployment; the first that says something counts.
struct Said {
  std::string model, engine;

  void model_is(const std::string& name) { model = model.empty() ? name : model; }
  void engine_is(const std::string& name) { engine = engine.empty() ? name : engine; }
};

void read_results(Calibrated& out, std::string_view text, const std::string& path, Said& said) {
  const auto documents = formats::read_documents(text, path, out.diagnostics);
  for (const auto& d : documents)
    for (const auto& r : formats::read_bench_results(d)) {
      said.model_is(r.model);
      said.engine_is(r.engine);
      out.observations.push_back({{r.input, r.output, std::max(1.0, r.concurrency.value_or(1))},
                                  r.first_token_ms,
                                  r.token_ms,
                                  path + " (" + r.tool + ")"});
    }
}

Result<void> read(Calibrated& out, const std::string& path, Said& said) {
  auto file = adapters::InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  using formats::ContentKind;
  const auto kind = formats::recognise(file->head(), file->tail());
  const auto whole = file->whole();
  if (kind == ContentKind::kPrometheusText || kind == ContentKind::kOpenMetrics) {
    EngineCounters counters;
    formats::TextReader reader(counters);
    reader.feed(whole.bytes);
    reader.finish();
    said.model_is(counters.model());
    said.engine_is(counters.engine());
    auto seen = counters.observations(path);
    if (seen.empty())
      out.diagnostics.push_back({Severity::kWarning,
                                 "no-engine-metrics",
                                 {path},
                                 "no finished requests of vLLM or SGLang with their number in flight",
                                 "give two scrapes or more: a single one seldom says how many ran at once"});
    std::ranges::move(seen, std::back_inserter(out.observations));
  } else if (kind == ContentKind::kEngineLog) {
    read_log(out, whole.bytes, path);
    if (!out.printed.empty()) said.model_is(out.printed.back().model);
  } else if (kind == ContentKind::kJson) {
    read_results(out, whole.bytes, path, said);
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

/// What was not said on the command line is taken from the last start-up log.
Result<sizing::Question> base_of(const SizeOptions& o, const Said& said,
                                 std::span<const sizing::PrintedMemory> printed) {
  sizing::Question q;
  if (said.model.empty() && o.config.empty())
    return failure("the files do not say which model is served", {}, "give --model, or --config config.json");
  const auto facts = facts_of(o.catalogs);
  if (!facts) return std::unexpected(facts.error());
  auto spec = model_of(said.model, o.config, facts->models);
  if (!spec) return std::unexpected(spec.error());
  q.model = std::move(*spec);
  if (o.cards.size() != 1) return failure("on which card does it run?", {}, "give --card");
  auto card = catalog::find_card(o.cards.front(), facts->cards);
  if (!card) return std::unexpected(card.error());
  auto device = o.mig == "auto" || o.mig == "off" || o.mig.empty()
                    ? Result<serving::Device>(sizing::device_of(*card))
                    : sizing::device_of(*card, o.mig, facts->mig_slices);
  if (!device) return std::unexpected(device.error());
  q.device = *device;
  q.quantization = o.quantization;
  const auto* const log = printed.empty() ? nullptr : &printed.back();
  auto engine = serving::parse_engine(!o.engine.empty()      ? o.engine
                                      : log == nullptr       ? said.engine.empty() ? "vllm" : said.engine
                                      : log->version.empty() ? log->engine
                                                             : log->engine + "@" + log->version);
  if (!engine) return std::unexpected(engine.error());
  q.settings.engine = *engine;
  const auto split = split_given(o);
  if (!split) return std::unexpected(split.error());
  if (*split) q.split = **split;
  if (!*split && log != nullptr) q.split.tensor = log->tensor_parallel.value_or(1);
  return q;
}

/// To six figures: more would claim what was not measured.
double six(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

/// `factor`, `low` and `high` at 32 requests in flight; the rest as it was learnt.
void write_factor(JsonWriter& json, std::string_view name, const sizing::Factor& f) {
  const double half = 1.2816 * std::sqrt(f.log.mean_variance);
  json.key(name)
      .begin_object()
      .member("factor", six(std::exp(f.log.mean)))
      .member("low", six(std::exp(f.log.mean - half)))
      .member("high", six(std::exp(f.log.mean + half)));
  json.member("logMean", six(f.log.mean))
      .member("logSlope", six(f.log.slope))
      .member("meanVariance", six(f.log.mean_variance))
      .member("slopeVariance", six(f.log.slope_variance))
      .member("covariance", six(f.log.covariance))
      .member("noise", six(f.noise))
      .member("observations", f.observations)
      .end_object();
}

Result<sizing::Factor> factor_of(const Tree& t, const std::string& path) {
  sizing::Factor f;
  if (t.is_null()) return f;
  for (const auto& [name, value] : {std::pair{"logMean", &f.log.mean},
                                    {"logSlope", &f.log.slope},
                                    {"meanVariance", &f.log.mean_variance},
                                    {"slopeVariance", &f.log.slope_variance},
                                    {"covariance", &f.log.covariance},
                                    {"noise", &f.noise}}) {
    const auto number = t[name].as_double();
    if (!number || !std::isfinite(*number) || std::abs(*number) > 50)
      return failure(fmt::format("{} is \"{}\", not a number that makes sense", name, t[name].text()),
                     {path, t.line});
    *value = *number;
  }
  const bool sound =
      f.log.mean_variance >= 0 && f.log.slope_variance >= 0 && f.noise >= 0 &&
      f.log.covariance * f.log.covariance <= f.log.mean_variance * f.log.slope_variance * (1 + 1e-6) + 1e-12;
  if (!sound) return failure("variances that cannot be", {path, t.line});
  f.observations =
      static_cast<int>(std::clamp<std::int64_t>(t["observations"].as_int().value_or(0), 0, 1 << 30));
  return f;
}

void write_memory(JsonWriter& json, const std::optional<sizing::LearntMemory>& m) {
  json.key("memory");
  if (!m) {
    json.null();
    return;
  }
  json.begin_object()
      .member("quantization", m->quantization)
      .member("tensorParallel", m->split.tensor)
      .member("weightsGiB", m->weights_gib)
      .member("kvCacheGiB", m->kv_cache_gib)
      .member("otherGiB", m->other_gib)
      .member("predictedWeightsGiB", m->predicted_weights_gib)
      .member("predictedKvCacheGiB", m->predicted_kv_cache_gib)
      .end_object();
}

std::optional<sizing::LearntMemory> memory_of(const Tree& t) {
  const auto weights = t["weightsGiB"].as_double(), other = t["otherGiB"].as_double();
  if (!weights || !other || !(*weights > 0) || !std::isfinite(*weights) || !std::isfinite(*other))
    return std::nullopt;
  sizing::LearntMemory m{
      .weights_gib = *weights, .other_gib = *other, .quantization = t["quantization"].text()};
  m.split.tensor =
      static_cast<int>(std::clamp<std::int64_t>(t["tensorParallel"].as_int().value_or(1), 1, 4096));
  return m;
}

}  // namespace

Result<Calibrated> calibrate(const std::vector<std::string>& paths, const SizeOptions& deployment) {
  Calibrated out;
  auto found = adapters::find_files(paths);
  out.diagnostics = found.diagnostics;
  Said said{.model = deployment.model, .engine = ""};
  for (const auto& f : found.files)
    if (auto ok = read(out, f.path, said); !ok) return std::unexpected(ok.error());
  if (out.observations.empty() && out.printed.empty()) {
    if (const auto& why = out.diagnostics; !why.empty())
      return failure("nothing to learn from: " + why.front().message, why.front().place, why.front().hint);
    return failure(
        "nothing to learn from: no finished requests in metrics, no benchmark result, no start-up log", {},
        "give /metrics texts of vLLM or SGLang, result JSON of a load generator, or the engine's log");
  }
  auto base = base_of(deployment, said, out.printed);
  if (!base) return std::unexpected(base.error());
  out.base = std::move(*base);
  auto learnt = sizing::calibrate(out.base, out.observations, out.printed, serving::builtin_coefficients());
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
  write_memory(json, c.learnt.memory);
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
  json.end_array().key("startUps").begin_array();
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

Result<sizing::Calibration> read_calibration(const std::string& path) {
  auto file = adapters::InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  Diagnostics faults;
  const auto documents = formats::read_documents(file->whole().bytes, path, faults);
  const auto& c = documents.size() == 1 ? documents.front()["calibration"] : Tree{};
  if (!c.is_map()) return failure("no calibration in it", {path}, "as `etiage calibrate -o yaml` writes one");
  auto token = factor_of(c["tpot"], path), first = factor_of(c["ttft"], path);
  if (!token) return std::unexpected(token.error());
  if (!first) return std::unexpected(first.error());
  return sizing::Calibration{c["model"].text(),     c["engine"].text(), c["card"].text(), *token, *first,
                             memory_of(c["memory"])};
}

}  // namespace etiage::app
