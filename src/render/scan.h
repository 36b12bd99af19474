#pragma once
// The page of `etiage scan`, and its JSON as CONTRACT.md promises it.

#include <string>
#include <vector>

#include "ledger/invoice.h"
#include "ledger/unit_cost.h"
#include "ledger/workloads.h"
#include "model/provenance.h"
#include "render/next.h"
#include "render/table.h"

namespace etiage::render {

/// What a scan found; views into what the caller keeps.
struct Scan {
  const Evidence& evidence;
  const ledger::Ledger& ledger;
  std::vector<ledger::ModelRow> models;
  std::vector<ledger::WorkloadRow> workloads;
  std::vector<Provenance> provenance;
  std::vector<Check> checks;
  Grade grade = Grade::kMeasured;
  std::string listed;  ///< which rows are listed, where not all: `namespace chat`
  std::vector<NextStep> next;
  double cached_weight = 0;
  const ledger::InvoiceBill* invoice = nullptr;  ///< where one was given
};

std::string scan_json(const Scan& scan);
/// Bill and buckets, unit cost by model, workloads, nodes, quality, next steps; of a single scrape the
/// devices as they are now instead of a bill. The first is the one that CSV prints.
std::vector<Table> scan_tables(const Scan& scan);

}  // namespace etiage::render
