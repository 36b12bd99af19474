#pragma once
// What a person would run after a page: command lines that can be pasted and fit the data at hand.

#include "app/scan.h"
#include "render/cost.h"
#include "render/next.h"

namespace etiage::app {

std::vector<render::NextStep> next_after_scan(const Reading& reading, const ReadOptions& options);
std::vector<render::NextStep> next_after_cost(const render::Cost& cost, const ReadOptions& options);

}  // namespace etiage::app
