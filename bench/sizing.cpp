// Sizing: one model over all cards, rows a second, and the packing of many MIG instances.

#include <benchmark/benchmark.h>
#include <sstream>

#include "app/size.h"
#include "catalog/cards.h"
#include "catalog/mig_geometry.h"
#include "engines/mig/pack.h"
#include "sizing/rows.h"

namespace {

using namespace etiage;

void one_model_over_all_cards(benchmark::State& state) {
  app::SizeOptions o{.model = "meta-llama/Llama-3.1-70B",
                     .rate = "10",
                     .input = "1024",
                     .output = "256",
                     .slo = "ttft-p95=2s,tpot-p95=60ms"};
  for (auto _ : state) benchmark::DoNotOptimize(app::size(o));
}
BENCHMARK(one_model_over_all_cards)->Unit(benchmark::kMillisecond);

void rows(benchmark::State& state) {
  std::string csv = "model,card,engine,quantization,tensorParallel,input,output,concurrency\n";
  for (int i = 0; i < 10'000; ++i)
    csv +=
        "meta-llama/Llama-3.1-70B,h200_sxm,vllm@0.12,fp8,4,1024,1024," + std::to_string(1 + i % 256) + "\n";
  const sizing::Sources sources{catalog::models(), catalog::cards(), catalog::mig_slices(),
                                &serving::builtin_coefficients()};
  for (auto _ : state)
    (void)sizing::answer_rows(csv, "rows.csv", sources, false,
                              [](const auto&, const auto& added) { benchmark::DoNotOptimize(added.data()); });
  state.counters["rows/s"] =
      benchmark::Counter(10'000.0 * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(rows)->Unit(benchmark::kMillisecond);

void pack_100000_instances(benchmark::State& state) {
  const auto geometry = *catalog::mig_geometry("h100-sxm-80gb");
  const mig::Demand demand{{"1g.10gb", 40'001}, {"1g.20gb", 9'999}, {"2g.20gb", 20'003},
                           {"3g.40gb", 19'997}, {"4g.40gb", 5'000}, {"7g.80gb", 5'000}};
  for (auto _ : state) benchmark::DoNotOptimize(mig::pack(geometry, demand));
}
BENCHMARK(pack_100000_instances)->Unit(benchmark::kMillisecond);

}  // namespace
