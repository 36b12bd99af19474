// Answers of the HTTP API in pieces of any size.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/api/api_reader.h"
#include "fuzz/sample_sink.h"

using namespace etiage::formats;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t piece = data[0] + 1U;
  SampleSink sink;
  ApiReader reader(sink);
  for (std::size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
  reader.finish();
  return 0;
}
