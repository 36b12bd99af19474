#include "app/load.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <thread>

#include "adapters/files.h"
#include "adapters/input_file.h"
#include "app/inspect.h"
#include "app/load_blocks.h"
#include "app/read_samples.h"
#include "app/tool_text.h"
#include "base/parallel.h"
#include "formats/api/api_reader.h"
#include "formats/document.h"
#include "formats/foreign.h"
#include "formats/gateway/log_reader.h"
#include "formats/kind.h"
#include "formats/kube/cluster.h"
#include "formats/prices.h"
#include "formats/promql_uses.h"
#include "formats/text/text_reader.h"

namespace etiage::app {
namespace {

using evidence::SeriesStore;
using formats::ContentKind;

/// Reads files one after the other into what is loaded.
class Loading {
 public:
  explicit Loading(const LoadOptions& options) : options_(options) {
    out_.sources.series = SeriesStore(options.cluster_labels);
  }

  void read(const std::string& path, bool must_be_prices) {
    auto input = adapters::InputFile::open(path, adapters::PipeHolds::kSeveral);
    if (!input) return fault(input.error(), "unreadable");
    do read_content(*input, must_be_prices);
    while (input->next_content());
  }

  void read_content(adapters::InputFile& input, bool must_be_prices) {
    const std::string& path = input.path();
    const ContentKind kind = formats::recognise(input.head(), input.tail());
    const auto foreign = formats::foreign_content(input.head());
    Provenance file{path, std::string(foreign ? foreign->what : to_string(kind)), 0, {}};
    if (must_be_prices && kind != ContentKind::kPricesCsv && kind != ContentKind::kPricesYaml)
      return fault({"not a price list: it reads as " + file.kind,
                    {path},
                    foreign ? std::string(foreign->hint) : "a CSV begins with the line instanceType,hourly"},
                   "not-prices");
    switch (kind) {
      case ContentKind::kKubernetesObjects:
        read_objects(input, file);
        break;
      case ContentKind::kPrometheusText:
      case ContentKind::kOpenMetrics:
        read_text(input, kind, file);
        break;
      case ContentKind::kPrometheusApi:
        read_api(input, file);
        break;
      case ContentKind::kPricesCsv:
      case ContentKind::kPricesYaml:
        read_prices(input, file);
        break;
      case ContentKind::kSpendLog:
      case ContentKind::kGatewayLog:
        read_gateway_log(input, file);
        break;
      case ContentKind::kNvidiaSmi:
      case ContentKind::kKubectlText:
      case ContentKind::kObjectFragment:
        if (kind != ContentKind::kObjectFragment || !read_promql(input, file)) read_tool(input, kind, file);
        break;
      case ContentKind::kJson:
      case ContentKind::kUnknown:
        if (read_promql(input, file)) break;
        [[fallthrough]];
      default:
        file.dropped.emplace_back("not used for the bill", 1);
        if (std::ranges::find(options_.named, path) != options_.named.end()) unused(input, kind);
        break;
    }
    out_.files.push_back(std::move(file));
  }

  void add_blocks(std::span<const std::string> folders, LoadedBlocks blocks) {
    std::ranges::move(blocks.diagnostics, std::back_inserter(out_.diagnostics));
    Provenance file{folders.front(), "Prometheus block", 0, {}};
    if (folders.size() > 1) file.path += " and " + std::to_string(folders.size() - 1) + " more";
    out_.sources.series.absorb(std::move(blocks.series));
    note(std::move(blocks.report), file);
    out_.files.push_back(std::move(file));
  }

  void unread_head(const std::string& path) {
    out_.diagnostics.push_back({Severity::kWarning, "head-not-read", {path}, kHeadNotRead, kHeadHint});
  }

  Loaded take() {
    out_.sources.series.finish(options_.threads);
    out_.sources.gateway.finish();
    out_.sources.clusters = evidence::group_clusters(std::move(objects_), out_.sources.series);
    return std::move(out_);
  }

 private:
  /// The time of samples that bring none: when their file was written, so that a report of it stays the same.
  std::int64_t scrape_ms(const std::string& path) const {
    std::error_code error;
    const auto written = std::filesystem::last_write_time(path, error);
    if (error) return options_.scrape_ms;
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::file_clock::to_sys(written).time_since_epoch())
        .count();
  }

  void fault(const Error& error, std::string code) {
    out_.diagnostics.push_back(as_diagnostic(error, std::move(code)));
  }

