#pragma once
// Why a claim is not given devices, for people and for programs.

#include <string>
#include <vector>

#include "app/dra_objects.h"
#include "engines/dra/explain.h"
#include "render/table.h"

namespace etiage::app {

/// An explanation with the objects it speaks of.
struct ClaimReport {
  dra::Explanation explanation;
  std::vector<std::string> device_names;  ///< `driver/pool/device`, by the fleet's numbers
};

Result<ClaimReport> explain_claim(const DraInput& input, const dra::Behaviour& behaviour,
                                  const std::string& claim);

std::string to_json(const ClaimReport& report, const dra::Behaviour& behaviour);
/// The answer, requests with their selectors, reasons with counts, and what would help.
std::vector<render::Table> to_tables(const ClaimReport& report);

}  // namespace etiage::app
