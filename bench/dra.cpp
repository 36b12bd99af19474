// How fast devices are allocated, on the clusters that the real allocator is timed on
// (k8s.io/dynamic-resource-allocation).

#include <benchmark/benchmark.h>
#include <set>

#include "engines/dra/allocator.h"
#include "engines/dra/explain.h"

namespace {

using namespace etiage;

constexpr const char* kClass = R"(device.driver == "gpu.nvidia.com")";
constexpr const char* kThreeClauses =
    R"(device.attributes["gpu.nvidia.com"].productName == "NVIDIA H100 80GB HBM3" && device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0 && device.attributes["gpu.nvidia.com"].driverVersion.isGreaterThan(semver("560.0.0")))";

WrittenQuantity quantity(const std::string& text) {
  return {text, *Quantity::parse(text)};
}

Device gpu(int index, const std::string& product, const std::string& memory) {
  Device d;
  d.name = "gpu-" + std::to_string(index);
  d.attributes = {{"type", "gpu"},
                  {"productName", product},
                  {"architecture", index % 3 == 0 ? "Hopper" : "Ampere"},
                  {"brand", "Nvidia"},
                  {"cudaComputeCapability", SemanticVersion{"9.0.0"}},
                  {"driverVersion", SemanticVersion{"580.126.20"}},
                  {"uuid", "GPU-" + std::to_string(index * 7919)},
                  {"resource.kubernetes.io/pcieRoot", "pci0000:" + std::to_string(index % 256)}};
  d.capacity.emplace("memory", DeviceCapacity{quantity(memory), std::nullopt});
  return d;
}

/// 10,000 devices of one node; which of them are of the wanted kind is told by `wanted`.
template <class Wanted>
std::vector<ResourceSlice> one_node(Wanted wanted) {
  constexpr int kDevices = 10'000, kPerSlice = 128;
  std::vector<ResourceSlice> out;
  for (int i = 0; i < kDevices; ++i) {
    if (i % kPerSlice == 0) {
      ResourceSlice s;
      s.meta.name = "s-" + std::to_string(1000 + i / kPerSlice);
      s.driver = "gpu.nvidia.com";
      s.pool = {"n", 1, (kDevices + kPerSlice - 1) / kPerSlice};
      s.reach.node_name = "n";
      out.push_back(std::move(s));
    }
    out.back().devices.push_back(wanted(i) ? gpu(i, "NVIDIA H100 80GB HBM3", "81559Mi")
                                           : gpu(i, "Tesla T4", "15360Mi"));
  }
  return out;
}

DeviceClass device_class(const std::string& name, const std::string& expression) {
  DeviceClass c;
  c.meta.name = name;
  if (!expression.empty()) c.selectors.push_back({expression, 0});
  return c;
}

ResourceClaim claim(int count, const std::string& expression) {
  ResourceClaim c;
  c.meta.ns = "default";
  c.meta.name = "c";
  DeviceRequest r;
  r.name = "r";
  r.exactly.emplace();
  r.exactly->device_class = "gpu";
  r.exactly->count = count;
  if (!expression.empty()) r.exactly->selectors.push_back({expression, 0});
  c.spec.requests.push_back(std::move(r));
  return c;
}

const LabelMap kNoLabels;

dra::Behaviour newest() {
  return dra::behaviour_of({37}, dra::default_gates({37}));
}

/// As in a scheduler: devices indexed, selectors compiled, answers of selectors not yet known.
template <class Wanted>
void allocate_cold(benchmark::State& state, Wanted wanted) {
  const auto slices = one_node(wanted);
  const ResourceClaim wants = claim(8, kThreeClauses);
  for (auto _ : state) {
    state.PauseTiming();
    dra::Allocator allocator(newest(), slices, {},
                             {device_class("gpu", R"(device.driver == "gpu.nvidia.com")")});
    const dra::InUse in_use = allocator.nothing_in_use();
    const NodeIdentity node{"n", kNoLabels};
    allocator.pools_on(node);
    allocator.prepare();
    for (const char* text : {kClass, kThreeClauses}) allocator.answers().compile(text);
    state.ResumeTiming();
    benchmark::DoNotOptimize(allocator.allocate(node, {&wants}, in_use));
    state.PauseTiming();
    {
      [[maybe_unused]] const auto gone = std::move(allocator);
    }
    state.ResumeTiming();
  }
}

void BM_EightOf10000_TenthMatch(benchmark::State& state) {
  allocate_cold(state, [](int i) { return i % 10 == 0; });
}
void BM_EightOf10000_Last8Match(benchmark::State& state) {
  allocate_cold(state, [](int i) { return i >= 9'992; });
}
BENCHMARK(BM_EightOf10000_TenthMatch)->Unit(benchmark::kMicrosecond)->Iterations(50);
BENCHMARK(BM_EightOf10000_Last8Match)->Unit(benchmark::kMicrosecond)->Iterations(50);

/// The same claim again, as pod after pod asks for the same.
void BM_EightOf10000_Last8Match_Again(benchmark::State& state) {
  dra::Allocator allocator(newest(), one_node([](int i) { return i >= 9'992; }), {},
                           {device_class("gpu", R"(device.driver == "gpu.nvidia.com")")});
  const dra::InUse in_use = allocator.nothing_in_use();
  const ResourceClaim wants = claim(8, kThreeClauses);
  for (auto _ : state) benchmark::DoNotOptimize(allocator.allocate({"n", kNoLabels}, {&wants}, in_use));
}
BENCHMARK(BM_EightOf10000_Last8Match_Again)->Unit(benchmark::kMicrosecond);

/// n + 1 devices wanted, n there: 2^n steps in the real one.
void BM_OneTooMany(benchmark::State& state) {
  std::vector<ResourceSlice> slices(1);
  slices[0].meta.name = "s";
  slices[0].driver = "gpu.nvidia.com";
  slices[0].pool = {"n", 1, 1};
  slices[0].reach.node_name = "n";
  for (int i = 0; i < state.range(0); ++i) slices[0].devices.push_back(gpu(i, "NVIDIA H200", "143771Mi"));
  dra::Allocator allocator(newest(), slices, {}, {device_class("gpu", "")});
  const dra::InUse in_use = allocator.nothing_in_use();
  const ResourceClaim wants = claim(static_cast<int>(state.range(0)) + 1, "");
  for (auto _ : state) benchmark::DoNotOptimize(allocator.allocate({"n", kNoLabels}, {&wants}, in_use));
}
BENCHMARK(BM_OneTooMany)->Arg(18)->Arg(31)->Unit(benchmark::kMicrosecond);

struct Profile {
  const char* name;
  const char* memory;
  int sms, slices;
  std::vector<int> starts;
};
const std::vector<Profile> kProfiles{{"1g.10gb", "9856Mi", 16, 1, {0, 1, 2, 3, 4, 5, 6}},
                                     {"1g.20gb", "20096Mi", 26, 2, {0, 2, 4, 6}},
                                     {"2g.20gb", "20096Mi", 32, 2, {0, 2, 4}},
                                     {"3g.40gb", "40448Mi", 60, 4, {0, 4}},
                                     {"4g.40gb", "40448Mi", 64, 4, {0}},
                                     {"7g.80gb", "81154Mi", 132, 8, {0}}};

CounterMap use(int sms, const std::string& memory, int first, int slices) {
  CounterMap out{{"multiprocessors", Quantity::units(sms)}, {"memory", *Quantity::parse(memory)}};
  for (int s = first; s < first + slices; ++s)
    out.emplace("memory-slice-" + std::to_string(s), Quantity::units(1));
  return out;
}

std::vector<ResourceSlice> mig_node(const std::string& node) {
  std::vector<ResourceSlice> out(1);
  std::vector<Device> devices;
  for (int g = 0; g < 8; ++g) {
    const std::string set = "gpu-" + std::to_string(g) + "-counter-set";
    out[0].shared_counters.push_back({set, use(132, "81559Mi", 0, 8)});
    Device whole = gpu(g, "NVIDIA H100 80GB HBM3", "81559Mi");
    whole.consumes = {{set, use(132, "81559Mi", 0, 8), {}}};
    devices.push_back(whole);
    for (const Profile& p : kProfiles)
      for (const int start : p.starts) {
        Device d;
        d.name = "gpu-" + std::to_string(g) + "-mig-" + p.name + "-" + std::to_string(start);
        std::erase(d.name, '.');
        d.attributes = {{"type", "mig"}, {"profile", p.name}};
        d.capacity.emplace("memory", DeviceCapacity{quantity(p.memory), std::nullopt});
        d.consumes = {{set, use(p.sms, p.memory, start, p.slices), {}}};
        devices.push_back(std::move(d));
      }
  }
  for (std::size_t i = 0; i < devices.size(); i += 64) {
    ResourceSlice s;
    s.devices.assign(devices.begin() + static_cast<std::ptrdiff_t>(i),
                     devices.begin() + static_cast<std::ptrdiff_t>(std::min(devices.size(), i + 64)));
    out.push_back(std::move(s));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].meta.name = "s-" + node + "-" + std::to_string(i);
    out[i].driver = "gpu.nvidia.com";
    out[i].pool = {node, 1, static_cast<std::int64_t>(out.size())};
    out[i].reach.node_name = node;
  }
  return out;
}

/// 64 GPUs with all MIG placements and counters; claims in turn to the first node that takes them, until 20
/// in a row fit nowhere.
void BM_MigFill(benchmark::State& state) {
  std::vector<ResourceSlice> slices;
  std::vector<std::string> nodes;
  for (int n = 0; n < 8; ++n) {
    nodes.push_back("n" + std::to_string(n));
    for (ResourceSlice& s : mig_node(nodes.back())) slices.push_back(std::move(s));
  }
  std::vector<ResourceClaim> wanted;
  for (const char* profile : {"1g.10gb", "2g.20gb", "3g.40gb", "1g.20gb", "4g.40gb"})
    wanted.push_back(
        claim(1, R"(device.attributes["gpu.nvidia.com"].profile == ")" + std::string(profile) + "\""));
  dra::Allocator allocator(
      newest(), slices, {},
      {device_class(
          "gpu",
          R"(device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "mig")")});
  std::int64_t placed = 0;
  for (auto _ : state) {
    dra::InUse in_use = allocator.nothing_in_use();
    std::uint64_t draw = 7;
    for (int failures = 0, number = 0; failures < 20; ++number) {
      draw = draw * 6364136223846793005u + 1442695040888963407u;
      const ResourceClaim& wants = wanted[(draw >> 33) % wanted.size()];
      bool found = false;
      for (const std::string& node : nodes) {
        const dra::Attempt attempt = allocator.allocate({node, kNoLabels}, {&wants}, in_use);
        if (attempt.outcome != dra::Attempt::Outcome::kAllocated) continue;
        in_use.add(attempt.allocations[0], "c-" + std::to_string(number));
        found = true;
        break;
      }
      failures = found ? 0 : failures + 1;
      placed += found;
    }
  }
  state.counters["placed/s"] = benchmark::Counter(static_cast<double>(placed), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_MigFill)->Unit(benchmark::kMillisecond);

void BM_Explain10000(benchmark::State& state) {
  dra::Allocator allocator(newest(), one_node([](int) { return false; }), {},
                           {device_class("gpu", R"(device.driver == "gpu.nvidia.com")")});
  const dra::InUse in_use = allocator.nothing_in_use();
  const ResourceClaim wants = claim(8, kThreeClauses);
  Node node;
  node.meta.name = "n";
  for (auto _ : state) benchmark::DoNotOptimize(dra::explain_claim(allocator, in_use, wants, {&node}));
}
BENCHMARK(BM_Explain10000)->Unit(benchmark::kMillisecond);

/// As a command does it: the slices are read, nothing else is known yet.
void BM_Explain10000_Cold(benchmark::State& state) {
  const auto slices = one_node([](int) { return false; });
  const std::vector<DeviceClass> classes{device_class("gpu", kClass)};
  const ResourceClaim wants = claim(8, kThreeClauses);
  Node node;
  node.meta.name = "n";
  for (auto _ : state) {
    state.PauseTiming();
    auto copy = slices;
    state.ResumeTiming();
    dra::Allocator allocator(newest(), std::move(copy), {}, classes);
    benchmark::DoNotOptimize(dra::explain_claim(allocator, allocator.nothing_in_use(), wants, {&node}));
  }
}
BENCHMARK(BM_Explain10000_Cold)->Unit(benchmark::kMillisecond);

}  // namespace
