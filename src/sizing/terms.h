#pragma once
// The terms and keys behind an answer, as columns: what scripts/fit_serving.py learns from.

#include <string>
#include <vector>

#include "sizing/question.h"

namespace etiage::sizing {

/// `key.model`, ..., `basis.one`, ..., `tpot.weights`, ..., `ttft.compute`, ... The terms of the first token
/// are those of a time per output token of 1 ms in `step_wait` and `pool_wait`, so that a fit can put its own
/// in.
std::vector<std::string> term_columns();

void add_terms(std::vector<std::string>& cells, const Question& question, const Answer& answer);

}  // namespace etiage::sizing
