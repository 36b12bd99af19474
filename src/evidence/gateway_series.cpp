#include "evidence/gateway_series.h"

#include <algorithm>
#include <array>
#include <string>

namespace etiage::evidence {
namespace {

bool of_gateway(Role role) {
  return role == Role::kGatewayInput || role == Role::kGatewayCached || role == Role::kGatewayOutput;
}

bool renamed(const Series& s) {
  return s.meaning.dialect == "LiteLLM" && s.label("__name__").ends_with("_metric_total");
}

/// The first of these labels that says anything.
std::string word(const Series& s, std::initializer_list<std::string_view> labels) {
  for (std::string_view label : labels)
    if (const std::string_view value = s.label(label);
        !value.empty() && value != "None" && value != "unknown")
      return std::string(value);
  return "";
}

}  // namespace

std::vector<const Series*> gateway_series(const SeriesStore& store) {
  std::vector<const Series*> out;
  for (const Series& s : store.all())
    if (of_gateway(s.meaning.role)) out.push_back(&s);
  if (std::ranges::any_of(out, [](const Series* s) { return renamed(*s); }))
    std::erase_if(out, [](const Series* s) { return s->meaning.dialect == "LiteLLM" && !renamed(*s); });
  return out;
}

GatewayCaller caller_of(const Series& s) {
  return {word(s, {"team", "team_id", "tenant", "tenant_id", "x_tenant_id", "x_team_id"}),
          word(s, {"team_alias"}),
          word(s, {"hashed_api_key"}),
          word(s, {"api_key_alias"}),
          word(s, {"user", "user_id", "x_user_id"}),
          word(s, {"end_user"})};
}

GatewayModelName asked_model(const Series& s) {
  return {word(s, {"requested_model", "gen_ai_request_model"}), word(s, {"model", "gen_ai_response_model"})};
}

int rank_of_gateway(std::string_view dialect) {
  constexpr std::array<std::string_view, 3> kNearestToCaller{"LiteLLM", "OpenTelemetry GenAI", "Dynamo"};
  return static_cast<int>(std::ranges::find(kNearestToCaller, dialect) - kNearestToCaller.begin());
}

}  // namespace etiage::evidence
