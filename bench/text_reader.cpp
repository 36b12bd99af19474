// Prometheus texts in bytes a second. Floors, as multiples of Prometheus's own parser (docs/performance.md):
// dumps 1.3 GB/s, expositions 0.74 GB/s.

#include "formats/text/text_reader.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string>

namespace {

using namespace etiage::formats;

/// Takes everything, keeps nothing.
class Sink : public SampleVisitor {
 public:
  explicit Sink(bool all) : all_(all) {}
  bool wants(std::string_view metric) override { return all_ || metric == "DCGM_FI_PROF_SM_ACTIVE"; }
  std::optional<SeriesRef> series(Labels labels) override {
    benchmark::DoNotOptimize(labels.data());
    return 0;
  }
  void samples(SeriesRef, std::span<const Sample> samples) override { count += samples.size(); }

  std::size_t count = 0;

 private:
  bool all_;
};

std::string labels(int card) {
  return fmt::format(
      "{{Hostname=\"gpu-{0:05}\",UUID=\"GPU-34319582-d595-d1c7-d1d2-{0:012x}\",container=\"vllm\",device="
      "\"nvidia{1}\",gpu=\"{1}\","
      "modelName=\"NVIDIA H100 80GB HBM3\",namespace=\"chat\",pod=\"llama-70b-4f1c{0:05x}-x7k2p\"}}",
      card / 8, card % 8);
}

constexpr const char* kMetrics[] = {"DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_GPU_UTIL",
                                    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "DCGM_FI_PROF_SM_ACTIVE"};

/// As promtool prints it: 160 cards, 4 metrics, 500 samples each.
const std::string& dump() {
  static const std::string text = [] {
    std::string out;
    for (int card = 0; card < 160; ++card)
      for (const char* metric : kMetrics) {
        const std::string head = metric + labels(card) + ' ';
        for (int i = 0; i < 500; ++i)
          out += fmt::format("{}{} {}.000\n", head, (card * 7919 + i * 104729) % 10000 / 1e4,
                             1790812800 + i * 300);
      }
    return out + "# EOF\n";
  }();
  return text;
}

/// One scrape of 8,000 cards.
const std::string& exposition() {
  static const std::string text = [] {
    std::string out;
    for (const char* metric : kMetrics) {
      out += fmt::format("# HELP {0} of a card.\n# TYPE {0} gauge\n", metric);
      for (int card = 0; card < 8000; ++card)
        out += fmt::format("{}{} {}\n", metric, labels(card), card * 7919 % 10000 / 1e4);
    }
    return out;
  }();
  return text;
}

void read(benchmark::State& state, const std::string& text, bool all) {
  for (auto _ : state) {
    Sink sink(all);
    TextReader reader(sink);
    reader.feed(text);
    benchmark::DoNotOptimize(reader.finish().samples);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

/// A file that others are timed on too.
const std::string& given() {
  static const std::string text = [] {
    std::ostringstream out;
    out << std::ifstream(std::getenv("ETIAGE_BENCH_TEXT")).rdbuf();
    return std::move(out).str();
  }();
  return text;
}

const auto* const kGiven = std::getenv("ETIAGE_BENCH_TEXT") == nullptr
                               ? nullptr
                               : benchmark::RegisterBenchmark("read/given", [](benchmark::State& state) {
                                   read(state, given(), true);
                                 });
BENCHMARK_CAPTURE(read, dump, dump(), true);
BENCHMARK_CAPTURE(read, dump_one_metric_of_four, dump(), false);
BENCHMARK_CAPTURE(read, exposition, exposition(), true);
BENCHMARK_CAPTURE(read, exposition_one_metric_of_four, exposition(), false);

}  // namespace
