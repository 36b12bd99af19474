#pragma once
// Takes all samples of a reader and keeps none; passes over some metrics and series, so that both ways are
// tried.

#include <optional>
#include <span>
#include <string_view>

#include "formats/samples.h"

namespace etiage::formats {

class SampleSink : public SampleVisitor {
 public:
  bool wants(std::string_view metric) override { return !metric.starts_with('x'); }
  std::optional<SeriesRef> series(Labels labels) override {
    return label_value(labels, "skip").empty() ? std::optional<SeriesRef>(0) : std::nullopt;
  }
  void samples(SeriesRef, std::span<const Sample>) override {}
};

}  // namespace etiage::formats
