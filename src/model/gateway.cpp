#include "model/gateway.h"

#include <algorithm>

namespace etiage {
namespace {

template <class T>
std::uint32_t interned(const T& value, std::vector<T>& table, std::map<T, std::uint32_t>& ids) {
  const auto [it, added] = ids.try_emplace(value, static_cast<std::uint32_t>(table.size()));
  if (added) table.push_back(value);
  return it->second;
}

}  // namespace

void GatewayLog::add(const GatewayCaller& caller, const GatewayModelName& model, GatewayRequest request) {
  request.caller = interned(caller, callers, caller_ids_);
  request.model = interned(model, models, model_ids_);
  requests.push_back(request);
}

void GatewayLog::finish() {
  std::ranges::sort(requests, {}, &GatewayRequest::key);
  const auto same = [](const GatewayRequest& a, const GatewayRequest& b) {
    return a.id != 0 && a.key() == b.key();
  };
  const auto rest = std::ranges::unique(requests, same);
  repeated = rest.size();
  requests.erase(rest.begin(), rest.end());
}

}  // namespace etiage
