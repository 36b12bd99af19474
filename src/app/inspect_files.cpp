#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "adapters/files.h"
#include "app/inspect.h"
#include "app/read_samples.h"
#include "app/tool_text.h"
#include "evidence/dialects.h"
#include "evidence/gateway_names.h"
#include "formats/document.h"
#include "formats/foreign.h"
#include "formats/gateway/log_reader.h"
#include "formats/invoice/invoice_reader.h"

namespace etiage::app {
namespace {

using formats::ContentKind;

/// Whose metric it is: told by the table that the ledger uses, else by the prefixes that exporters keep to.
std::string_view dialect_of(std::string_view metric) {
  static constexpr std::pair<std::string_view, std::string_view> kPrefixes[] = {
      {"DCGM_", "DCGM"},
      {"vllm:", "vLLM"},
      {"sglang:", "SGLang"},
      {"tgi_", "TGI"},
      {"nv_trt_llm_", "TensorRT-LLM"},
      {"nv_llm_", "TensorRT-LLM"},
      {"nv_", "Triton"},
      {"trtllm_", "TensorRT-LLM"},
      {"llamacpp:", "llama.cpp"},
      {"litellm_", "LiteLLM"},
      {"lmcache:", "LMCache"},
      {"ray_", "Ray"},
      {"kube_", "kube-state-metrics"},
      {"container_", "cAdvisor"},
      {"node_", "node-exporter"},
      {"kueue_", "Kueue"},
  };
  if (const auto meaning = evidence::meaning_of(metric)) return meaning->dialect;
  for (const auto& [prefix, dialect] : kPrefixes)
    if (metric.starts_with(prefix)) return dialect;
  return {};
}

/// Counts what passes, keeps a hash of each series.
class Census final : public formats::SampleVisitor {
 public:
  bool wants(std::string_view) override { return true; }
  bool wants_histograms() override { return true; }
  void samples(formats::SeriesRef, std::span<const formats::Sample>) override {}

  std::optional<formats::SeriesRef> series(formats::Labels labels) override {
    std::size_t hash = 0;
    for (const formats::Label& l : labels)
      for (const std::string_view part : {l.name, l.value})
        hash = hash * 0x9E3779B97F4A7C15 + std::hash<std::string_view>{}(part);
    if (!series_.insert(hash).second) return 0;
    const std::string metric(label_value(labels, "__name__"));
    if (metrics_.insert(metric).second)
      if (const std::string_view dialect = dialect_of(metric); !dialect.empty())
        ++dialects_[std::string(dialect)];
    return 0;
  }

