// Prometheus blocks read as its querier reads them: every sample of every series, in order of the labels. The
// folder is ETIAGE_BENCH_BLOCKS, else the few recorded ones of the tests.

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/files.h"
#include "adapters/tsdb_blocks.h"

namespace {

using namespace etiage;

/// Looks at each sample and keeps nothing.
class Sum : public formats::SampleVisitor {
 public:
  explicit Sum(bool all) : all_(all) {}

  bool wants(std::string_view metric) override { return all_ || metric == "DCGM_FI_PROF_SM_ACTIVE"; }
  std::optional<formats::SeriesRef> series(formats::Labels labels) override {
    sum_ += static_cast<double>(labels.size());
    return 0;
  }
  void samples(formats::SeriesRef, std::span<const formats::Sample> samples) override {
    for (const formats::Sample& s : samples) sum_ += s.value + static_cast<double>(s.ms);
  }
  double sum() const { return sum_; }

 private:
  bool all_;
  double sum_ = 0;
};

const adapters::TsdbBlocks& blocks() {
  static const adapters::TsdbBlocks opened = [] {
    const char* const given = std::getenv("ETIAGE_BENCH_BLOCKS");
    const std::string root = given ? given : ETIAGE_SOURCE_DIR "/tests/conformance/tsdb/overlap";
    std::vector<std::string> folders;
    for (const auto& file : adapters::find_files({&root, 1}).files)
      if (file.kind == adapters::FoundFile::Kind::kTsdbBlock) folders.push_back(file.path);
    return adapters::open_tsdb_blocks(folders);
  }();
  return opened;
}

void read(benchmark::State& state, bool all) {
  std::uint64_t samples = 0;
  for (auto _ : state) {
    Sum sum(all);
    samples += formats::tsdb::read_blocks(blocks().blocks, sum).samples;
    benchmark::DoNotOptimize(sum.sum());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(samples));
}

BENCHMARK_CAPTURE(read, blocks, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, blocks_one_metric, false)->Unit(benchmark::kMillisecond);

}  // namespace
