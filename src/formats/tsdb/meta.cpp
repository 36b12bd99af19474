#include "formats/tsdb/meta.h"

#include <algorithm>
#include <fmt/format.h>

#include "formats/document.h"

namespace etiage::formats::tsdb {

Result<BlockMeta> read_meta(std::string_view json) {
  Diagnostics diagnostics;
  const auto documents = read_documents(json, "", diagnostics);
  const auto error = std::ranges::find(diagnostics, Severity::kError, &Diagnostic::severity);
  if (error != diagnostics.end()) return failure(error->message, error->place);
  if (documents.size() != 1 || !documents[0].is_map()) return failure("is no JSON object");
  const Tree& meta = documents[0];
  if (meta["version"].as_int() != 1)
    return failure(fmt::format("version {} of meta.json is not read", meta["version"].text()));
  BlockMeta out{.ulid = meta["ulid"].text(),
                .min_ms = meta["minTime"].as_int().value_or(0),
                .max_ms = meta["maxTime"].as_int().value_or(0),
                .downsampled_ms = meta["thanos"]["downsample"]["resolution"].as_int().value_or(0)};
  for (const auto& [name, value] : meta["thanos"]["labels"].members())
    if (!value.text().empty() && !name.starts_with("__"))
      out.external_labels.emplace_back(name, value.text());
  std::ranges::sort(out.external_labels);
  return out;
}

}  // namespace etiage::formats::tsdb
