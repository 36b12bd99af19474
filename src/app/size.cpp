#include "app/size.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "adapters/input_file.h"
#include "app/calibration.h"
#include "app/facts.h"
#include "catalog/cards.h"
#include "catalog/models.h"
#include "catalog/prices.h"
#include "formats/prices.h"
#include "sizing/traffic.h"

namespace etiage::app {
namespace {

Result<std::optional<double>> real(const std::string& text, std::string_view flag) {
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return failure(fmt::format("--{} is \"{}\", not a number", flag, text));
  return value;
}

Result<std::optional<std::int64_t>> whole(const std::string& text, std::string_view flag) {
  auto value = real(text, flag);
  if (!value) return std::unexpected(value.error());
  if (!*value) return std::nullopt;
  if (**value != std::floor(**value) || std::abs(**value) > 1e12)
    return failure(fmt::format("--{} is \"{}\", not a whole number", flag, text));
  return static_cast<std::int64_t>(**value);
}

/// Takes values one after the other; the first fault is kept.
struct Faults {
  std::optional<Error> first;

  template <class T>
  T take(Result<T> value, T otherwise = {}) {
    if (value) return std::move(*value);
    if (!first) first = std::move(value.error());
    return otherwise;
  }
};

serving::EngineSettings settings_of(const SizeOptions& o, Faults& faults) {
  serving::EngineSettings s;
  s.engine = faults.take(serving::parse_engine(o.engine.empty() ? "vllm" : o.engine));
  s.max_model_len = faults.take(whole(o.max_model_len, "max-model-len"));
  s.max_num_seqs = faults.take(whole(o.max_num_seqs, "max-num-seqs"));
  s.max_batched_tokens = faults.take(whole(o.max_batched_tokens, "max-num-batched-tokens"));
  s.utilization = faults.take(real(o.utilization, "gpu-memory-utilization"));
  if (!o.kv.empty() && o.kv != "auto") {
    s.kv = parse_kv_format(o.kv);
    if (!s.kv && !faults.first)
      faults.first = Error{
          fmt::format("--kv-dtype \"{}\" is not known", o.kv), {}, "one of auto, bf16, fp8, int8, nvfp4"};
  }
  return s;
}

Result<sizing::Demand> traffic(const std::string& path) {
  auto file = adapters::InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  const auto whole = file->whole();
  if (whole.damage) return std::unexpected(*whole.damage);
  return sizing::read_traffic(whole.bytes, path);
}

std::optional<sizing::Demand> demand_of(const SizeOptions& o, Faults& faults) {
  sizing::Demand d;
  if (!o.traffic.empty()) d = faults.take(traffic(o.traffic));
  const auto input = faults.take(real(o.input, "input")), output = faults.take(real(o.output, "output"));
  if (const auto rate = faults.take(real(o.rate, "rps"))) d.requests_per_second = rate;
  d.concurrency = faults.take(real(o.concurrency, "concurrency"));
  d.input = input.value_or(d.input);
  d.output = output.value_or(d.output);
  const auto spare = faults.take(whole(o.spare, "spare")).value_or(1);
  if ((spare < 0 || spare > 1000) && !faults.first)
    faults.first = Error{fmt::format("--spare is {}, not a number of replicas", spare)};
  d.spare_replicas = static_cast<int>(std::clamp<std::int64_t>(spare, 0, 1000));
  if (d.requests_per_second && d.concurrency && !faults.first)
    faults.first = Error{"--concurrency is a load of its own", {}, "give it, or --rps, or --traffic"};
  if (d.requests_per_second || d.concurrency) return d;
  if (!input && !output && o.slo.empty()) return std::nullopt;
  d.concurrency = 1;  // lengths and objectives alone: of a request that has the replica for itself
  return d;
}

/// The cards asked for; what a name says of a MIG instance (`NVIDIA-H100-80GB-HBM3-MIG-1g.10gb`) goes to
/// `profile`.
Result<std::vector<Card>> cards_of(const std::vector<std::string>& names, const std::vector<Card>& known,
                                   std::string& profile) {
  std::vector<Card> out;
  for (const auto& list : names)
    for (std::size_t from = 0; from <= list.size();) {
      const auto comma = std::min(list.find(',', from), list.size());
      const auto name = list.substr(from, comma - from);
      auto card = catalog::find_card(name, known);
      if (!card) return std::unexpected(card.error());
      if (auto own = catalog::mig_profile_in(name); !own.empty()) profile = std::move(own);
      if (std::ranges::find(out, card->key, &Card::key) == out.end()) out.push_back(std::move(*card));
      from = comma + 1;
    }
  return names.empty() ? known : out;
}

Result<PriceBook> book_of(const std::vector<std::string>& paths, Diagnostics& diagnostics) {
  PriceBook book;
  for (const auto& path : paths) {
    auto file = adapters::InputFile::open(path);
    if (!file) return std::unexpected(file.error());
    auto read = formats::read_prices(file->whole().bytes, path, diagnostics);
    book.currency = read.currency;
    std::ranges::move(read.rows, std::back_inserter(book.rows));
  }
  return book;
}

/// The price of one card by the name under which the book or the lists know it best.
std::optional<sizing::PriceOfCard> price_of_card(const PriceBook& book, const Card& card, Instant now) {
  std::vector<std::string> names = card.aliases;
  names.insert(names.begin(), {card.name, card.key});
  for (const auto& name : names) {
    const PricedNode node{.name = "", .instance_type = "", .card = name, .cards = 1};
    if (const auto found = price_of(catalog::prices_for(book, std::span(&node, 1)), node, now))
      return sizing::PriceOfCard{found->hourly, found->source};
  }
  return std::nullopt;
}

/// Whether anything that is looked at is what the calibration was learnt from.
bool applies(const sizing::Calibration& own, const sizing::Search& s) {
  return own.model == s.model.shapes && own.engine == serving::to_string(s.settings.engine.engine) &&
         std::ranges::find(s.cards, own.card, &Card::key) != s.cards.end();
}

/// A quarter of an engineer at 80 an hour, week by week of 40 hours, spread over all hours.
constexpr double kPlatformHourly = 80.0 * 0.25 * 40 / 168;

}  // namespace

Result<std::optional<serving::Parallelism>> split_given(const SizeOptions& o) {
  if (o.tensor.empty() && o.pipeline.empty() && o.data.empty() && o.expert.empty()) return std::nullopt;
  Faults faults;
  const auto width = [&](const std::string& text, std::string_view flag) {
    return static_cast<int>(std::clamp<std::int64_t>(faults.take(whole(text, flag)).value_or(1), 0, 1 << 20));
  };
  const serving::Parallelism split{width(o.tensor, "tp"), width(o.pipeline, "pp"), width(o.data, "dp"),
                                   width(o.expert, "ep")};
  if (faults.first) return std::unexpected(*faults.first);
  return split;
}

Result<Sized> size(const SizeOptions& o) {
  Faults faults;
  Sized out;
  auto& s = out.search;
  const auto facts = faults.take(facts_of(o.catalogs));
  s.model = faults.take(model_of(o.model, o.config, facts.models));
  if (o.mig != "auto" && o.mig != "off") s.profile = o.mig;
  s.cards = faults.take(cards_of(o.cards, facts.cards, s.profile));
  s.slices = facts.mig_slices;
  s.mig = o.mig != "off";
  s.split = faults.take(split_given(o));
  s.quantization = o.quantization;
  s.settings = settings_of(o, faults);
  s.demand = demand_of(o, faults);
  s.slo = faults.take(sizing::parse_slo(o.slo));
  const auto book = faults.take(book_of(o.prices, out.diagnostics));
  if (!o.calibration.empty()) s.own = faults.take(read_calibration(o.calibration));
  const auto platform = faults.take(real(o.platform_hourly, "platform-hourly")).value_or(kPlatformHourly);
  const auto saved = faults.take(real(o.saved_fraction, "saved"));
  if (faults.first) return std::unexpected(*faults.first);
  out.currency = book.currency;
  auto options = sizing::options(s, serving::builtin_coefficients(),
                                 [&](const Card& card) { return price_of_card(book, card, o.now); });
  if (!options) return std::unexpected(options.error());
  out.options = std::move(*options);
  if (s.own && !applies(*s.own, s))
    out.diagnostics.push_back({Severity::kWarning,
                               "calibration-not-used",
                               {o.calibration},
                               fmt::format("learnt from {} with {} on {}, which is not asked about",
                                           s.own->model, s.own->engine, s.own->card),
                               "the times below are without it"});
  auto threshold = sizing::kubernetes_threshold(platform, saved, out.options);
  if (!threshold) return std::unexpected(threshold.error());
  out.kubernetes = std::move(*threshold);
  return out;
}

}  // namespace etiage::app