  void write_to(InspectedFile& file) const {
    file.metrics = metrics_.size();
    file.series = series_.size();
    std::vector<std::pair<std::size_t, std::string>> order;
    for (const auto& [dialect, metrics] : dialects_) order.emplace_back(metrics, dialect);
    std::ranges::sort(order, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (auto& [metrics, dialect] : order) file.dialects.push_back(std::move(dialect));
  }

 private:
  std::unordered_set<std::size_t> series_;
  std::unordered_set<std::string> metrics_;
  std::unordered_map<std::string, std::size_t> dialects_;
};

void count_objects(adapters::InputFile& input, InspectedFile& file) {
  const auto whole = input.whole();
  if (whole.damage) file.remarks.push_back(as_diagnostic(*whole.damage, "damaged"));
  auto documents = formats::read_documents(whole.bytes, file.path, file.remarks);
  for (const Tree& object : formats::kubernetes_objects(std::move(documents), file.path, file.remarks))
    ++file.objects[object["kind"].text()];
}

std::string counted(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// Takes the report over: what it counts as samples are rows.
void take_report(formats::ReadReport report, InspectedFile& file) {
  file.rows = std::exchange(report.samples, 0);
  for (formats::Dropped& d : report.dropped) d.first.file = file.path;
  file.report = std::move(report);
}

void count_requests(adapters::InputFile& input, InspectedFile& file) {
  GatewayLog log;
  formats::GatewayLogReader reader(log);
  const auto read = input.each_chunk([&](std::string_view bytes) { return reader.feed(bytes), true; });
  if (!read) file.remarks.push_back(as_diagnostic(read.error(), "damaged"));
  take_report(reader.finish(), file);
  log.finish();
  evidence::TenantNames names;
  std::set<std::string> tenants, models;
  for (const GatewayCaller& c : log.callers) names.see(c);
  for (const GatewayCaller& c : log.callers)
    if (const std::string name = names.name(c); !name.empty()) tenants.insert(name);
  for (const GatewayModelName& m : log.models) models.insert(m.asked.empty() ? m.served : m.asked);
  file.tells = {counted(log.requests.size(), "row"), counted(tenants.size(), "tenant"),
                counted(models.size(), "model")};
  if (log.repeated > 0) file.tells.push_back(counted(log.repeated, "copied row"));
}

void count_charges(adapters::InputFile& input, InspectedFile& file) {
  std::set<std::string> currencies;
  formats::InvoiceReader reader([&](const InvoiceLine& line) { currencies.emplace(line.currency); });
  const auto read = input.each_chunk([&](std::string_view bytes) { return reader.feed(bytes); });
  if (!read) file.remarks.push_back(as_diagnostic(read.error(), "damaged"));
  auto report = reader.finish(file.path);
  if (!report) return file.remarks.push_back(as_diagnostic(report.error(), "not-read"));
  take_report(std::move(*report), file);
  file.dialects = {reader.dialect()};
  file.tells = {counted(file.rows, "charge")};
  for (const std::string& currency : currencies) file.tells.push_back(currency);
}

/// Of files that hold neither samples nor objects.
void look_inside(adapters::InputFile& input, InspectedFile& file) {
  using Read = void (*)(adapters::InputFile&, InspectedFile&);
  static const std::map<std::string_view, Read> kReaders{
      {to_string(ContentKind::kSpendLog), count_requests},
      {to_string(ContentKind::kGatewayLog), count_requests},
      {to_string(ContentKind::kInvoiceFocus), count_charges},
      {to_string(ContentKind::kInvoiceCur), count_charges}};
  const auto reader = kReaders.find(file.kind);
  if (reader != kReaders.end()) reader->second(input, file);
}

void inspect_tool_text(adapters::InputFile& input, ContentKind kind, std::int64_t now_ms, Census& census,
                       InspectedFile& file) {
  const auto whole = input.whole();
  if (whole.damage) file.remarks.push_back(as_diagnostic(*whole.damage, "damaged"));
  ToolText text = read_tool_text(whole.bytes, kind, file.path, now_ms, census);
  file.report = std::move(text.report);
  if (!text.nodes.empty()) file.objects["Node"] = text.nodes.size();
  if (text.unused)
    file.remarks.push_back({Severity::kInfo,
                            "not-used",
                            {file.path},
                            "not used: it is " + text.unused->what,
                            text.unused->hint});
}

InspectedFile inspect_content(adapters::InputFile& input, std::int64_t now_ms) {
  InspectedFile out{.path = input.path()};
  Census census;
  if (const auto foreign = formats::foreign_content(input.head()))
    out.remarks.push_back({Severity::kWarning,
                           "foreign",
                           {out.path},
                           "it is " + std::string(foreign->what),
                           std::string(foreign->hint)});
  ReadFile read = read_sample_file(input, now_ms, census, out.remarks);
  out.kind = read.kind;
  out.report = std::move(read.report);
  if (const ContentKind kind = formats::recognise(input.head(), input.tail()); is_tool_text(kind))
    inspect_tool_text(input, kind, now_ms, census, out);
  census.write_to(out);
  if (read.kind == to_string(ContentKind::kKubernetesObjects)) count_objects(input, out);
  look_inside(input, out);
  if (read.kind == to_string(ContentKind::kPrometheusText) && out.report.timed && !out.report.complete)
    out.remarks.push_back(
        {Severity::kInfo, "no-eof", {out.path}, "no # EOF at the end: a dump may be cut short", ""});
  return out;
}

InspectedFile inspect_block(const std::string& path) {
  InspectedFile out{.path = path, .kind = "Prometheus block"};
  Census census;
  out.report = read_block_folders({&path, 1}, {}, census, out.remarks);
  census.write_to(out);
  return out;
}

InspectedFile unread_head(const std::string& path) {
  return {.path = path,
          .kind = "Prometheus head",
          .remarks = {{Severity::kInfo, "head-not-read", {path}, kHeadNotRead, kHeadHint}}};
}

}  // namespace

std::vector<InspectedFile> inspect_files(std::span<const std::string> paths, std::int64_t now_ms,
                                         Diagnostics& diagnostics) {
  using Kind = adapters::FoundFile::Kind;
  auto found = adapters::find_files(paths);
  std::ranges::move(found.diagnostics, std::back_inserter(diagnostics));
  std::vector<InspectedFile> out;
  for (const adapters::FoundFile& file : found.files) {
    if (file.kind == Kind::kTsdbBlock)
      out.push_back(inspect_block(file.path));
    else if (file.kind != Kind::kFile)
      out.push_back(unread_head(file.path));
    else if (auto input = open_input(file.path, diagnostics))
      do out.push_back(inspect_content(*input, now_ms));
      while (input->next_content());
  }
  return out;
}

}  // namespace etiage::app