  /// Of what the user named, what nobody can use is told; what is of another use (logs, invoices) only
  /// remarked.
  void unused(const adapters::InputFile& input, ContentKind kind) {
    if (const auto foreign = formats::foreign_content(input.head()))
      return out_.diagnostics.push_back({Severity::kWarning,
                                         "foreign",
                                         {input.path()},
                                         "not used: it is " + std::string(foreign->what),
                                         std::string(foreign->hint)});
    const bool lost =
        kind == ContentKind::kUnknown || kind == ContentKind::kBinary || kind == ContentKind::kEmpty;
    const bool invoice = kind == ContentKind::kInvoiceFocus || kind == ContentKind::kInvoiceCur;
    out_.diagnostics.push_back({lost ? Severity::kWarning : Severity::kInfo,
                                "not-used",
                                {input.path()},
                                "not used: it reads as " + std::string(to_string(kind)),
                                invoice ? "give it with --invoice" : "etiage inspect says more"});
  }

  void read_objects(adapters::InputFile& input, Provenance& file) {
    const auto whole = input.whole();
    if (whole.damage) fault(*whole.damage, "damaged");
    auto documents = formats::read_documents(whole.bytes, file.path, out_.diagnostics);
    const auto objects = formats::kubernetes_objects(std::move(documents), file.path, out_.diagnostics);
    file.rows = objects.size();
    Cluster cluster;
    formats::add_objects(cluster, objects, file.path, out_.diagnostics);
    objects_.push_back({file.path, std::move(cluster)});
  }

  void read_tool(adapters::InputFile& input, ContentKind kind, Provenance& file) {
    const auto whole = input.whole();
    if (whole.damage) fault(*whole.damage, "damaged");
    ToolText text = read_tool_text(whole.bytes, kind, file.path, scrape_ms(file.path), out_.sources.series);
    if (text.unused) {
      file.dropped.emplace_back("not used: " + text.unused->what, 1);
      out_.diagnostics.push_back({Severity::kWarning,
                                  "unused-text",
                                  {file.path},
                                  "not used: it is " + text.unused->what,
                                  text.unused->hint});
      return;
    }
    note(std::move(text.report), file);
    file.rows += text.nodes.size();
    if (!text.nodes.empty()) objects_.push_back({file.path, {.nodes = std::move(text.nodes)}});
  }

  void read_text(adapters::InputFile& input, ContentKind kind, Provenance& file) {
    formats::TextOptions text{scrape_ms(file.path), kind == ContentKind::kOpenMetrics
                                                        ? formats::TextTimes::kSeconds
                                                        : formats::TextTimes::kAuto};
    formats::ReadReport report;
    std::uint64_t streamed = 0;
    const auto read = input.each_chunk([&](std::string_view bytes) {
      constexpr std::size_t kWorthThreads = 1 << 20;
      if (input.is_plain() && bytes.size() >= kWorthThreads) {
        report = read_parts(input, bytes, text);
        return true;
      }
      if (!streaming_) streaming_ = std::make_unique<formats::TextReader>(out_.sources.series, text);
      streaming_->feed(bytes);
      constexpr std::uint64_t kUnknown = 0;
      if (options_.progress) options_.progress("reading samples", streamed += bytes.size(), kUnknown);
      return true;
    });
    if (streamed > 0 && options_.progress) options_.progress("reading samples", streamed, streamed);
    if (streaming_) report = streaming_->finish();
    streaming_.reset();
    if (!read) fault(read.error(), "damaged");
    note(std::move(report), file);
  }

