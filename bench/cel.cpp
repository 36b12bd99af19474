// Selectors on varied devices: the fast path, the counting one, preparing and compiling.

#include <benchmark/benchmark.h>
#include <random>

#include "engines/cel/selector.h"

namespace {

using namespace etiage;

constexpr auto kThreeClauses =
    R"(device.attributes["gpu.nvidia.com"].productName == "NVIDIA H100 80GB HBM3" && )"
    R"(device.attributes["gpu.nvidia.com"].driverVersion.compareTo(semver("570.0.0")) >= 0 && )"
    R"(device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0)";

/// Half of them match; names, versions and sizes vary.
std::vector<Device> varied_devices(std::size_t n) {
  std::mt19937_64 random(1);
  const auto pick = [&](std::initializer_list<const char*> words) {
    return std::string(words.begin()[random() % words.size()]);
  };
  std::vector<Device> devices(n);
  for (std::size_t i = 0; i < n; ++i) {
    Device& d = devices[i];
    const bool matches = random() % 2 == 0;
    d.name = "gpu-" + std::to_string(i);
    d.attributes = {{"type", std::string("gpu")},
                    {"productName", matches ? std::string("NVIDIA H100 80GB HBM3")
                                            : pick({"NVIDIA A100-SXM4-40GB", "NVIDIA H200", "NVIDIA L40S"})},
                    {"architecture", pick({"Hopper", "Ampere", "Ada Lovelace"})},
                    {"uuid", "GPU-" + std::to_string(random())},
                    {"driverVersion", SemanticVersion{matches ? pick({"580.126.20", "575.57.8"})
                                                              : pick({"580.126.20", "550.90.7"})}},
                    {"index", static_cast<std::int64_t>(i % 8)},
                    {"resource.kubernetes.io/pcieRoot", "pci0000:" + std::to_string(i % 16)}};
    const std::string memory = matches ? pick({"80Gi", "141Gi"}) : pick({"24Gi", "40Gi", "80Gi"});
    d.capacity["memory"].value = {memory, *Quantity::parse(memory)};
  }
  return devices;
}

std::vector<cel::PreparedDevice> prepared(const std::vector<Device>& devices) {
  std::vector<cel::PreparedDevice> out;
  const cel::FleetPreparation preparation(cel::default_environment({}));
  for (const Device& d : devices) out.push_back(preparation.prepare("gpu.nvidia.com", d));
  return out;
}

void matches_three_clauses(benchmark::State& state) {
  const auto devices = prepared(varied_devices(1000));
  const auto selector = cel::compile_selector(kThreeClauses, cel::default_environment({}));
  std::size_t i = 0, matching = 0;
  for (auto _ : state) {
    matching += cel::matches(selector, devices[i]) == cel::Outcome::kTrue ? 1 : 0;
    if (++i == devices.size()) i = 0;
  }
  benchmark::DoNotOptimize(matching);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(matches_three_clauses);

void evaluates_and_counts(benchmark::State& state) {
  const auto devices = prepared(varied_devices(1000));
  const auto selector = cel::compile_selector(kThreeClauses, cel::default_environment({}));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(cel::evaluate(selector, devices[i]));
    if (++i == devices.size()) i = 0;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(evaluates_and_counts);

void prepares(benchmark::State& state) {
  const auto devices = varied_devices(1000);
  const cel::FleetPreparation preparation(cel::default_environment({}));
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(preparation.prepare("gpu.nvidia.com", devices[i]));
    if (++i == devices.size()) i = 0;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(prepares);

void compiles(benchmark::State& state) {
  const auto environment = cel::default_environment({});
  for (auto _ : state) benchmark::DoNotOptimize(cel::compile_selector(kThreeClauses, environment));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(compiles);

}  // namespace
