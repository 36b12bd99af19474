#include "app/load_blocks.h"

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "adapters/tsdb_blocks.h"
#include "app/read_samples.h"
#include "base/parallel.h"

namespace etiage::app {
namespace {

using evidence::SeriesStore;

/// Tells how far all pieces together are.
class BlockProgress {
 public:
  explicit BlockProgress(const Progress& tell) : tell_(tell) {}

  /// For one piece, which is told how far itself is.
  std::function<void(std::uint64_t, std::uint64_t)> of_piece() {
    if (!tell_) return {};
    return [this, told = std::uint64_t{0}](std::uint64_t mine, std::uint64_t total) mutable {
      const std::uint64_t all = done_ += mine - std::exchange(told, mine);
      tell_("reading blocks", std::min(all, total - 1), total);
    };
  }
  void finish() const {
    if (tell_) tell_("reading blocks", 1, 1);
  }

 private:
  const Progress& tell_;
  std::atomic<std::uint64_t> done_ = 0;
};

}  // namespace

LoadedBlocks load_blocks(std::span<const std::string> folders, const LoadOptions& options) {
  constexpr std::size_t kPiecesPerThread = 24;
  const auto empty = [&] { return SeriesStore(options.cluster_labels, evidence::Announced::kOnce); };
  LoadedBlocks out{.series = empty()};
  adapters::TsdbBlocks opened = adapters::open_tsdb_blocks(folders);
  for (const Error& e : opened.refused) out.diagnostics.push_back(as_diagnostic(e, "block-refused"));
  tell_origins_apart(opened.blocks, options.cluster_labels);
  tell_downsampled(opened.blocks, out.diagnostics);
  const std::size_t pieces = options.threads > 1 ? options.threads * kPiecesPerThread : 1;
  std::vector<SeriesStore> stores(pieces);
  std::ranges::generate(stores, empty);
  std::vector<formats::ReadReport> reports(pieces);
  BlockProgress progress(options.progress);
  for_each_index(
      pieces, options.threads,
      [&](std::size_t i) {
        reports[i] = formats::tsdb::read_blocks(opened.blocks, stores[i],
                                                {.share = {i, pieces}, .progress = progress.of_piece()});
      },
      1);
  progress.finish();
  for (std::size_t i = 0; i < pieces; ++i) {
    out.series.absorb(std::move(stores[i]));
    out.report.append(reports[i]);
  }
  out.mapped = std::move(opened);
  return out;
}

}  // namespace etiage::app
