#pragma once
// App: one function for each question; wires adapters, evidence, ledger, explain, plan and render for both
// doors. This header: files to what the ledger is built from.

#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/progress.h"
#include "evidence/build.h"
#include "model/prices.h"
#include "model/provenance.h"

namespace etiage::app {

struct Loaded {
  evidence::Sources sources;
  PriceBook prices;
  bool priced = false;  ///< some list was given
  std::vector<Provenance> files;
  std::vector<PromqlUse> promql;  ///< of dashboards and rule files
  Diagnostics diagnostics;
};

struct LoadOptions {
  std::vector<std::string> prices;  ///< files that must be price lists
  unsigned threads = 2;
  std::int64_t scrape_ms = 0;  ///< the time of samples that bring none, on standard input
  Progress progress;
  std::vector<std::string> cluster_labels;  ///< by which series name their cluster; empty: the usual ones
  std::vector<std::string> named;           ///< set by `load`: what the user named, not found in a folder
};

/// Reads every file that `paths` name, kinds told by content. Fails only where a path is not there, or
/// nothing at all can be used; a damaged file is a diagnostic, and the rest of it and of the others is used.
Result<Loaded> load(std::span<const std::string> paths, const LoadOptions& options);

}  // namespace etiage::app
