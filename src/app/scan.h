#pragma once
// Reading a cluster: what it cost, who held it, what each token cost.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/load.h"
#include "ledger/invoice.h"
#include "ledger/unit_cost.h"
#include "model/evidence.h"
#include "render/scan.h"

namespace etiage::app {

/// What the flags that all reading commands share ask for.
struct ReadOptions {
  std::vector<std::string> paths, prices, invoices;
  std::string window;    ///< `A/B`, `7d`, `last-month`, or empty
  std::string ns;        ///< only this namespace's workloads and models are listed
  std::string selector;  ///< only pods with these labels
  ledger::IdleTo idle = ledger::IdleTo::kSeparate;
  std::vector<std::string> team_keys = {"team"};
  std::vector<std::string> cluster_labels;  ///< by which series name their cluster; empty: the usual ones
  std::vector<std::pair<std::string, std::string>> model_aliases;  ///< a gateway's name, the model's
  std::int64_t now_ms = 0;                                         ///< the time of a scrape that brings none
  unsigned threads = 2;
  Progress progress;
};

/// A cluster read and settled.
struct Reading {
  Evidence evidence;
  ledger::Ledger ledger;
  PriceBook prices;
  std::vector<Provenance> provenance;
  std::vector<Check> checks;
  Diagnostics diagnostics;
  Grade grade = Grade::kMeasured;
  std::vector<Money> borne;  ///< by pod, idle put on it (`--idle`)
  std::optional<ledger::InvoiceBill> invoice;
};

Result<Reading> read_cluster(const ReadOptions& options);

/// The two halves of `read_cluster`, for those who settle the same files over several windows.
/// `queries_suffice`: dashboards and rule files alone are something to read.
Result<Loaded> load_inputs(const ReadOptions& options, bool queries_suffice = false);
Result<Reading> settle(const Loaded& inputs, const ReadOptions& options, const std::string& window);

/// The page of `etiage scan` over a reading, its rows limited by `--namespace` and `--selector`; `reading`
/// must outlive it.
Result<render::Scan> scan_view(const Reading& reading, const ReadOptions& options);

/// Which pods `--namespace` and `--selector` list; an empty function where they ask for nothing.
Result<ledger::PodFilter> listed_pods(const ReadOptions& options);
/// The same in words, and why it may be nothing: `namespace chat`; empty: all.
std::string listed_in_words(const Evidence& evidence, const ReadOptions& options);

/// `A/B` (RFC 3339, or dates), `7d`, `last-month`.
Result<evidence::WindowRequest> parse_window(std::string_view text);

/// `proportional`, `even`, `separate`.
Result<ledger::IdleTo> parse_idle(std::string_view text);

}  // namespace etiage::app
