#include "app/read_samples.h"

#include <algorithm>
#include <set>

#include "adapters/tsdb_blocks.h"
#include "formats/api/api_reader.h"
#include "formats/cluster_labels.h"
#include "formats/text/text_reader.h"
#include "formats/tsdb/block.h"

namespace etiage::app {
namespace {

using formats::ContentKind;

template <class Reader>
formats::ReadReport read_with(Reader reader, adapters::InputFile& input, Diagnostics& diagnostics) {
  const auto read = input.each_chunk([&](std::string_view bytes) { return reader.feed(bytes), true; });
  if (!read) diagnostics.push_back(as_diagnostic(read.error(), "damaged"));
  return reader.finish();
}

/// External labels that differ between the Prometheuses of one cluster; tenants are told apart by themselves.
bool tells_no_cluster(std::string_view label) {
  constexpr std::string_view kOfOneCluster[] = {"prometheus",   "prometheus_replica", "replica",
                                                "shard",        "prometheus_shard",   "receive_replica",
                                                "rule_replica", formats::kTenantLabel};
  return std::ranges::find(kOfOneCluster, label) != std::ranges::end(kOfOneCluster);
}

std::string value_of(const formats::tsdb::ExternalLabels& labels, std::string_view name) {
  const auto at = std::ranges::find(labels, name, [](const auto& l) -> std::string_view { return l.first; });
  return at == labels.end() ? "" : at->second;
}

}  // namespace

namespace {

/// Blocks of several tenants say whose each is; what was only a label of that is none of a cluster.
void tell_tenants_apart(std::span<formats::tsdb::Block> blocks) {
  std::set<std::string> tenants;
  for (const auto& block : blocks) tenants.insert(block.meta.tenant);
  if (tenants.size() < 2) return;
  for (auto& block : blocks) {
    auto& labels = block.meta.external_labels;
    if (block.meta.tenant.empty()) continue;
    std::erase_if(labels, [](const auto& l) { return l.first == "tenant_id"; });
    labels.emplace_back(formats::kTenantLabel, block.meta.tenant);
    std::ranges::sort(labels);
  }
}

}  // namespace

void tell_origins_apart(std::span<formats::tsdb::Block> blocks, std::span<const std::string> cluster_labels) {
  tell_tenants_apart(blocks);
  std::set<std::string> names;
  for (const auto& block : blocks)
    for (const auto& [name, value] : block.meta.external_labels) {
      const bool usual = cluster_labels.empty() &&
                         std::ranges::find(formats::kClusterLabels, name) != formats::kClusterLabels.end();
      if (usual || std::ranges::find(cluster_labels, name) != cluster_labels.end()) return;
      if (!tells_no_cluster(name)) names.insert(name);
    }
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::all_of(blocks,
                               [&, first = value_of(blocks[0].meta.external_labels, name)](const auto& b) {
                                 return value_of(b.meta.external_labels, name) == first;
                               });
  });
  if (names.empty()) return;
  for (auto& block : blocks) {
    auto& labels = block.meta.external_labels;
    std::string cluster;
    for (const std::string& name : names)
      if (const std::string value = value_of(labels, name); !value.empty())
        cluster += (cluster.empty() ? "" : "/") + value;
    const std::string name = cluster_labels.empty() ? "cluster" : cluster_labels.front();
    if (!cluster.empty()) labels.emplace_back(name, cluster);
    std::ranges::sort(labels);
  }
}

std::optional<adapters::InputFile> open_input(const std::string& path, Diagnostics& diagnostics) {
  auto input = adapters::InputFile::open(path, adapters::PipeHolds::kSeveral);
  if (input) return std::move(*input);
  diagnostics.push_back(as_diagnostic(input.error(), "unreadable"));
  return {};
}

ReadFile read_sample_file(adapters::InputFile& input, std::int64_t scrape_ms, formats::SampleVisitor& visitor,
                          Diagnostics& diagnostics) {
  const ContentKind kind = formats::recognise(input.head(), input.tail());
  ReadFile out{.path = input.path(), .kind = std::string(to_string(kind))};
  out.samples = true;
  const auto times =
      kind == ContentKind::kOpenMetrics ? formats::TextTimes::kSeconds : formats::TextTimes::kAuto;
  if (kind == ContentKind::kPrometheusText || kind == ContentKind::kOpenMetrics)
    out.report = read_with(formats::TextReader(visitor, {scrape_ms, times}), input, diagnostics);
  else if (kind == ContentKind::kPrometheusApi)
    out.report = read_with(formats::ApiReader(visitor), input, diagnostics);
  else
    out.samples = false;
  // Of a packed file the end is known only now.
  if (kind == ContentKind::kPrometheusText && out.report.complete)
    out.kind = to_string(ContentKind::kOpenMetrics);
  for (formats::Dropped& d : out.report.dropped) d.first.file = out.path;
  return out;
}

void tell_downsampled(std::span<const formats::tsdb::Block> blocks, Diagnostics& diagnostics) {
  for (const formats::tsdb::Block& b : blocks)
    if (b.meta.downsampled_ms > 0)
      diagnostics.push_back(
          {Severity::kInfo,
           "downsampled",
           {b.folder},
           "downsampled by Thanos: gauges are averages, and counters what they came to, by " +
               std::to_string(b.meta.downsampled_ms / 1000) + " s",
           "raw blocks of the same time are used where they are given too"});
}

formats::ReadReport read_block_folders(std::span<const std::string> folders,
                                       const formats::tsdb::BlockOptions& options,
                                       formats::SampleVisitor& visitor, Diagnostics& diagnostics) {
  adapters::TsdbBlocks opened = adapters::open_tsdb_blocks(folders);
  for (const Error& e : opened.refused) diagnostics.push_back(as_diagnostic(e, "block-refused"));
  if (options.external_labels) tell_origins_apart(opened.blocks, {});
  tell_downsampled(opened.blocks, diagnostics);
  return formats::tsdb::read_blocks(opened.blocks, visitor, options);
}

}  // namespace etiage::app
