#include "render/sizing.h"

#include <cmath>
#include <fmt/format.h>

#include "base/json_writer.h"
#include "sizing/steps.h"

namespace etiage::render {
namespace {

double rounded(double value, int decimals) {
  const double scale = std::pow(10.0, decimals);
  return std::round(value * scale) / scale;
}

void member(JsonWriter& json, std::string_view name, std::optional<double> value, int decimals = 6) {
  json.key(name);
  value ? json.value(rounded(*value, decimals)) : json.null();
}

void write_memory(JsonWriter& json, const serving::MemoryBudget& m) {
  json.key("memory").begin_object();
  member(json, "totalGiB", m.total_gib, 4);
  member(json, "budgetGiB", m.budget_gib, 4);
  member(json, "weightsGiB", m.weights_gib, 4);
  member(json, "nonTorchGiB", m.non_torch_gib, 4);
  member(json, "activationGiB", m.activation_gib, 4);
  member(json, "cudaGraphGiB", m.cuda_graph_gib, 4);
  member(json, "kvCacheGiB", m.kv_cache_gib, 4);
  member(json, "kvBytesPerToken", m.kv_bytes_per_token, 2);
  json.member("kvCacheTokens", m.kv_cache_tokens);
  member(json, "maxConcurrency", m.max_concurrency, 2);
  json.member("maxModelLen", m.max_model_len)
      .member("maxNumBatchedTokens", m.max_batched_tokens)
      .member("maxNumSeqs", m.max_num_seqs);
  member(json, "gpuMemoryUtilization", m.utilization, 4);
  json.member("kvDtype", to_string(m.kv)).key("note");
  m.note.empty() ? json.null() : json.value(m.note);
  json.end_object();
}

void write_estimate(JsonWriter& json, std::string_view name, const serving::Estimate& e, double p95) {
  json.key(name).begin_object();
  member(json, "p50", e.value, 3);
  member(json, "p95", p95, 3);
  member(json, "low", e.low, 3);
  member(json, "high", e.high, 3);
  json.end_object();
}

std::string_view basis(const sizing::Performance& p) {
  return p.token_ms.calibrated && p.first_token_ms.calibrated ? "calibrated" : "prior";
}

void write_performance(JsonWriter& json, const std::optional<sizing::Performance>& p) {
  json.key("performance");
  if (!p) {
    json.null();
    return;
  }
  json.begin_object().member("basis", basis(*p));
  write_estimate(json, "ttftMs", p->first_token_ms, p->first_token_p95_ms);
  write_estimate(json, "tpotMs", p->token_ms, p->token_p95_ms);
  json.key("outputTokensPerSecond").begin_object();
  member(json, "value", p->output_tokens_per_second.value, 2);
  member(json, "low", p->output_tokens_per_second.low, 2);
  member(json, "high", p->output_tokens_per_second.high, 2);
  json.end_object().end_object();
}

void write_autoscaling(JsonWriter& json, const std::optional<sizing::Autoscaling>& a) {
  json.key("autoscaling");
  if (!a) {
    json.null();
    return;
  }
  json.begin_object().member("floorReplicas", a->floor).member("peakReplicas", a->peak);
  member(json, "meanReplicas", a->mean, 3);
  json.key("hourly");
  a->hourly ? json.value(*a->hourly) : json.null();
  json.end_object();
}

void write_option(JsonWriter& json, const sizing::Option& o) {
  json.begin_object().member("card", o.card).key("migProfile");
  o.mig_profile.empty() ? json.null() : json.value(o.mig_profile);
  json.member("tensorParallel", o.answer.split.tensor)
      .member("pipelineParallel", o.answer.split.pipeline)
      .member("dataParallel", o.answer.split.data)
      .member("expertParallel", o.answer.split.expert)
      .member("gpus", o.answer.split.gpus())
      .member("quantization", o.answer.quantization);
  json.member("fits", o.answer.memory.fits).key("reason");
  o.reason.empty() ? json.null() : json.value(o.reason);
  json.member("verified", o.verified);
  write_memory(json, o.answer.memory);
  write_performance(json, o.answer.memory.fits ? o.answer.performance : std::nullopt);
  json.member("replicas", o.replicas).member("spareReplicas", o.spare_replicas);
  member(json, "concurrencyPerReplica", o.concurrency, 2);
  member(json, "requestsPerSecondPerReplica", o.requests_per_second, 4);
  json.key("hourly");
  o.hourly ? json.value(*o.hourly) : json.null();
  write_autoscaling(json, o.autoscaling);
  json.key("priceSource");
  o.price_source.empty() ? json.null() : json.value(o.price_source);
  json.key("perMillionTokens").begin_object();
  member(json, "full", o.full);
  member(json, "saturated", o.saturated);
  json.end_object().member("meetsSlo", o.meets_slo).end_object();
}

Cell band(const serving::Estimate& e, int decimals) {
  Cell cell = number(e.value, decimals);
  cell.shown =
      fmt::format("{} ({}-{})", cell.shown, number(e.low, decimals).shown, number(e.high, decimals).shown);
  return cell;
}

/// Places differ in their ends, and a reason that is cut off is none.
Cell unshortened(std::string_view value) {
  Cell cell = text(value);
  cell.number = true;
  return cell;
}

Row in_row(const sizing::Option& o) {
  const auto& p = o.answer.performance;
  return {{unshortened(sizing::place_name(o)), number(o.answer.memory.weights_gib, 1),
           number(o.answer.memory.kv_cache_gib, 1), number(o.answer.memory.max_concurrency, 1),
           p ? band(p->first_token_ms, 0) : none(), p ? band(p->token_ms, 1) : none(), count(o.replicas),
           o.hourly ? price(*o.hourly) : none("no price"), o.full ? price(*o.full) : none(),
           o.saturated ? price(*o.saturated) : none(), p ? text(basis(*p)) : none()}};
}

constexpr std::size_t kOnScreen = 20;

void shorten(Table& table, bool all) {
  if (all || table.rows.size() <= kOnScreen) return;
  table.notes.insert(table.notes.begin(), fmt::format("{} more: -o wide.", table.rows.size() - kOnScreen));
  table.rows.resize(kOnScreen);
}

}  // namespace

std::string sizing_json(const SizingPage& page) {
  JsonWriter json;
  json.begin_object()
      .member("model", page.search.model.name)
      .member("currency", page.currency)
      .member("verified", page.search.model.verified);
  json.key("options").begin_array();
  for (const auto& o : page.options) write_option(json, o);
  json.end_array().key("steps").begin_array();
  for (const auto& step : sizing::steps(page.search, page.options, page.kubernetes))
    json.begin_object().member("name", step.name).member("statement", step.statement).end_object();
  json.end_array().key("kubernetes").begin_object();
  member(json, "platformHourly", page.kubernetes.platform_hourly);
  member(json, "savedFraction", page.kubernetes.saved_fraction);
  json.member("savedSource", page.kubernetes.saved_source);
  member(json, "worthFromHourly", page.kubernetes.worth_from_hourly);
  return json.end_object().end_object().take();
}

std::vector<Table> sizing_tables(const SizingPage& page) {
  Table in{.title = page.search.model.name,
           .columns = {{"place"},
                       {"weightsGiB", "WEIGHTS", "GiB/GPU", Align::kRight, Show::kWide},
                       {"kvCacheGiB", "KV", "GiB/GPU", Align::kRight, Show::kWide},
                       {"maxConcurrency", "FULL-LENGTH", "requests", Align::kRight, Show::kWide},
                       {"ttftMs", "TTFT", "ms", Align::kRight},
                       {"tpotMs", "TPOT", "ms", Align::kRight},
                       {"replicas", "REPLICAS", "", Align::kRight},
                       {"hourly", "HOURLY", page.currency, Align::kRight, Show::kIfRoom},
                       {"full", "PER MTOK", page.currency, Align::kRight},
                       {"saturated", "SATURATED", page.currency, Align::kRight, Show::kIfRoom},
                       {"basis", "", "", Align::kLeft, Show::kIfRoom}}};
  Table out{.title = "Out", .columns = {{"place"}, {"reason"}}};
  bool recalled = false;
  for (const auto& o : page.options) {
    if (o.answer.memory.fits && o.meets_slo)
      in.rows.push_back(in_row(o)), recalled = recalled || !o.verified;
    else
      out.rows.push_back({{unshortened(sizing::place_name(o)), unshortened(o.reason)}});
  }
  if (in.rows.empty())
    in.notes.push_back("Nothing serves this within the objective; the reasons stand below.");
  if (recalled)
    in.notes.push_back(
        "Some figures of these cards, slices or of the model are recalled, not verified (`verified` in "
        "JSON).");
  if (page.search.demand)
    in.notes.push_back(
        "In brackets: the band that holds four of five measured values. PER MTOK counts all replicas at the "
        "load asked for, SATURATED one replica at its most.");
  for (auto* table : {&in, &out}) shorten(*table, page.all);
  std::vector<std::string> told;
  for (const auto& step : sizing::steps(page.search, page.options, page.kubernetes))
    told.push_back(fmt::format("{}: {}.", step.name, step.statement));
  in.notes.insert(in.notes.begin(), told.begin(), told.end());
  if (out.rows.empty()) return {std::move(in)};
  return {std::move(in), std::move(out)};
}

Table sizing_sheet(const SizingPage& page) {
  Table out{.title = page.search.model.name, .columns = {}};
  for (const auto* const name :
       {"card",       "migProfile", "tensorParallel", "pipelineParallel", "dataParallel", "expertParallel",
        "fits",       "meetsSlo",   "reason",         "weightsGiB",       "kvCacheGiB",   "maxConcurrency",
        "ttftMs",     "ttftMsLow",  "ttftMsHigh",     "ttftMsP95",        "tpotMs",       "tpotMsLow",
        "tpotMsHigh", "tpotMsP95",  "basis",          "replicas",         "hourly",       "full",
        "saturated",  "currency"})
    out.columns.push_back({.name = name});
  for (const auto& o : page.options) {
    const auto& m = o.answer.memory;
    const auto& s = o.answer.split;
    Row row{{text(o.card), text(o.mig_profile), count(s.tensor), count(s.pipeline), count(s.data),
             count(s.expert), text(m.fits ? "true" : "false"), text(o.meets_slo ? "true" : "false"),
             text(o.reason), number(m.weights_gib, 2), number(m.kv_cache_gib, 2),
             number(m.max_concurrency, 2)}};
    const auto& p = m.fits ? o.answer.performance : std::nullopt;
    for (const auto& [e, p95] : {std::pair{p ? &p->first_token_ms : nullptr, p ? p->first_token_p95_ms : 0},
                                 {p ? &p->token_ms : nullptr, p ? p->token_p95_ms : 0}})
      for (const double v : {e ? e->value : 0, e ? e->low : 0, e ? e->high : 0, p95})
        row.cells.push_back(e ? number(v, 3) : none());
    row.cells.push_back(p ? text(basis(*p)) : none());
    row.cells.push_back(count(o.replicas));
    row.cells.push_back(o.hourly ? price(*o.hourly) : none());
    row.cells.push_back(o.full ? price(*o.full) : none());
    row.cells.push_back(o.saturated ? price(*o.saturated) : none());
    row.cells.push_back(text(page.currency));
    out.rows.push_back(std::move(row));
  }
  return out;
}

}  // namespace etiage::render
