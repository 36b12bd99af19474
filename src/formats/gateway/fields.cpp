#include "formats/gateway/fields.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <unordered_map>

namespace etiage::formats {
namespace {

using F = GatewayField;

struct Names {
  F field;
  std::string_view names;  ///< plain, best first
};

// LiteLLM's spend log, OpenAI's usage objects, OTel's gen_ai attributes, Envoy AI Gateway's and Kong's access
// logs, and what people call columns.
constexpr auto kNames = std::to_array<Names>({
    {F::kStart,
     "starttime timestamp time ts requesttime requesttimestamp createdat created datetime eventtime "
     "startedat "
     "startts date attimestamp"},
    {F::kEnd, "endtime completedat finishedat endts responsetimestamp"},
    {F::kTeam,
     "tenant tenantid tenantname team teamid metadatauserapikeyteamid organization organizationid "
     "org orgid xtenant xtenantid xteam xteamid customer project projectid department costcenter"},
    {F::kTeamAlias, "teamalias metadatauserapikeyteamalias teamname userapikeyteamalias"},
    {F::kKey,
     "apikey hashedapikey metadatauserapikey apikeyid apikeyhash keyid key virtualkey virtualkeyid "
     "consumer consumerid client clientid application app"},
    {F::kKeyAlias, "apikeyalias keyalias metadatauserapikeyalias apikeyname keyname userapikeyalias"},
    {F::kUser, "user userid xuserid username useremail metadatauserapikeyuserid internaluser"},
    {F::kEndUser, "enduser enduserid customerid"},
    {F::kAskedModel, "modelgroup requestedmodel requestmodel modelrequested modelalias"},
    {F::kServedModel, "model modelname servedmodel responsemodel genaimodel deployment modelid"},
    {F::kInput,
     "prompttokens inputtokens usageprompttokens metadatausageobjectprompttokens "
     "genaiusageinputtokens genaiusageprompttokens llminputtoken llminputtokens tokensinput "
     "tokensprompt tokensin intokens numprompttokens nprompttokens inputtokencount "
     "prompttokencount prompttokenscount requesttokens contexttokens input"},
    {F::kUsageInput, "usageinputtokens"},
    {F::kCacheRead, "usagecachereadinputtokens"},
    {F::kCached,
     "cachedtokens cachedinputtokens prompttokensdetailscachedtokens inputtokensdetailscachedtokens "
     "usageprompttokensdetailscachedtokens usageinputtokensdetailscachedtokens usagecachedtokens "
     "metadatausageobjectprompttokensdetailscachedtokens metadatausageobjectcachereadinputtokens "
     "metadataadditionalusagevaluesprompttokensdetailscachedtokens "
     "metadataadditionalusagevaluescachereadinputtokens promptcachehittokens usagepromptcachehittokens "
     "cachereadinputtokens cachereadtokens cachedprompttokens cachedinput "
     "genaiusagecachereadinputtokens genaiusagecachedtokens llmcachedinputtoken cachedtokencount "
     "tokenscached cached"},
    {F::kOutput,
     "completiontokens outputtokens usagecompletiontokens usageoutputtokens "
     "metadatausageobjectcompletiontokens genaiusageoutputtokens genaiusagecompletiontokens llmoutputtoken "
     "llmoutputtokens tokensoutput tokenscompletion tokensout outtokens numcompletiontokens "
     "ncompletiontokens outputtokencount completiontokencount completiontokenscount generatedtokens "
     "generationtokens responsetokens output"},
    {F::kTotal, "totaltokens usagetotaltokens llmtotaltoken"},
    {F::kRequestId, "requestid id callid litellmcallid xrequestid traceid"},
    {F::kCacheHit, "cachehit"},
});

using Table = std::unordered_map<std::string_view, GatewayName>;

Table make_table() {
  Table out;
  for (const Names& row : kNames) {
    std::uint8_t rank = 0;
    for (std::string_view rest = row.names; !rest.empty(); ++rank) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      out.emplace(rest.substr(0, end), GatewayName{row.field, rank});
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return out;
}

const Table& table() {
  static const Table kTable = make_table();
  return kTable;
}

}  // namespace

bool says_nothing(std::string_view step) {
  constexpr std::array<std::string_view, 10> kSteps{"response", "request", "responsebody", "requestbody",
                                                    "body",     "record",  "attributes",   "payload",
                                                    "log",      "_source"};
  return std::ranges::find(kSteps, step) != kSteps.end();
}

std::string plain_name(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const std::size_t dot = name.find('.');
    const std::string_view step = name.substr(0, dot);
    const bool last = dot == name.npos;
    if (last || !says_nothing(step))
      for (char c : step)
        if (const auto u = static_cast<unsigned char>(c); std::isalnum(u))
          out += static_cast<char>(std::tolower(u));
    name.remove_prefix(last ? name.size() : dot + 1);
  }
  return out;
}

std::optional<GatewayName> gateway_name(std::string_view plain) {
  const auto it = table().find(plain);
  return it == table().end() ? std::nullopt : std::optional(it->second);
}

void GatewayLook::see(std::string_view plain) {
  if (const auto name = gateway_name(plain)) seen_ |= 1U << static_cast<unsigned>(name->field);
}

bool GatewayLook::enough() const {
  const auto any = [this](std::initializer_list<F> fields) {
    return std::ranges::any_of(fields, [this](F f) { return (seen_ >> static_cast<unsigned>(f) & 1U) != 0; });
  };
  return any({F::kAskedModel, F::kServedModel}) && any({F::kInput, F::kUsageInput, F::kOutput, F::kTotal}) &&
         any({F::kTeam, F::kTeamAlias, F::kKey, F::kKeyAlias, F::kUser, F::kEndUser});
}

}  // namespace etiage::formats
