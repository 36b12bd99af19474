#pragma once
// What files are taken for, and the samples that are in them.

#include <cstdint>
#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"
#include "formats/read_report.h"
#include "formats/text/exposition.h"
#include "render/table.h"

namespace etiage::app {

inline constexpr const char* kHeadNotRead =
    "the head of the database (write-ahead log, head chunks) is not read";
inline constexpr const char* kHeadHint =
    "samples of the last two or three hours are only there; a snapshot has them as a block";

/// What one file, or one folder of Prometheus, was taken for.
struct InspectedFile {
  std::string path;
  std::string kind;  ///< as listings name it; empty where it could not be opened
  std::vector<std::string>
      dialects;  ///< exporters and engines whose metrics are in it, the most frequent first
  std::map<std::string, std::uint64_t> objects;  ///< Kubernetes objects by kind
  std::vector<std::string> tells;  ///< of a log or an invoice, in words: `2 tenants`, `charges in USD`
  std::uint64_t rows = 0;          ///< of a log or an invoice
  std::uint64_t metrics = 0;       ///< different names
  std::uint64_t series = 0;
  formats::ReadReport report;  ///< samples, times, what was dropped and why
  Diagnostics remarks;         ///< on the file as a whole
};

std::vector<InspectedFile> inspect_files(std::span<const std::string> paths, std::int64_t now_ms,
                                         Diagnostics& diagnostics);

/// `{files:[{path,kind,dialects,objects,tells,rows,metrics,series,samples,start,end,dropped:[{reason,count,line}],remarks}]}`
std::string to_json(std::span<const InspectedFile> files);
render::Table to_table(std::span<const InspectedFile> files);

/// One exposition text, read as strictly as Prometheus itself does, its samples as JSON Lines.
Result<void> write_exposition_samples(const std::string& path, formats::ExpositionFormat format,
                                      std::ostream& out);

/// The samples of all inputs, merged, as JSON Lines; `now_ms` is the time of samples that bring none. What
/// could not be read is returned.
Diagnostics write_merged_samples(std::span<const std::string> paths, std::int64_t now_ms, std::ostream& out);

}  // namespace etiage::app
