#pragma once
// Samples as `inspect --samples` prints them: JSON Lines, one series a line, in the order of the labels.

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/samples.h"

namespace etiage::app {

/// `%.17g`, `NaN`, `StaleNaN`, `+Inf`, `-Inf`.
std::string sample_text(double value);

using OwnedLabels = std::vector<std::pair<std::string, std::string>>;
OwnedLabels owned(formats::Labels labels);

/// Keeps every sample as it comes, also those without a time (`null`).
class SampleLines {
 public:
  void add(formats::Labels labels, std::optional<std::int64_t> ms, double value);
  void write(std::ostream& out) const;

 private:
  std::map<OwnedLabels, std::string> series_;  ///< to the samples, as JSON without the brackets
};

/// `{"labels":{...},"samples":[...]}` and a line feed. A name or value that is not UTF-8, or holds the
/// character that stands for such bytes, is written `quoted:"..."` with Go's escapes, so that nothing is
/// lost.
void write_series_line(std::ostream& out, const OwnedLabels& labels, std::string_view samples);

}  // namespace etiage::app
