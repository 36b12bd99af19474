#include "app/inspect.h"

#include <fmt/format.h>

#include "adapters/files.h"
#include "adapters/mapped_file.h"
#include "app/read_samples.h"
#include "app/sample_lines.h"
#include "app/sample_table.h"

namespace etiage::app {

Result<void> write_exposition_samples(const std::string& path, formats::ExpositionFormat format,
                                      std::ostream& out) {
  const auto file = adapters::MappedFile::open(path);
  if (!file) return std::unexpected(file.error());
  SampleLines lines;
  auto read = formats::read_exposition(
      file->bytes(), format, [&](const formats::ExpositionSample& s) { lines.add(s.labels, s.ms, s.value); });
  if (!read) {
    read.error().place.file = path;
    return read;
  }
  lines.write(out);
  return {};
}

namespace {

void tell_dropped(const formats::ReadReport& report, Diagnostics& diagnostics) {
  for (const formats::Dropped& d : report.dropped)
    diagnostics.push_back(
        {Severity::kWarning, "dropped", d.first,
         d.count == 1 ? d.reason : fmt::format("{} (and {} more like it)", d.reason, d.count - 1), ""});
  for (const std::string& warning : report.warnings)
    diagnostics.push_back({Severity::kWarning, "incomplete", {}, "the source warns: " + warning, ""});
}

}  // namespace

Diagnostics write_merged_samples(std::span<const std::string> paths, std::int64_t now_ms, std::ostream& out) {
  using Kind = adapters::FoundFile::Kind;
  auto [files, diagnostics] = adapters::find_files(paths);
  SampleTable table;
  std::vector<std::string> blocks;
  for (const adapters::FoundFile& file : files) {
    if (file.kind == Kind::kTsdbBlock) {
      blocks.push_back(file.path);
    } else if (file.kind != Kind::kFile) {
      diagnostics.push_back({Severity::kInfo, "head-not-read", {file.path}, kHeadNotRead, kHeadHint});
    } else {
      auto input = open_input(file.path, diagnostics);
      if (!input) continue;
      do {
        const ReadFile read = read_sample_file(*input, now_ms, table, diagnostics);
        if (!read.samples)
          diagnostics.push_back(
              {Severity::kInfo, "no-samples", {file.path}, "holds no samples: " + read.kind, ""});
        tell_dropped(read.report, diagnostics);
      } while (input->next_content());
    }
  }
  const formats::tsdb::BlockOptions as_prometheus{.external_labels = false};
  if (!blocks.empty())
    tell_dropped(read_block_folders(blocks, as_prometheus, table, diagnostics), diagnostics);
  table.write(out);
  return diagnostics;
}

}  // namespace etiage::app
