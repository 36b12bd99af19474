#include "sizing/options.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

#include "base/instant.h"
#include "catalog/cards.h"
#include "catalog/mig_geometry.h"

namespace etiage::sizing {
namespace {

constexpr double kMillion = 1e6, kHour = 3600;

/// One configuration under load, with the memory judged once.
class Loaded {
 public:
  Loaded(Question question, const serving::QuantizationScheme& scheme, const Answer& answer,
         const serving::Coefficients& coefficients, const Slo& slo)
      : question_(std::move(question)),
        scheme_(scheme),
        answer_(answer),
        coefficients_(coefficients),
        slo_(slo) {}

  Performance at(double concurrency) {
    question_.work->concurrency = concurrency;
    return performance_of(question_, scheme_, answer_.split, answer_.memory, coefficients_);
  }
  bool within(const Performance& p) const {
    return (!slo_.first_token_p95_ms || p.first_token_p95_ms <= *slo_.first_token_p95_ms) &&
           (!slo_.token_p95_ms || p.token_p95_ms <= *slo_.token_p95_ms);
  }
  double requests_per_second(const Performance& p) const {
    return p.output_tokens_per_second.value / question_.work->output;
  }

  /// The most requests in flight that stay within the SLO and the cache; 0 where one is too many.
  double capacity() {
    const double most = std::floor(served_at(4096));
    if (!within(at(1))) return 0;
    if (within(at(most))) return most;
    double low = 1, high = most;
    while (high - low > 0.5 && high / low > 1.02) {
      const double middle = std::sqrt(low * high);
      (within(at(middle)) ? low : high) = middle;
    }
    return std::max(1.0, std::floor(low));
  }

  /// The requests in flight at which a replica completes `rate` a second, at most `capacity`.
  double concurrency_for(double rate, double capacity) {
    double low = 0.01, high = capacity;
    for (int i = 0; i < 30 && high / low > 1.01; ++i) {
      const double middle = std::sqrt(low * high);
      const double reached = requests_per_second(at(std::max(1.0, middle))) * std::min(1.0, middle);
      (reached < rate ? low : high) = middle;
    }
    return high;
  }

 private:
  double served_at(double concurrency) {
    question_.work->concurrency = concurrency;
    return served(question_, scheme_, answer_.split, answer_.memory).concurrency;
  }

