#include "engines/mig/programme.h"

#include <cmath>
#include <coin/CbcModel.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <coin/OsiClpSolverInterface.hpp>

namespace etiage::mig {
namespace {

constexpr double kMostSeconds = 5;

double limit(double value, double infinity) {
  return value == kNoLimit ? infinity : value == -kNoLimit ? -infinity : value;
}

void load(OsiClpSolverInterface& solver, const Programme& p) {
  const double infinity = solver.getInfinity();
  CoinPackedMatrix matrix(false, 0, 0);
  matrix.setDimensions(0, static_cast<int>(p.columns.size()));
  std::vector<double> least, most;
  for (const auto& row : p.rows) {
    CoinPackedVector packed;
    for (const auto& [column, value] : row.terms) packed.insert(column, value);
    matrix.appendRow(packed);
    least.push_back(limit(row.least, infinity));
    most.push_back(limit(row.most, infinity));
  }
  const std::vector<double> zero(p.columns.size(), 0);
  std::vector<double> high, cost;
  for (const auto& c : p.columns) high.push_back(limit(c.most, infinity)), cost.push_back(c.cost);
  solver.messageHandler()->setLogLevel(0);
  solver.loadProblem(matrix, zero.data(), high.data(), cost.data(), least.data(), most.data());
}

}  // namespace

Relaxed solve_relaxed(const Programme& p) {
  OsiClpSolverInterface solver;
  load(solver, p);
  solver.initialSolve();
  return {.cost = solver.getObjValue(),
          .values = {solver.getColSolution(), solver.getColSolution() + p.columns.size()},
          .prices = {solver.getRowPrice(), solver.getRowPrice() + p.rows.size()}};
}

std::optional<Whole> solve_whole(const Programme& p) {
  OsiClpSolverInterface solver;
  load(solver, p);
  for (std::size_t j = 0; j < p.columns.size(); ++j) solver.setInteger(static_cast<int>(j));
  CbcModel model(solver);
  model.setLogLevel(0);
  model.solver()->setHintParam(OsiDoReducePrint, true, OsiHintTry);
  model.setMaximumSeconds(kMostSeconds);
  // No strong branching: its hot starts stop the program on an assertion of OsiClp in rare small programmes.
  model.setNumberStrong(0);
  model.setNumberBeforeTrust(0);
  model.branchAndBound();
  const double* best = model.bestSolution();
  if (best == nullptr) return std::nullopt;
  Whole out{std::vector<int>(p.columns.size()), model.isProvenOptimal()};
  for (std::size_t j = 0; j < out.values.size(); ++j) out.values[j] = static_cast<int>(std::lround(best[j]));
  return out;
}

}  // namespace etiage::mig
