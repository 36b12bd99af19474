#include "app/tool_text.h"

#include <filesystem>

#include "formats/nvidia_smi.h"

namespace etiage::app {

using formats::ContentKind;

bool is_tool_text(ContentKind kind) {
  return kind == ContentKind::kNvidiaSmi || kind == ContentKind::kKubectlText ||
         kind == ContentKind::kObjectFragment;
}

ToolText read_tool_text(std::string_view text, ContentKind kind, const std::string& path,
                        std::int64_t scrape_ms, formats::SampleVisitor& visitor) {
  const std::string stem = std::filesystem::path(path).stem().string();
  ToolText out;
  if (kind == ContentKind::kNvidiaSmi) {
    out.report = formats::read_nvidia_smi(text, stem, scrape_ms, visitor);
    if (out.report.samples == 0) out.unused = formats::unused_smi_text(text);
    return out;
  }
  out.nodes = formats::described_nodes(text, stem);
  if (!out.nodes.empty()) return out;
  out.unused = kind == ContentKind::kObjectFragment
                   ? formats::UnusedText{"a piece of a Kubernetes object without its apiVersion and kind",
                                         "give the whole object: kubectl get KIND NAME -o yaml"}
                   : formats::unused_kubectl_text(text);
  return out;
}

}  // namespace etiage::app