  Question question_;
  const serving::QuantizationScheme& scheme_;
  const Answer& answer_;
  const serving::Coefficients& coefficients_;
  const Slo& slo_;
};

std::string slo_reason(const Performance& p, const Slo& slo) {
  if (slo.first_token_p95_ms && p.first_token_p95_ms > *slo.first_token_p95_ms)
    return fmt::format("TTFT p95 is {:.0f} ms where {:.0f} are asked", p.first_token_p95_ms,
                       *slo.first_token_p95_ms);
  if (slo.token_p95_ms && p.token_p95_ms > *slo.token_p95_ms)
    return fmt::format("TPOT p95 is {:.1f} ms where {:.1f} are asked", p.token_p95_ms, *slo.token_p95_ms);
  return "";
}

double requests_at_most(Loaded& loaded) {
  const double capacity = loaded.capacity();
  return capacity > 0 ? loaded.requests_per_second(loaded.at(capacity)) : 0;
}

void load_with_concurrency(Option& o, Loaded& loaded, const Demand& demand, const Slo& slo) {
  o.saturated_requests_per_second = requests_at_most(loaded);
  o.concurrency = *demand.concurrency;
  o.answer.performance = loaded.at(o.concurrency);
  o.requests_per_second = loaded.requests_per_second(*o.answer.performance);
  o.meets_slo = loaded.within(*o.answer.performance);
  o.reason = slo_reason(*o.answer.performance, slo);
}

void load_with_rate(Option& o, Loaded& loaded, const Demand& demand, const Slo& slo) {
  const double capacity = loaded.capacity(), rate = *demand.requests_per_second;
  if (capacity == 0) {
    o.answer.performance = loaded.at(1);
    o.reason = slo_reason(*o.answer.performance, slo) + " with a single request in flight";
    return;
  }
  o.requests_per_second = o.saturated_requests_per_second = loaded.requests_per_second(loaded.at(capacity));
  const double needed = std::ceil(rate / o.requests_per_second - 1e-9);
  if (needed > 1e6) {
    o.reason = fmt::format("{:.3g} replicas would be needed", needed);
    return;
  }
  o.spare_replicas = demand.spare_replicas;
  o.replicas = std::max(1, static_cast<int>(needed)) + o.spare_replicas;
  o.concurrency = loaded.concurrency_for(rate / std::max(1.0, needed), capacity);
  o.answer.performance = loaded.at(std::max(1.0, o.concurrency));
  o.meets_slo = loaded.within(*o.answer.performance);
  o.reason = slo_reason(*o.answer.performance, slo);
}

/// Printed amounts are whole micro-units, so all that is reckoned from them is.
HourlyPrice in_micro_units(double pico) {
  constexpr std::int64_t kMicro = 1'000'000;
  return {std::llround(pico / kMicro) * kMicro};
}

/// Cost of all tokens at the demand, and at the most that a replica takes.
void reckon_cost(Option& o, const Demand& demand, HourlyPrice replica) {
  o.hourly = replica * o.replicas;
  const double tokens = demand.input + demand.output;
  const double rate = demand.requests_per_second.value_or(o.requests_per_second);
  if (rate > 0 && o.answer.performance) o.full = o.hourly->units() / (rate * tokens * kHour) * kMillion;
  if (o.saturated_requests_per_second > 0)
    o.saturated = replica.units() / (o.saturated_requests_per_second * tokens * kHour) * kMillion;
}

/// A card or a slice of it, and what it costs.
struct Place {
  const Card* card;
  std::string profile;
  serving::Device device;
  bool verified;
  std::optional<PriceOfCard> price;  ///< of one GPU or slice
};

/// `1g.10gb+me`, `1g.24gb-me`: media engines or graphics are added or left out, which changes no time.
bool has_engines(std::string_view profile) {
  return profile.find_first_of("+-") != std::string_view::npos;
}

std::vector<Place> places(const Search& s,
                          const std::function<std::optional<PriceOfCard>(const Card&)>& price) {
  std::vector<Place> out;
  for (const auto& card : s.cards) {
    auto cost = price(card);
    if (cost) cost->hourly = in_micro_units(static_cast<double>(cost->hourly.pico));
    if (s.profile.empty())
      out.push_back({&card, "", device_of(card), card.verified && s.model.verified, cost});
    const auto geometry = s.mig ? catalog::mig_geometry(card.key) : std::nullopt;
    if (!geometry) continue;
    for (const auto& p : geometry->profiles) {
      const bool asked = s.profile.empty() ? !has_engines(p.name) : p.name == s.profile;
      if (!asked) continue;  // media engines and graphics make no difference here
      auto device = device_of(card, p.name, s.slices);
      if (!device) continue;
      auto part = cost;
      if (part) part->hourly = in_micro_units(static_cast<double>(part->hourly.pico) * geometry->share(p));
      out.push_back({&card, p.name, *device,
                     catalog::mig_slice(card.key, p.name, s.slices)->verified && s.model.verified, part});
    }
  }
  return out;
}

using Splits = std::vector<serving::Parallelism>;

Splits splits(const Search& s, const Place& place) {
  if (!place.profile.empty())
    return !s.split || s.split->gpus() == 1 ? Splits{{}} : Splits{};  // slices have no peers
  if (s.split) return {*s.split};
  Splits out{{.tensor = 1}, {.tensor = 2}, {.tensor = 4}, {.tensor = 8}};
  if (s.model.latent && s.model.moe) out.push_back({.data = 8, .expert = 8});
  return out;
}

/// Several nodes of eight, for what one node cannot hold.
const Splits& nodes_of_eight() {
  static const Splits kNodes{{.tensor = 8, .pipeline = 2}, {.tensor = 8, .pipeline = 4}};
  return kNodes;
}

/// Replicas that a rate needs, spares included.
int replicas_for(double rate, double each, int spare) {
  return std::max(1, static_cast<int>(std::ceil(rate / each - 1e-9))) + spare;
}

Autoscaling autoscaling_of(const Demand& d, double each, const std::optional<HourlyPrice>& replica) {
  Autoscaling a{.floor = replicas_for(d.rates[d.rates.size() / 20], each, d.spare_replicas),
                .peak = replicas_for(d.rates.back(), each, d.spare_replicas)};
  for (const double rate : d.rates)
    a.mean +=
        std::max(a.floor, replicas_for(rate, each, d.spare_replicas)) / static_cast<double>(d.rates.size());
  if (replica) a.hourly = in_micro_units(static_cast<double>(replica->pico) * a.mean);
  return a;
}

Result<Option> option(const Search& s, const Place& place, const serving::Parallelism& split,
                      const serving::Coefficients& coefficients) {
  Question q{.model = s.model,
             .device = place.device,
             .quantization = s.quantization,
             .split = split,
             .settings = s.settings};
  if (s.demand) q.work = serving::Workload{s.demand->input, s.demand->output, 1};
  if (s.own) apply_memory(q, *s.own);
  auto a = answer(q, coefficients);
  if (!a) return std::unexpected(a.error());
  Option o{.card = place.card->key,
           .mig_profile = place.profile,
           .verified = place.verified,
           .answer = std::move(*a)};
  o.reason = o.answer.memory.reason;
  const bool timed = s.demand && (s.demand->requests_per_second || s.demand->concurrency);
  if (!timed) o.answer.performance.reset();
  const int gpus = o.answer.split.gpus();
  if (place.price) o.price_source = place.price->source, o.hourly = place.price->hourly * gpus;
  if (!o.answer.memory.fits) return o;
  o.meets_slo = true;
  if (!timed) return o;
  const auto scheme = serving::quantization_scheme(s.quantization, s.model).value();
  Loaded loaded(q, scheme, o.answer, coefficients, s.slo);
  o.meets_slo = false;
  s.demand->concurrency ? load_with_concurrency(o, loaded, *s.demand, s.slo)
                        : load_with_rate(o, loaded, *s.demand, s.slo);
  const auto replica = place.price ? std::optional(place.price->hourly * gpus) : std::nullopt;
  if (replica) reckon_cost(o, *s.demand, *replica);
  if (!s.demand->rates.empty() && o.requests_per_second > 0)
    o.autoscaling = autoscaling_of(*s.demand, o.requests_per_second, replica);
  return o;
}

/// The order in which options are shown.
auto rank(const Option& o) {
  return std::tuple(!o.answer.memory.fits, !o.meets_slo, !o.hourly.has_value(),
                    o.full.value_or(o.hourly ? o.hourly->units() : 0), o.card, o.mig_profile,
                    o.answer.split.gpus(), o.answer.split.tensor);
}

}  // namespace

Result<Slo> parse_slo(std::string_view text) {
  Slo slo;
  while (!text.empty()) {
    const auto end = text.find(',');
    const auto part = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    const auto equals = part.find('=');
    const auto name = part.substr(0, equals);
    const auto limit =
        equals == std::string_view::npos ? std::nullopt : parse_duration(part.substr(equals + 1));
    if (!limit || limit->ns <= 0)
      return failure(fmt::format("\"{}\" is no objective", part), {}, "as in ttft-p95=1s,tpot-p95=50ms");
    const double ms = limit->as_seconds() * 1e3;
    if (name == "ttft-p95" || name == "ttft")
      slo.first_token_p95_ms = ms;
    else if (name == "tpot-p95" || name == "tpot" || name == "itl-p95")
      slo.token_p95_ms = ms;
    else
      return failure(fmt::format("objective \"{}\" is not known", name), {}, "ttft-p95 and tpot-p95 are");
  }
  return slo;
}

Result<std::vector<Option>> options(const Search& search, const serving::Coefficients& published,
                                    const std::function<std::optional<PriceOfCard>(const Card&)>& price) {
  if (search.demand && search.demand->requests_per_second && !(*search.demand->requests_per_second > 0))
    return failure(fmt::format("rps must be positive, not {}", *search.demand->requests_per_second));
  if (search.demand && search.demand->concurrency &&
      !(*search.demand->concurrency > 0 && *search.demand->concurrency <= 1e9))
    return failure(
        fmt::format("concurrency must be positive and below a billion, not {}", *search.demand->concurrency));
  const auto all = places(search, price);
  if (all.empty() && !search.profile.empty())
    return failure(fmt::format("none of these cards has a MIG profile {}", search.profile), {},
                   "see `etiage catalog mig`");
  std::optional<serving::Coefficients> own;
  if (search.own) own = calibrated(published, *search.own);
  const auto& coefficients = own ? *own : published;
  std::vector<Option> out;
  for (const auto& place : all) {
    const auto add = [&](const Splits& some) -> Result<bool> {
      bool fits = false;
      for (const auto& split : some) {
        auto o = option(search, place, split, coefficients);
        if (!o) return std::unexpected(o.error());
        fits = fits || o->answer.memory.fits;
        out.push_back(std::move(*o));
      }
      return fits;
    };
    auto fits = add(splits(search, place));
    if (fits && !*fits && !search.split && place.profile.empty()) fits = add(nodes_of_eight());
    if (!fits) return std::unexpected(fits.error());
  }
  std::ranges::stable_sort(out, {}, [](const Option& o) { return rank(o); });
  return out;
}

Result<Threshold> kubernetes_threshold(double platform_hourly, std::optional<double> saved_fraction,
                                       std::span<const Option> options) {
  constexpr double kAssumed = 0.25;
  if (!(platform_hourly > 0))
    return failure(fmt::format("platform-hourly must be positive, not {}", platform_hourly));
  if (saved_fraction && !(*saved_fraction > 0 && *saved_fraction < 1))
    return failure(fmt::format("saved must lie between 0 and 1, not {}", *saved_fraction));
  Threshold t{.platform_hourly = platform_hourly, .saved_source = "given", .worth_from_hourly = 0};
  if (saved_fraction) {
    t.saved_fraction = *saved_fraction;
  } else if (!options.empty() && options.front().meets_slo && options.front().autoscaling) {
    const auto& a = *options.front().autoscaling;
    t.saved_fraction = 1 - a.mean / a.peak;
    t.saved_source = "what autoscaling saves on this traffic";
  } else {
    t.saved_fraction = kAssumed;
    t.saved_source = "assumed";
  }
  if (t.saved_fraction > 0) t.worth_from_hourly = platform_hourly / t.saved_fraction;
  return t;
}

}  // namespace etiage::sizing
