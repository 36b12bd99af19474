#pragma once
// Series with other names, as OpenMetrics text.

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "formats/bundle/labels.h"
#include "formats/samples.h"

namespace etiage::formats::bundle {

/// Which metrics are of any use to who reads the bundle.
using Wants = std::function<bool(std::string_view metric)>;

/// Meets every name of the wanted series; no sample is decoded.
class SeriesNames final : public SampleVisitor {
 public:
  SeriesNames(Wants wants, const KeptKeys& kept, Rename rename)
      : wants_(std::move(wants)), kept_(kept), rename_(std::move(rename)) {}

  bool wants(std::string_view metric) override { return wants_(metric); }
  std::optional<SeriesRef> series(Labels labels) override;
  void samples(SeriesRef, std::span<const Sample>) override {}

 private:
  Wants wants_;
  const KeptKeys& kept_;
  Rename rename_;
};

/// Writes the wanted series sample by sample, in the order in which they come; holds one line's head for each
/// series. A stale marker is written `StaleNaN`, which text readers here take as such.
class SeriesText final : public SampleVisitor {
 public:
  using Write = std::function<void(std::string_view)>;

  SeriesText(Wants wants, const KeptKeys& kept, Rename rename, Write write)
      : wants_(std::move(wants)), kept_(kept), rename_(std::move(rename)), write_(std::move(write)) {}

  bool wants(std::string_view metric) override { return wants_(metric); }
  std::optional<SeriesRef> series(Labels labels) override;
  void samples(SeriesRef series, std::span<const Sample> samples) override;
  /// The end of the text; no more may come.
  void finish();
  std::uint64_t written() const { return count_; }

 private:
  Wants wants_;
  const KeptKeys& kept_;
  Rename rename_;
  Write write_;
  std::unordered_map<std::string, SeriesRef> refs_;  ///< by the labels as they were
  std::vector<std::string> heads_;                   ///< of lines, with the blank before the value
  std::string text_;                                 ///< not yet handed on
  std::uint64_t count_ = 0;
};

}  // namespace etiage::formats::bundle
