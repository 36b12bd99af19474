#pragma once
// What kubectl lays out for people: nodes can be read from it; the rest says which command to run instead.

#include <string>
#include <string_view>
#include <vector>

#include "model/node.h"

namespace etiage::formats {

/// Nodes that the text describes: `kubectl describe nodes`, or a piece of a node (its labels as lines or as
/// JSON, its capacity), which is named `name`. Of a piece that is cut short, what is there. Empty: no node.
std::vector<Node> described_nodes(std::string_view text, const std::string& name);

/// What a text of a tool is and what to give instead.
struct UnusedText {
  std::string what;  ///< `kubectl describe of a HorizontalPodAutoscaler`
  std::string hint;
};

/// Of a text that `recognise` calls kubectl's, and that describes no node.
UnusedText unused_kubectl_text(std::string_view text);
/// Of an output of nvidia-smi that shows no device.
UnusedText unused_smi_text(std::string_view text);

}  // namespace etiage::formats
