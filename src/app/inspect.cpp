#include "app/inspect.h"

#include "adapters/mapped_file.h"
#include "app/sample_lines.h"

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

}  // namespace etiage::app
