#pragma once
// Many questions at once: a table with one configuration a row, answered row by row in one process.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/models.h"
#include "model/card.h"
#include "sizing/question.h"

namespace etiage::sizing {

/// What the answers are looked up in.
struct Sources {
  std::span<const catalog::KnownModel> models;
  std::span<const Card> cards;
  std::span<const catalog::MigSlice> slices;
  const serving::Coefficients* coefficients = nullptr;
};

/// The columns that are added to those of the input.
std::vector<std::string> answer_columns(bool with_terms);

/// The columns of the input that go before them: all but earlier answers, which are replaced. Refused where
/// two have one name.
Result<std::vector<std::size_t>> carried_columns(const std::vector<std::string>& header,
                                                 const std::string& file, bool with_terms);

/// Answers `csv`, whose columns are named as the flags, or
/// `model,card,engine,quantization,kvDtype,tensorParallel,pipelineParallel,dataParallel,expertParallel,input,
/// output,concurrency,migProfile,maxModelLen,...`. Unknown columns are carried through; a row that is refused
/// has `fits` false and its `reason`. `take` gets the carried cells of the input and those of the answer, in
/// order. `with_terms`: also the terms of step.h, for the fit. An error only where the table itself is
/// damaged.
Result<void> answer_rows(std::string_view csv, const std::string& file, const Sources& sources,
                         bool with_terms,
                         const std::function<void(const std::vector<std::string>& cells,
                                                  const std::vector<std::string>& added)>& take);

}  // namespace etiage::sizing
