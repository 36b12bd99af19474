#pragma once
// Answers of Prometheus's HTTP API (`query`, `query_range`, also of Thanos, Mimir, VictoriaMetrics) as a
// stream of bytes.

#include <memory>
#include <string_view>

#include "formats/read_report.h"
#include "formats/samples.h"

namespace etiage::formats {

/// Reads whole answers, their `data` or `result` alone, one after another or in an array, and the lines of
/// VictoriaMetrics' `/api/v1/export`. Holds one series at a time. A series is handed out when it ends; series
/// without a name (computed results) only to who wants the metric ``. An answer that is an error is dropped
/// with its text; what stood before a damaged place is used, the points of the series that it broke off too.
class ApiReader {
 public:
  explicit ApiReader(SampleVisitor& visitor);
  ~ApiReader();

  void feed(std::string_view bytes);
  ReadReport finish();

 private:
  class Answers;
  std::unique_ptr<Answers> answers_;
};

}  // namespace etiage::formats
