// The forgiving reader of Prometheus texts in pieces of any size, the strict one in both formats, and where
// one content in a stream ends.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/content_end.h"
#include "formats/foreign.h"
#include "formats/text/exposition.h"
#include "formats/text/text_reader.h"
#include "fuzz/sample_sink.h"

using namespace etiage::formats;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::size_t piece = data[0] + 1U;
  SampleSink sink;
  TextReader reader(sink);
  for (std::size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
  reader.finish();
  ContentEnd content(static_cast<ContentKind>(data[0] % (static_cast<int>(ContentKind::kScenario) + 1)));
  if (const std::size_t end = content.find(text); end != ContentEnd::kNowhere && end >= text.size())
    __builtin_trap();
  foreign_content(text);
  for (const auto format : {ExpositionFormat::kText, ExpositionFormat::kOpenMetrics})
    if (const auto read = read_exposition(text, format, [](const ExpositionSample&) {}); !read)
      if (read.error().message.empty() || read.error().place.line < 1) __builtin_trap();
  return 0;
}
