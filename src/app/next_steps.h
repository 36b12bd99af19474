#pragma once
// What a person would run after a page: command lines that can be pasted and fit the data at hand.

#include "app/scan.h"
#include "render/cost.h"
#include "render/next.h"

namespace etiage::app {

/// `listed`: the workloads that the page lists.
std::vector<render::NextStep> next_after_scan(const Reading& reading,
                                              const std::vector<ledger::WorkloadRow>& listed,
                                              const ReadOptions& options);
std::vector<render::NextStep> next_after_cost(const render::Cost& cost, const ReadOptions& options);

}  // namespace etiage::app
