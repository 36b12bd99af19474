#pragma once
// The inputs of the ledger with other names, so that a fault can be shown to somebody else.

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/progress.h"

namespace etiage::app {

struct BundleOptions {
  std::vector<std::string> paths, prices, invoices;
  std::string out;                     ///< see adapters/output_archive.h
  std::string map;                     ///< where the names and their aliases are written; empty: nowhere
  std::vector<std::string> kept_keys;  ///< labels whose keys stay
  std::uint64_t seed = 0;
  std::int64_t now_ms = 0;  ///< the time of a scrape that brings none
  Progress progress;
};

/// One file of the bundle.
struct BundledFile {
  std::string from, name, kind;
  std::uint64_t rows = 0;  ///< samples, objects or prices
};

struct BundleReport {
  std::vector<BundledFile> files;
  std::vector<std::string> left_out;  ///< what the ledger does not read, and why
  std::size_t names = 0;              ///< replaced
  Diagnostics diagnostics;
};

/// Reads everything twice: for the names, then to replace them. Fails where nothing can be used or written.
Result<BundleReport> bundle(const BundleOptions& options);

}  // namespace etiage::app
