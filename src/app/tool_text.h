#pragma once
// What tools print for people (nvidia-smi, kubectl describe), as far as it tells of devices and nodes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/kind.h"
#include "formats/kubectl_text.h"
#include "formats/read_report.h"
#include "formats/samples.h"
#include "model/node.h"

namespace etiage::app {

bool is_tool_text(formats::ContentKind kind);

struct ToolText {
  std::vector<Node> nodes;
  formats::ReadReport report;                 ///< of the samples that went to the visitor
  std::optional<formats::UnusedText> unused;  ///< set where there are neither
};

/// A node that the text does not name is called as its file is; `scrape_ms` is the time of texts that bring
/// none.
ToolText read_tool_text(std::string_view text, formats::ContentKind kind, const std::string& path,
                        std::int64_t scrape_ms, formats::SampleVisitor& visitor);

}  // namespace etiage::app