  formats::ReadReport read_parts(const adapters::InputFile& input, std::string_view bytes,
                                 const formats::TextOptions& text) {
    const auto parts = formats::split_at_lines(bytes, options_.threads);
    std::vector<SeriesStore> stores(parts.size());
    std::ranges::generate(stores, [&] { return SeriesStore(options_.cluster_labels); });
    std::vector<formats::ReadReport> reports(parts.size());
    std::vector<Result<void>> read(parts.size());
    std::atomic<std::uint64_t> done = 0;
    for_each_index(
        parts.size(), options_.threads,
        [&](std::size_t i) {
          formats::TextReader reader(stores[i], text);
          read[i] = input.stream(parts[i], [&](std::string_view piece) {
            reader.feed(piece);
            const auto sum = done += piece.size();
            if (options_.progress) options_.progress("reading samples", sum, bytes.size());
          });
          reports[i] = reader.finish();
        },
        1);
    formats::ReadReport report;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!read[i]) fault(read[i].error(), "damaged");
      out_.sources.series.absorb(std::move(stores[i]));
      report.append(reports[i]);
    }
    return report;
  }

  void read_api(adapters::InputFile& input, Provenance& file) {
    formats::ApiReader reader(out_.sources.series);
    const auto read = input.each_chunk([&](std::string_view bytes) { return reader.feed(bytes), true; });
    if (!read) fault(read.error(), "damaged");
    note(reader.finish(), file);
  }

  void read_gateway_log(adapters::InputFile& input, Provenance& file) {
    formats::GatewayLogReader reader(out_.sources.gateway);
    const auto read = input.each_chunk([&](std::string_view bytes) { return reader.feed(bytes), true; });
    if (!read) fault(read.error(), "damaged");
    note(reader.finish(), file);
  }

  void note(formats::ReadReport report, Provenance& file) {
    file.rows = report.samples;
    for (const std::string& warning : report.warnings)
      out_.diagnostics.push_back(
          {Severity::kWarning, "incomplete", {file.path}, "the source warns: " + warning, ""});
    for (formats::Dropped& d : report.dropped) {
      if (d.first.file.empty()) d.first.file = file.path;
      file.dropped.emplace_back(d.reason, d.count);
      out_.diagnostics.push_back(
          {Severity::kWarning, "dropped", d.first, std::to_string(d.count) + " dropped: " + d.reason, ""});
    }
  }

  /// Dashboards and rule files; false: neither.
  bool read_promql(adapters::InputFile& input, Provenance& file) {
    constexpr std::string_view kSigns[] = {"\"expr\"", "groups:", "\"groups\"", "\"panels\""};
    if (std::ranges::none_of(kSigns, [&](auto sign) { return input.head().contains(sign); })) return false;
    const auto whole = input.whole();
    Diagnostics ignored;
    for (const Tree& document : formats::read_documents(whole.bytes, file.path, ignored)) {
      auto uses = formats::read_promql_uses(document, file.path);
      file.rows += uses.size();
      std::ranges::move(uses, std::back_inserter(out_.promql));
    }
    if (file.rows > 0) file.kind = "PromQL of a dashboard or rules";
    return file.rows > 0;
  }

  void read_prices(adapters::InputFile& input, Provenance& file) {
    const auto whole = input.whole();
    if (whole.damage) fault(*whole.damage, "damaged");
    PriceBook book = formats::read_prices(whole.bytes, file.path, out_.diagnostics);
    file.rows = book.rows.size();
    if (out_.priced && book.currency != out_.prices.currency)
      return fault({"prices in " + book.currency + " beside prices in " + out_.prices.currency,
                    {file.path},
                    "convert the lists to one currency"},
                   "two-currencies");
    out_.priced = true;
    out_.prices.currency = book.currency;
    if (book.components) out_.prices.components = book.components;
    if (book.split) out_.prices.split = book.split;
    out_.prices.rows.insert(out_.prices.rows.end(), book.rows.begin(), book.rows.end());
  }

  const LoadOptions& options_;
  Loaded out_;
  std::vector<evidence::NamedCluster> objects_;  // by file
  std::unique_ptr<formats::TextReader> streaming_;
};

}  // namespace

Result<Loaded> load(std::span<const std::string> paths, const LoadOptions& options) {
  const auto found = adapters::find_files(paths);
  for (const Diagnostic& d : found.diagnostics)
    if (d.severity == Severity::kError) return failure(d.message, d.place, d.hint);
  LoadOptions all = options;
  all.named.assign(paths.begin(), paths.end());
  std::vector<std::string> blocks;
  for (const auto& file : found.files)
    if (file.kind == adapters::FoundFile::Kind::kTsdbBlock) blocks.push_back(file.path);
  LoadedBlocks in_blocks;
  std::jthread beside;  // blocks take longest, and need nothing of the other files
  if (!blocks.empty()) beside = std::jthread([&] { in_blocks = load_blocks(blocks, options); });
  Loading loading(all);
  for (const auto& file : found.files) {
    if (file.kind == adapters::FoundFile::Kind::kFile)
      loading.read(file.path, false);
    else if (file.kind != adapters::FoundFile::Kind::kTsdbBlock)
      loading.unread_head(file.path);
  }
  if (beside.joinable()) beside.join();
  if (!blocks.empty()) {
    beside = std::jthread([read = std::move(in_blocks.mapped)] {});  // lets go of them
    loading.add_blocks(blocks, std::move(in_blocks));
  }
  for (const std::string& path : options.prices) loading.read(path, true);
  Loaded out = loading.take();
  for (const Diagnostic& d : out.diagnostics)
    if (d.code == "not-prices" || (d.severity == Severity::kError && d.place.line == 0 &&
                                   std::ranges::find(options.prices, d.place.file) != options.prices.end()))
      return failure(d.message, d.place, d.hint);
  return out;
}

}  // namespace etiage::app
