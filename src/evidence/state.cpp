// A single scrape has no window and no bill; what it shows of its moment is still worth saying (RULES.md 6).

#include <algorithm>
#include <cmath>
#include <set>

#include "evidence/draft.h"
#include "evidence/engine_series.h"
#include "evidence/gateway_series.h"

namespace etiage::evidence {
namespace {

std::optional<double> last_value(std::span<const formats::Sample> samples) {
  for (auto it = samples.rbegin(); it != samples.rend(); ++it)
    if (std::isfinite(it->value)) return it->value;
  return {};
}

std::string whole(double value) {
  return std::to_string(std::llround(value));
}

std::string percent(double ratio) {
  return whole(ratio * 100) + " %";
}

/// Devices of one card model.
struct Cards {
  std::size_t count = 0, measured = 0;
  double busy = 0;
  BusySignal signal = BusySignal::kSmActive;
  std::set<PodName> pods;
  bool instances = false;
};

void look_at(Cards& cards, const DeviceRows& rows) {
  cards.count += 1;
  cards.instances |= !rows.instance.empty();
  for (const Presence& p : rows.presences) cards.pods.insert(p.pod);
  for (const auto& [signal, gauges] : rows.gauges) {  // best first
    const Segments segments = busy_segments(gauges);
    if (segments.empty()) continue;
    cards.measured += 1;
    cards.busy += segments.back().value;
    cards.signal = std::max(cards.signal, signal);
    return;
  }
}

std::string sentence(const std::string& model, const Cards& c) {
  std::string out = std::to_string(c.count) + " x " + (model.empty() ? "an unnamed card" : model) +
                    (c.instances ? " (MIG instances)" : "");
  out += c.measured == 0 ? ": no evidence of work"
                         : ": busy " + percent(c.busy / static_cast<double>(c.measured)) + " on average by " +
                               std::string(to_string(c.signal));
  if (c.pods.empty()) return out + ", no pod named";
  const auto& [ns, name] = *c.pods.begin();
  return out + ", named on them " + ns + "/" + name +
         (c.pods.size() > 1 ? " and " + std::to_string(c.pods.size() - 1) + " more pods" : "");
}

void add_devices(Draft& draft, std::vector<std::string>& out) {
  std::map<std::string, Cards> by_model;
  for (std::size_t i = 0; i < draft.catalogue.devices.size(); ++i)
    if (draft.device_ids[i].valid())
      look_at(by_model[draft.catalogue.devices[i].card_model], draft.catalogue.devices[i]);
  for (const auto& [model, cards] : by_model) out.push_back(sentence(model, cards));
}

void add_engines(const Draft& draft, std::vector<std::string>& out) {
  std::map<std::pair<std::string_view, std::string>, std::map<Role, double>> by_model;
  for (const EngineSeries& s : engine_series(draft.sources.series)) {
    const Series& series = *s.series;
    const std::string model(series.has("model_name") ? series.label("model_name") : series.label("model"));
    if (const auto value = last_value(s.samples()))
      by_model[{series.meaning.dialect, model}][series.meaning.role] += *value;
  }
  constexpr std::pair<Role, std::string_view> kWords[] = {{Role::kRunning, " requests running"},
                                                          {Role::kWaiting, " waiting"},
                                                          {Role::kPromptTokens, " prompt tokens"},
                                                          {Role::kOutputTokens, " output tokens"},
                                                          {Role::kImages, " images"}};
  for (const auto& [key, values] : by_model) {
    const bool tokens = values.contains(Role::kPromptTokens) || values.contains(Role::kOutputTokens);
    std::string said;
    for (const auto& [role, words] : kWords)
      if (const auto it = values.find(role); it != values.end())
        said += (said.empty() ? ": " : ", ") + whole(it->second) + std::string(words);
    out.push_back(std::string(key.first) + (key.second.empty() ? "" : " serves " + key.second) + said +
                  (tokens ? " since it started" : ""));
  }
}

/// All that gateways have counted of a model since they started.
void add_gateways(const Draft& draft, std::vector<std::string>& out) {
  std::map<std::pair<std::string_view, std::string>, std::map<Role, double>> by_model;
  for (const Series* s : gateway_series(draft.sources.series)) {
    const GatewayModelName name = asked_model(*s);
    if (const auto value = last_value(s->samples()))
      by_model[{s->meaning.dialect, name.asked.empty() ? name.served : name.asked}][s->meaning.role] +=
          *value;
  }
  for (auto& [key, tokens] : by_model)
    out.push_back(std::string(key.first) + " counted of " +
                  (key.second.empty() ? "an unnamed model" : key.second) + ": " +
                  whole(tokens[Role::kGatewayInput]) + " input and " + whole(tokens[Role::kGatewayOutput]) +
                  " output tokens since it started");
}

}  // namespace

void add_state(Draft& draft) {
  std::vector<std::string> lines;
  add_devices(draft, lines);
  add_engines(draft, lines);
  add_gateways(draft, lines);
  for (std::string& line : lines)
    draft.check({"state-now",
                 Severity::kInfo,
                 std::move(line),
                 "a moment, not a cost",
                 "give a dump or range query that spans time",
                 {}});
}

}  // namespace etiage::evidence
