#pragma once
// One model over all cards, MIG profiles and splits: what starts, how many replicas a load needs, what it
// costs, and why the rest is out. The analytic screen: closed loops, means and a tail rule; finalists belong
// into the twin.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/money.h"
#include "catalog/mig_slices.h"
#include "sizing/calibration.h"

namespace etiage::sizing {

struct Slo {
  std::optional<double> first_token_p95_ms, token_p95_ms;

  bool operator==(const Slo&) const = default;
};

/// `ttft-p95=1s,tpot-p95=50ms`; `ttft` and `tpot` alone mean p95.
Result<Slo> parse_slo(std::string_view text);

/// What is to be served: an arrival rate, or requests in flight on one replica; neither: only memory is
/// asked.
struct Demand {
  std::optional<double> requests_per_second, concurrency;
  double input = 1024, output = 256;  ///< mean tokens a request
  int spare_replicas = 1;             ///< for failures, on top of what a rate needs
  std::vector<double> rates;  ///< requests a second of each minute of a trace, ascending; empty: no trace

  bool operator==(const Demand&) const = default;
};

/// What to look through.
struct Search {
  ModelSpec model;
  std::vector<Card> cards;
  bool mig = true;      ///< also MIG instances of cards that have them
  std::string profile;  ///< only this MIG instance; empty: whole cards, and every instance where `mig`
  std::vector<catalog::MigSlice> slices = catalog::mig_slices();
  std::optional<serving::Parallelism> split;  ///< only this one; absent: see `options`
  std::string quantization;
  serving::EngineSettings settings;
  std::optional<Demand> demand;
  Slo slo;
  std::optional<Calibration> own;  ///< what was learnt from a deployment
};

struct PriceOfCard {
  HourlyPrice hourly;
  std::string source;
};

/// What following the load minute by minute saves over standing ready for the busiest one.
struct Autoscaling {
  int floor = 0,
      peak = 0;  ///< replicas in the quietest twentieth of the minutes and in the busiest; with spares
  double mean = 0;
  std::optional<HourlyPrice> hourly;  ///< of the mean

  bool operator==(const Autoscaling&) const = default;
};

struct Option {
  std::string card, mig_profile;  ///< profile empty: whole cards
  bool verified = true;           ///< false: a figure of the card, the slice or the model was recalled
  Answer answer;
  int replicas = 1, spare_replicas = 0;
  double concurrency = 0;          ///< in flight on each replica at the demand
  double requests_per_second = 0;  ///< of one replica: with that concurrency, else the most within the SLO
  double saturated_requests_per_second = 0;  ///< the most that one replica takes within the SLO
  std::optional<HourlyPrice> hourly;         ///< of all replicas
  std::string price_source;
  std::optional<Autoscaling> autoscaling;  ///< only of a trace
  std::optional<double> full, saturated;   ///< currency per million tokens, input and output
  bool meets_slo = false;
  std::string reason;  ///< why it is out; empty where it is in
};

/// Without a split asked for, tensor-parallel widths of 1, 2, 4 and 8 are looked at, latent attention also
/// data-parallel over 8 ranks with the experts spread, and where eight cards are too small, two and four
/// nodes of eight as pipeline stages. `price` tells what one card costs an hour; a MIG instance costs its
/// share. Cheapest that meets the SLO first, then those that only start, then the rest, each group in order
/// of cost and name. Refused where a setting makes no sense.
Result<std::vector<Option>> options(const Search& search, const serving::Coefficients& coefficients,
                                    const std::function<std::optional<PriceOfCard>(const Card&)>& price);

/// When Kubernetes is not worth it. With a platform that costs `platform_hourly` (people and control planes)
/// and saves `saved_fraction` of the GPU bill by sharing and scaling, it pays from a GPU bill of platform /
/// fraction an hour.
struct Threshold {
  double platform_hourly = 0, saved_fraction = 0;
  std::string saved_source;  ///< where the fraction comes from
  double worth_from_hourly = 0;
};

/// Refused: a platform that costs nothing or less, a fraction outside 0 to 1. Without `saved_fraction` it is
/// what autoscaling saves on the best option, where there is a trace, else a quarter, which is assumed.
Result<Threshold> kubernetes_threshold(double platform_hourly, std::optional<double> saved_fraction,
                                       std::span<const Option> options);

}  // namespace etiage::sizing
