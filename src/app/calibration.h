#pragma once
// What a deployment's metrics, start-up logs and benchmark results say about its times and memory.

#include <string>
#include <vector>

#include "app/size.h"
#include "sizing/calibration.h"

namespace etiage::app {

struct Calibrated {
  sizing::Question base;
  sizing::Calibration learnt;
  std::vector<sizing::Observation> observations;
  std::vector<sizing::PrintedMemory> printed;
  Diagnostics diagnostics;
};

/// Reads `paths`; model, card, tp, engine and quantization come from `deployment`, the model also from the
/// files.
Result<Calibrated> calibrate(const std::vector<std::string>& paths, const SizeOptions& deployment);

/// As `etiage calibrate -o yaml` prints it and `--calibration` reads it.
std::string calibration_json(const Calibrated& calibrated);

/// What `calibration_json` wrote. Refused: numbers that make no sense.
Result<sizing::Calibration> read_calibration(const std::string& path);

}  // namespace etiage::app
