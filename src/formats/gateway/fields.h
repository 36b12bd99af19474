#pragma once
// What the columns and keys of gateways' logs mean. To read another gateway, add its names to the table in
// fields.cpp.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace etiage::formats {

enum class GatewayField : std::uint8_t {
  kStart,
  kEnd,
  kTeam,
  kTeamAlias,
  kKey,
  kKeyAlias,
  kUser,
  kEndUser,
  kAskedModel,
  kServedModel,
  kInput,       ///< all prompt tokens, cached ones among them
  kUsageInput,  ///< `usage.input_tokens`: OpenAI's has the cached ones in it, Anthropic's not
  kCached,
  kCacheRead,  ///< `usage.cache_read_input_tokens`: Anthropic's
  kOutput,
  kTotal,
  kRequestId,
  kCacheHit,  ///< answered from the gateway's own store: no engine saw it
};
inline constexpr std::size_t kGatewayFieldCount = 18;

/// A field, and how good this name for it is: of several in one row the lowest speaks.
struct GatewayName {
  GatewayField field;
  std::uint8_t rank;
};

/// Small letters and digits only, as names are looked up; of a path (`response.usage.prompt_tokens`) without
/// the steps that say nothing: `usageprompttokens`.
std::string plain_name(std::string_view name);
/// Whether a step of a path says nothing: `response`, `body`, `attributes`.
bool says_nothing(std::string_view step);

/// `plain`: of a column, or of a JSON key with the keys around it.
std::optional<GatewayName> gateway_name(std::string_view plain);

/// Whether a header or the keys of an object are a gateway's: a caller, a model and tokens.
class GatewayLook {
 public:
  void see(std::string_view plain);
  bool enough() const;

 private:
  std::uint32_t seen_ = 0;
};

}  // namespace etiage::formats
