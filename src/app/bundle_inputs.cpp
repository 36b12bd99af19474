#include "app/bundle_inputs.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "adapters/files.h"
#include "adapters/input_file.h"
#include "app/read_samples.h"
#include "app/tool_text.h"
#include "formats/document.h"
#include "formats/gateway/log_reader.h"
#include "formats/kube/node.h"
#include "formats/prices.h"
#include "formats/promql_uses.h"

namespace etiage::app {
namespace {

using formats::ContentKind;

/// Of a rule file or a dashboard.
std::vector<PromqlUse> queries(adapters::InputFile& input, const std::string& path) {
  std::vector<PromqlUse> out;
  Diagnostics ignored;
  const auto whole = input.whole();
  for (const Tree& document : formats::read_documents(whole.bytes, path, ignored))
    std::ranges::move(formats::read_promql_uses(document, path), std::back_inserter(out));
  return out;
}

}  // namespace

Result<void> BundleInputs::find() {
  const auto found = adapters::find_files(options_.paths);
  for (const Diagnostic& d : found.diagnostics)
    if (d.severity == Severity::kError) return failure(d.message, d.place, d.hint);
  for (const auto& file : found.files) {
    if (file.kind == adapters::FoundFile::Kind::kTsdbBlock)
      blocks_.push_back(file.path);
    else if (file.kind == adapters::FoundFile::Kind::kFile)
      files_.push_back(file.path);
    std::error_code ignored;
    if (file.path == "-" || std::filesystem::is_fifo(file.path, ignored))
      return failure("a pipe can be read only once", {file.path}, "save it to a file first");
  }
  files_.insert(files_.end(), options_.prices.begin(), options_.prices.end());
  files_.insert(files_.end(), options_.invoices.begin(), options_.invoices.end());
  return {};
}

Result<void> BundleInputs::read(BundlePart& part, std::string_view phase) {
  const std::size_t steps = files_.size() + 1;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    if (options_.progress) options_.progress(phase, i, steps);
    if (auto done = read_file(files_[i], part); !done) return done;
  }
  if (!blocks_.empty())
    if (auto done = part.samples(
            blocks_.front(), "Prometheus block",
            [&](formats::SampleVisitor& to) { read_block_folders(blocks_, {}, to, diagnostics_); });
        !done)
      return done;
  for (const std::string& path : invoices_)
    if (auto done = part.invoice(
            path, [&](const formats::InvoiceReader::Take& take) { return read_invoice(path, take); });
        !done)
      return done;
  if (options_.progress) options_.progress(phase, steps, steps);
  return {};
}

Result<void> BundleInputs::read_file(const std::string& path, BundlePart& part) {
  auto input = adapters::InputFile::open(path);
  if (!input) return diagnostics_.push_back(as_diagnostic(input.error(), "unreadable")), Result<void>{};
  const ContentKind kind = formats::recognise(input->head(), input->tail());
  switch (kind) {
    case ContentKind::kKubernetesObjects: {
      const auto whole = input->whole();
      if (whole.damage) diagnostics_.push_back(as_diagnostic(*whole.damage, "damaged"));
      auto documents = formats::read_documents(whole.bytes, path, diagnostics_);
      return part.objects(path, formats::kubernetes_objects(std::move(documents), path, diagnostics_));
    }
    case ContentKind::kPrometheusText:
    case ContentKind::kOpenMetrics:
    case ContentKind::kPrometheusApi:
      return part.samples(path, to_string(kind), [&](formats::SampleVisitor& to) {
        read_sample_file(*input, scrape_ms(path), to, diagnostics_);
      });
    case ContentKind::kPricesCsv:
    case ContentKind::kPricesYaml: {
      const auto whole = input->whole();
      return part.prices(path, formats::read_prices(whole.bytes, path, diagnostics_));
    }
    case ContentKind::kSpendLog:
    case ContentKind::kGatewayLog: {
      GatewayLog log;
      formats::GatewayLogReader reader(log);
      const auto read = input->each_chunk([&](std::string_view bytes) { return reader.feed(bytes), true; });
      if (!read) diagnostics_.push_back(as_diagnostic(read.error(), "damaged"));
      reader.finish();
      return part.gateway(path, log);
    }
    case ContentKind::kInvoiceFocus:
    case ContentKind::kInvoiceCur:
      if (std::ranges::find(invoices_, path) == invoices_.end()) invoices_.push_back(path);
      return {};
    case ContentKind::kObjectFragment:
    case ContentKind::kJson:
    case ContentKind::kUnknown:
      if (const auto uses = queries(*input, path); !uses.empty()) return part.rules(path, uses);
      if (kind == ContentKind::kObjectFragment) return read_tool(*input, kind, part);
      return part.other(path, to_string(kind)), Result<void>{};
    case ContentKind::kNvidiaSmi:
    case ContentKind::kKubectlText:
      return read_tool(*input, kind, part);
    default:
      return part.other(path, to_string(kind)), Result<void>{};
  }
}

/// What nvidia-smi and kubectl print for people, as far as the ledger reads it: samples or nodes.
Result<void> BundleInputs::read_tool(adapters::InputFile& input, ContentKind kind, BundlePart& part) {
  struct Counting final : formats::SampleVisitor {
    bool wants(std::string_view) override { return true; }
    std::optional<formats::SeriesRef> series(formats::Labels) override { return 0; }
    void samples(formats::SeriesRef, std::span<const formats::Sample>) override {}
  } nobody;
  const auto whole = input.whole();
  if (whole.damage) diagnostics_.push_back(as_diagnostic(*whole.damage, "damaged"));
  const auto read = [&](formats::SampleVisitor& to) {
    return read_tool_text(whole.bytes, kind, input.path(), scrape_ms(input.path()), to);
  };
  const ToolText text = read(nobody);
  if (text.unused) return part.other(input.path(), text.unused->what), Result<void>{};
  if (text.nodes.empty())
    return part.samples(input.path(), to_string(kind), [&](formats::SampleVisitor& to) { read(to); });
  std::vector<Tree> objects;
  for (const Node& node : text.nodes) objects.push_back(formats::node_tree(node));
  return part.objects(input.path(), objects);
}

Result<void> BundleInputs::read_invoice(const std::string& path, const formats::InvoiceReader::Take& take) {
  auto input = adapters::InputFile::open(path);
  if (!input) return std::unexpected(input.error());
  formats::InvoiceReader reader(take);
  const auto read = input->each_chunk([&](std::string_view bytes) { return reader.feed(bytes); });
  if (!read) diagnostics_.push_back(as_diagnostic(read.error(), "damaged"));
  const auto report = reader.finish(path);
  if (!report) return std::unexpected(report.error());
  return {};
}

/// As the ledger takes it: when the file was written.
std::int64_t BundleInputs::scrape_ms(const std::string& path) const {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  if (error) return options_.now_ms;
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::file_clock::to_sys(written).time_since_epoch())
      .count();
}

}  // namespace etiage::app
