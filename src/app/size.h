#pragma once
// How large must it be: one model over all cards, or a table of questions.

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/instant.h"
#include "base/result.h"
#include "catalog/models.h"
#include "sizing/options.h"

namespace etiage::app {

enum class RowsFormat { kCsv, kJson };

/// Answers `path` (sizing/rows.h), a row as soon as it is read.
Result<void> size_rows(const std::string& path, RowsFormat format, bool with_terms,
                       const std::vector<std::string>& catalogs, std::ostream& out);

/// `etiage size MODEL`, as given on the command line; empty means not given.
struct SizeOptions {
  std::string model, config;
  std::vector<std::string> cards;
  std::string mig = "auto";
  std::string tensor, pipeline, data, expert;
  std::string quantization, kv, max_model_len, max_num_seqs, max_batched_tokens, utilization, engine;
  std::string rate, concurrency, traffic, input, output, spare, slo, calibration;
  std::string platform_hourly, saved_fraction;
  std::vector<std::string> prices, catalogs;
  Instant now;
};

struct Sized {
  sizing::Search search;
  std::vector<sizing::Option> options;
  sizing::Threshold kubernetes;
  std::string currency;
  Diagnostics diagnostics;
};

Result<Sized> size(const SizeOptions& options);

/// The widths that were given; nothing where none was.
Result<std::optional<serving::Parallelism>> split_given(const SizeOptions& options);

/// The model that a name, a config.json, a folder with one, or a GGUF file describes.
Result<ModelSpec> model_of(const std::string& name, const std::string& config,
                           std::span<const catalog::KnownModel> known);

}  // namespace etiage::app
