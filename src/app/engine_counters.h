#pragma once
// An engine's own counters and histograms as observations of its times: one an hour, so that busy hours and
// quiet ones both count.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/samples.h"
#include "sizing/calibration.h"

namespace etiage::app {

/// Takes samples of vLLM or SGLang; several replicas are taken for equals that share the load.
class EngineCounters final : public formats::SampleVisitor {
 public:
  bool wants(std::string_view metric) override;
  std::optional<formats::SeriesRef> series(formats::Labels labels) override;
  void samples(formats::SeriesRef ref, std::span<const formats::Sample> samples) override;

  const std::string& model() const { return model_; }
  const std::string& engine() const { return engine_; }  ///< `vllm` or `sglang`; empty: no sample of either
  /// Of every hour in which requests ended; of a single scrape: since the engine began. Requests in flight
  /// are those of Little's law, else the means of the gauges of running and waiting ones; hours without
  /// either say nothing.
  std::vector<sizing::Observation> observations(const std::string& source) const;

 private:
  /// What one series did in one hour.
  struct Ends {
    double first = 0, last = 0, sum = 0;
    std::int64_t from_ms = 0, to_ms = 0;
    int count = 0;
  };
  struct Series {
    std::string metric;
    std::map<std::int64_t, Ends> hours;
  };
  using Names = std::initializer_list<std::string_view>;

  double growth(Names metrics, std::int64_t hour) const;
  double mean(Names metrics, std::int64_t hour) const;
  double seconds(std::int64_t hour) const;
  std::optional<double> mean_ms(Names sums, Names counts, std::int64_t hour) const;
  std::optional<double> in_flight(std::int64_t hour) const;
  std::optional<sizing::Observation> observation(std::int64_t hour, const std::string& source) const;

  std::map<std::string, formats::SeriesRef> refs_;
  std::vector<Series> series_;
  std::set<std::int64_t> hours_;
  std::set<std::string> replicas_;
  std::string model_, engine_;
  bool single_ = true;  ///< no series has a second sample
};

}  // namespace etiage::app
