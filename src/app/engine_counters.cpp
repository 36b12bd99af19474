#include "app/engine_counters.h"

#include <algorithm>
#include <cmath>

namespace etiage::app {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;

/// The series' whole name, and that of its replica: pod or instance, whichever is there.
std::string key_of(formats::Labels labels) {
  std::string key;
  for (const auto& l : labels) ((key += l.name) += '=') += std::string(l.value) + '\n';
  return key;
}

std::string replica_of(formats::Labels labels) {
  std::string out;
  for (const auto* const name : {"namespace", "pod", "instance"})
    (out += formats::label_value(labels, name)) += '\n';
  return out;
}

}  // namespace

bool EngineCounters::wants(std::string_view metric) {
  return metric.starts_with("vllm:") || metric.starts_with("sglang:");
}

std::optional<formats::SeriesRef> EngineCounters::series(formats::Labels labels) {
  const auto [at, added] = refs_.try_emplace(key_of(labels), static_cast<formats::SeriesRef>(series_.size()));
  if (added) {
    auto name = formats::label_value(labels, "__name__");
    if (engine_.empty()) engine_ = name.substr(0, name.find(':'));
    name.remove_prefix(name.find(':') + 1);
    series_.push_back({std::string(name), {}});
    replicas_.insert(replica_of(labels));
    if (model_.empty()) model_ = formats::label_value(labels, "model_name");
  }
  return at->second;
}

void EngineCounters::samples(formats::SeriesRef ref, std::span<const formats::Sample> samples) {
  for (const auto& s : samples) {
    if (!std::isfinite(s.value)) continue;
    const auto hour = s.ms / kHourMs;
    auto& e = series_[ref].hours[hour];
    hours_.insert(hour);
    if (e.count == 0) e.first = s.value, e.from_ms = s.ms;
    if (e.count > 0 && s.value < e.last) e.first -= e.last;  // a reset begins anew from zero
    single_ = single_ && e.count == 0 && series_[ref].hours.size() == 1;
    e.last = s.value;
    e.to_ms = s.ms;
    e.sum += s.value;
    ++e.count;
  }
}

double EngineCounters::growth(Names metrics, std::int64_t hour) const {
  for (const auto metric : metrics) {
    double total = 0;
    for (const auto& s : series_)
      if (const auto e = s.hours.find(hour); s.metric == metric && e != s.hours.end())
        total += single_ ? e->second.last : e->second.last - e->second.first;
    if (total > 0) return total;
  }
  return 0;
}

double EngineCounters::mean(Names metrics, std::int64_t hour) const {
  for (const auto metric : metrics) {
    double total = 0;
    for (const auto& s : series_)
      if (const auto e = s.hours.find(hour); s.metric == metric && e != s.hours.end())
        total += e->second.sum / e->second.count;
    if (total > 0) return total;
  }
  return 0;
}

double EngineCounters::seconds(std::int64_t hour) const {
  double longest = 0;
  for (const auto& s : series_)
    if (const auto e = s.hours.find(hour); e != s.hours.end())
      longest = std::max(longest, static_cast<double>(e->second.to_ms - e->second.from_ms) / 1e3);
  return longest;
}

std::optional<double> EngineCounters::mean_ms(Names sums, Names counts, std::int64_t hour) const {
  const double n = growth(counts, hour), s = growth(sums, hour);
  return n > 0 && s > 0 ? std::optional(s / n * 1e3) : std::nullopt;
}

std::optional<double> EngineCounters::in_flight(std::int64_t hour) const {
  const double latency = growth({"e2e_request_latency_seconds_sum"}, hour),
               time = single_ ? 0 : seconds(hour);
  const double running = time > 0 && latency > 0 ? latency / time
                                                 : mean({"num_requests_running", "num_running_reqs"}, hour) +
                                                       mean({"num_requests_waiting", "num_queue_reqs"}, hour);
  if (running <= 0) return std::nullopt;
  return std::max(1.0, running / static_cast<double>(replicas_.size()));
}

std::optional<sizing::Observation> EngineCounters::observation(std::int64_t hour,
                                                               const std::string& source) const {
  const double requests = growth(
      {"request_success_total", "num_requests_total", "request_success", "time_to_first_token_seconds_count"},
      hour);
  const double in = growth({"prompt_tokens_total"}, hour), out = growth({"generation_tokens_total"}, hour);
  const auto running = in_flight(hour);
  if (requests <= 0 || in <= 0 || out <= 0 || !running) return std::nullopt;
  sizing::Observation o{.work = {in / requests, out / requests, *running}, .source = source};
  o.first_token_ms =
      mean_ms({"time_to_first_token_seconds_sum"}, {"time_to_first_token_seconds_count"}, hour);
  o.token_ms = mean_ms({"time_per_output_token_seconds_sum", "request_time_per_output_token_seconds_sum",
                        "inter_token_latency_seconds_sum"},
                       {"time_per_output_token_seconds_count", "request_time_per_output_token_seconds_count",
                        "inter_token_latency_seconds_count"},
                       hour);
  if (!o.first_token_ms && !o.token_ms) return std::nullopt;
  return o;
}

std::vector<sizing::Observation> EngineCounters::observations(const std::string& source) const {
  std::vector<sizing::Observation> out;
  for (const auto hour : hours_)
    if (auto o = observation(hour, source)) out.push_back(std::move(*o));
  return out;
}

}  // namespace etiage::app
