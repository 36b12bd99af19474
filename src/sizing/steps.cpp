#include "sizing/steps.h"

#include <algorithm>
#include <fmt/format.h>

namespace etiage::sizing {
namespace {

constexpr double kGib = 1024.0 * 1024 * 1024;

bool fits(const Option& o) {
  return o.answer.memory.fits;
}

/// The one with the least memory in all among those that start and `of_kind` takes.
template <class Kind>
const Option* smallest(std::span<const Option> options, Kind&& of_kind) {
  const Option* best = nullptr;
  const auto memory = [](const Option& o) { return o.answer.memory.total_gib * o.answer.split.gpus(); };
  for (const auto& o : options)
    if (fits(o) && of_kind(o) && (best == nullptr || memory(o) < memory(*best))) best = &o;
  return best;
}

std::string money(const std::optional<HourlyPrice>& hourly) {
  return hourly ? fmt::format("{:.2f} an hour", hourly->units()) : "no price known";
}

std::string memory(const Search& s) {
  const auto scheme = serving::quantization_scheme(s.quantization, s.model);
  if (!scheme) return "";
  const double weights =
      serving::sum(serving::weights_per_gpu(s.model, *scheme, {}, serving::Mxfp4Padding::kNone));
  const auto layout = serving::kv_layout(s.model, s.settings.kv.value_or(scheme->kv), {}, {});
  const double tokens = s.demand
                            ? s.demand->input + s.demand->output
                            : static_cast<double>(s.settings.max_model_len.value_or(s.model.max_position));
  const double window = std::min(tokens, static_cast<double>(layout.window_tokens));
  const double request =
      layout.bytes_per_token * tokens + layout.window_bytes_per_token * window + layout.state_bytes;
  auto text = fmt::format("weights take {:.1f} GiB ({}); a request of {:.0f} tokens keeps {:.3g} GiB",
                          weights / kGib, scheme->name, tokens, request / kGib);
  if (s.demand && s.demand->concurrency)
    text += fmt::format("; {:.0f} at once need {:.1f} GiB in all", *s.demand->concurrency,
                        (weights + request * *s.demand->concurrency) / kGib);
  return text + "; the engine's own part comes on top";
}

std::string card(std::span<const Option> options) {
  const auto* const least = smallest(options, [](const Option& o) { return o.mig_profile.empty(); });
  if (least == nullptr) return "no card that was looked at starts it";
  auto text = fmt::format("the smallest that starts it: {}", place_name(*least));
  if (const auto& best = options.front(); best.meets_slo && best.mig_profile.empty() && &best != least)
    text += fmt::format("; the cheapest within the objective: {}", place_name(best));
  return text;
}

std::string slice(const Search& s, std::span<const Option> options) {
  if (!s.mig) return "not asked for";
  const auto is_slice = [](const Option& o) { return !o.mig_profile.empty(); };
  const auto* const least = smallest(options, is_slice);
  if (least == nullptr)
    return std::ranges::any_of(options, is_slice) ? "no slice that was looked at holds it"
                                                  : "the cards that were looked at have no slices";
  auto text = fmt::format("the smallest that starts it: {}", place_name(*least));
  if (!least->meets_slo && !least->reason.empty()) text += fmt::format(", but {}", least->reason);
  return text;
}

std::string replicas(const Search& s, const Option& best) {
  if (!s.demand || !s.demand->requests_per_second)
    return s.demand ? fmt::format("no rate was given; times are with {:.4g} in flight on one replica",
                                  *s.demand->concurrency)
                    : "no rate was given";
  if (!best.meets_slo) return "nothing serves this within the objective";
  auto text = fmt::format("{} of {}, {} spare, for {:.3g} requests a second", best.replicas, place_name(best),
                          best.spare_replicas, *s.demand->requests_per_second);
  if (best.autoscaling)
    text += fmt::format("; following the trace: floor {}, peak {}, on average {:.1f}",
                        best.autoscaling->floor, best.autoscaling->peak, best.autoscaling->mean);
  return text;
}

std::string buying(const Search& s, const Option& best) {
  if (!fits(best)) return "nothing that was looked at starts it";
  if (!best.hourly) return "no price known; give --prices";
  if (!s.demand || !s.demand->requests_per_second)
    return fmt::format("{} for {}", money(best.hourly), place_name(best));
  if (!best.autoscaling)
    return fmt::format("{} at a steady rate: all of it runs always, so compare reserved prices",
                       money(best.hourly));
  const double each = best.hourly->units() / best.replicas;
  return fmt::format(
      "the floor of {} ({:.2f} an hour) runs always: compare reserved prices for it; up to {} more come and "
      "go on "
      "demand; {} on average, {} if the peak stood ready",
      best.autoscaling->floor, each * best.autoscaling->floor,
      best.autoscaling->peak - best.autoscaling->floor, money(best.autoscaling->hourly), money(best.hourly));
}

std::string kubernetes(const Threshold& t, const Option& best) {
  auto text = fmt::format(
      "pays from a GPU bill of {:.2f} an hour on = platform {:.2f} an hour / {:.0f} % saved ({}; "
      "--platform-hourly, "
      "--saved)",
      t.worth_from_hourly, t.platform_hourly, t.saved_fraction * 100, t.saved_source);
  if (t.worth_from_hourly <= 0) return "never pays: nothing is saved by sharing or scaling";
  if (best.hourly && best.meets_slo)
    text += best.hourly->units() < t.worth_from_hourly
                ? fmt::format("; this needs {}: alone it does not pay for a cluster", money(best.hourly))
                : fmt::format("; this needs {}: it does", money(best.hourly));
  return text;
}

}  // namespace

std::string place_name(const Option& o) {
  const auto& split = o.answer.split;
  std::string text = o.mig_profile.empty() ? o.card : o.card + " " + o.mig_profile;
  if (split.gpus() > 1) text = fmt::format("{}x {}", split.gpus(), text);
  return split.gpus() == split.tensor ? text : text + " " + serving::split_name(split);
}

std::vector<Step> steps(const Search& s, std::span<const Option> options, const Threshold& t) {
  std::vector<Step> out{{"memory", memory(s)}};
  if (options.empty()) return out;
  const auto& best = options.front();
  out.push_back({"card", card(options)});
  out.push_back({"slice", slice(s, options)});
  out.push_back({"replicas", replicas(s, best)});
  out.push_back({"buying", buying(s, best)});
  out.push_back({"kubernetes", kubernetes(t, best)});
  return out;
}

}  // namespace etiage::sizing
