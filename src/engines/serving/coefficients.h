#pragma once
// How far real engines are from the perfect machine of step.h, learnt from published measurements
// (scripts/fit_serving.py writes data/serving_coefficients.csv) or from a deployment (sizing/calibrate.h).
//
//     log time = log( sum over terms of coefficient x term )          the prior: a coefficient a term and
//     engine
//              + sum over levels of weights(key of the level) . basis  the correction, where the key was
//              measured
//
// A level is a set of what identifies a run ("model+engine+card"); its keys share weights. A basis is smooth
// in the logarithms of concurrency and lengths. Unknown keys add nothing but their spread to the band.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engines/serving/step.h"

namespace etiage::serving {

/// What identifies a run, as the levels name it. `version` is the engine's, as text.
struct RunKeys {
  std::string model, engine, version, card, precision, split;

  bool operator==(const RunKeys&) const = default;
};

/// `bf16`, `fp8`, `int8`, `int4`, `fp4`: published tables do not tell block-wise from per-tensor scales.
std::string_view precision_class(const QuantizationScheme& scheme);

/// `tp8`, `tp8ep8`, `dp8ep8`, `tp2pp4`.
std::string split_name(const Parallelism& split);

RunKeys run_keys(const ModelSpec& model, const QuantizationScheme& scheme, const Device& device,
                 const Parallelism& split, const EngineRef& engine);

inline constexpr std::size_t kBasis = 12;
using Basis = std::array<double, kBasis>;

/// `one`, `c1` ... `c1024`, `input`, ...
std::string_view basis_name(std::size_t index);

/// One, six tents over the logarithm of concurrency, and five slopes; continued as constants outside what was
/// measured.
Basis basis_of(const Workload& work);

/// How loaded a replica is: 0 at 32 requests in flight, 1 at 1024, -1 at one.
double load_of(const Workload& work);

/// A logarithm that changes with the load, mean + slope x load_of, and how sure both are.
struct LoadFactor {
  double mean = 0, slope = 0;
  double mean_variance = 0, slope_variance = 0, covariance = 0;

  double at(double load) const { return mean + slope * load; }
  double variance(double load) const {
    return mean_variance + 2 * covariance * load + slope_variance * load * load;
  }
  bool operator==(const LoadFactor&) const = default;
};

/// A time with the band that holds four of five truths.
struct Estimate {
  double value = 0, low = 0, high = 0;  ///< milliseconds, or what the caller says
  bool calibrated = false;              ///< the model was measured on this engine and card in this precision

  bool operator==(const Estimate&) const = default;
};

/// What was learnt about one quantity.
class FittedQuantity {
 public:
  Estimate estimate(std::span<const double> terms, const RunKeys& keys, const Workload& work) const;
  /// The prior alone: what a model that nobody measured would get.
  double prior(std::span<const double> terms, std::string_view engine) const;
  /// Without the deployment's own factor.
  Estimate published(std::span<const double> terms, const RunKeys& keys, const Workload& work) const;

  struct Level {
    std::vector<std::string> fields;    ///< of RunKeys
    std::array<double, 3> amplitude{};  ///< prior spread of the constant, the tents, the slopes
    std::map<std::string, std::pair<Basis, int>, std::less<>> keys;  ///< weights and how many measurements
  };

  /// A deployment's own factor (sizing/calibration.h), on top of all else.
  struct OwnFactor {
    std::string model, engine, card;
    LoadFactor log;
    double noise = 0;  ///< of one measurement, in logarithms
  };

  std::vector<OwnFactor> own;
  std::vector<double> base;                                         ///< a multiplier a term
  std::map<std::string, std::vector<double>, std::less<>> engines;  ///< log factors a term
  std::vector<Level> levels;
  std::map<std::string, std::vector<std::string>, std::less<>> versions;  ///< measured versions an engine
  double noise = 0.1;                                                     ///< spread of one measurement
  double band_scale = 1;                      ///< so that four of five cross-validated truths lie inside
  double prior_low = -0.4, prior_high = 0.4;  ///< the same of the prior alone, in logarithms
};

struct Coefficients {
  FittedQuantity token, first_token;
};

Result<Coefficients> read_coefficients(std::string_view csv, const std::string& file);

/// The built-in table, read once.
const Coefficients& builtin_coefficients();

}  // namespace etiage::serving
