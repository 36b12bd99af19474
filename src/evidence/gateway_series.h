#pragma once
// Counters of gateways among the series: who asked which model.

#include <string_view>
#include <vector>

#include "evidence/series_store.h"
#include "model/gateway.h"

namespace etiage::evidence {

/// LiteLLM renamed its counters; where both names are exported only the new ones are given.
std::vector<const Series*> gateway_series(const SeriesStore& store);

GatewayCaller caller_of(const Series& counter);
GatewayModelName asked_model(const Series& counter);

/// Requests pass through several that count: of one model the lowest speaks.
int rank_of_gateway(std::string_view dialect);

}  // namespace etiage::evidence
