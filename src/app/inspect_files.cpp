#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "adapters/files.h"
#include "app/inspect.h"
#include "app/read_samples.h"
#include "evidence/dialects.h"
#include "formats/document.h"
#include "formats/foreign.h"

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
  census.write_to(out);
  if (read.kind == to_string(ContentKind::kKubernetesObjects)) count_objects(input, out);
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
