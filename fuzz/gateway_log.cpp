// Gateways' logs in any syntax and any chunks: every row that is kept has sane figures, and rows do not
// depend on the chunks.

#include <cstdint>
#include <cstdlib>

#include "formats/gateway/log_reader.h"
#include "formats/kind.h"

namespace {

etiage::GatewayLog read(std::string_view input, std::size_t chunk) {
  etiage::GatewayLog log;
  etiage::formats::GatewayLogReader reader(log);
  for (; !input.empty(); input.remove_prefix(std::min(chunk, input.size())))
    reader.feed(input.substr(0, chunk));
  reader.finish();
  log.finish();
  return log;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  etiage::formats::recognise(input);
  const etiage::GatewayLog whole = read(input, std::string_view::npos), parts = read(input, 7);
  if (whole.requests.size() != parts.requests.size()) std::abort();
  for (const etiage::GatewayRequest& r : whole.requests)
    if (!(r.input >= 0 && r.output >= 0 && r.cached <= r.input && r.time.start <= r.time.end)) std::abort();
  return 0;
}
