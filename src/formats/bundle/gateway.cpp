#include "formats/bundle/gateway.h"

#include <fmt/format.h>

namespace etiage::formats::bundle {
namespace {

/// A day is written as its date, a moment with its fraction of a second.
std::string time_text(Window time) {
  const std::string start = to_string(time.start);
  return time.length() == Duration::hours(24) ? start.substr(0, 10) : start;
}

std::string caller_text(const GatewayCaller& c, const Rename& rename) {
  std::string out;
  for (const std::string* field : {&c.team, &c.team_alias, &c.key, &c.key_alias, &c.user, &c.end_user})
    out += rename(*field, NameOf::kAnything) + ",";
  return out;
}

}  // namespace

void write_gateway_log(const GatewayLog& log, const Rename& rename,
                       const std::function<void(std::string_view)>& write) {
  std::vector<std::string> callers, models;
  for (const GatewayCaller& c : log.callers) callers.push_back(caller_text(c, rename));
  for (const GatewayModelName& m : log.models)
    models.push_back(disguised_model(m.asked, rename) + "," + disguised_model(m.served, rename) + ",");
  write(
      "startTime,team_id,team_alias,api_key,api_key_alias,user,end_user,model_group,model,prompt_tokens,"
      "cached_tokens,completion_tokens,request_id\n");
  for (const GatewayRequest& r : log.requests)
    write(fmt::format("{},{}{}{},{},{},{}\n", time_text(r.time), callers[r.caller], models[r.model], r.input,
                      r.cached < 0 ? "" : fmt::format("{}", r.cached), r.output,
                      r.id == 0 ? "" : fmt::format("{:x}", r.id)));
}

}  // namespace etiage::formats::bundle
