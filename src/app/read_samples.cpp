#include "app/read_samples.h"

#include "adapters/tsdb_blocks.h"
#include "formats/api/api_reader.h"
#include "formats/text/text_reader.h"
#include "formats/tsdb/block.h"

namespace etiage::app {
namespace {

using formats::ContentKind;

template <class Reader>
formats::ReadReport read_with(Reader reader, adapters::InputFile& input, Diagnostics& diagnostics) {
  const auto read = input.each_chunk([&](std::string_view bytes) { return reader.feed(bytes), true; });
  if (!read) diagnostics.push_back(as_diagnostic(read.error(), "damaged"));
  return reader.finish();
}

}  // namespace

std::optional<adapters::InputFile> open_input(const std::string& path, Diagnostics& diagnostics) {
  auto input = adapters::InputFile::open(path, adapters::PipeHolds::kSeveral);
  if (input) return std::move(*input);
  diagnostics.push_back(as_diagnostic(input.error(), "unreadable"));
  return {};
}

ReadFile read_sample_file(adapters::InputFile& input, std::int64_t scrape_ms, formats::SampleVisitor& visitor,
                          Diagnostics& diagnostics) {
  const ContentKind kind = formats::recognise(input.head(), input.tail());
  ReadFile out{.path = input.path(), .kind = std::string(to_string(kind))};
  out.samples = true;
  const auto times =
      kind == ContentKind::kOpenMetrics ? formats::TextTimes::kSeconds : formats::TextTimes::kAuto;
  if (kind == ContentKind::kPrometheusText || kind == ContentKind::kOpenMetrics)
    out.report = read_with(formats::TextReader(visitor, {scrape_ms, times}), input, diagnostics);
  else if (kind == ContentKind::kPrometheusApi)
    out.report = read_with(formats::ApiReader(visitor), input, diagnostics);
  else
    out.samples = false;
  // Of a packed file the end is known only now.
  if (kind == ContentKind::kPrometheusText && out.report.complete)
    out.kind = to_string(ContentKind::kOpenMetrics);
  for (formats::Dropped& d : out.report.dropped) d.first.file = out.path;
  return out;
}

void tell_downsampled(std::span<const formats::tsdb::Block> blocks, Diagnostics& diagnostics) {
  for (const formats::tsdb::Block& b : blocks)
    if (b.meta.downsampled_ms > 0)
      diagnostics.push_back(
          {Severity::kInfo,
           "downsampled",
           {b.folder},
           "downsampled by Thanos: gauges are averages, and counters what they came to, by " +
               std::to_string(b.meta.downsampled_ms / 1000) + " s",
           "raw blocks of the same time are used where they are given too"});
}

formats::ReadReport read_block_folders(std::span<const std::string> folders,
                                       formats::tsdb::BlockOptions options, formats::SampleVisitor& visitor,
                                       Diagnostics& diagnostics) {
  const adapters::TsdbBlocks opened = adapters::open_tsdb_blocks(folders);
  for (const Error& e : opened.refused) diagnostics.push_back(as_diagnostic(e, "block-refused"));
  tell_downsampled(opened.blocks, diagnostics);
  return formats::tsdb::read_blocks(opened.blocks, visitor, options);
}

}  // namespace etiage::app
