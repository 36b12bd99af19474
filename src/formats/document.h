#pragma once
// JSON and YAML texts to trees, by content and never by name; every fault with its line.

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/tree.h"

namespace etiage::formats {

/// All documents of a text: one JSON value, several (JSON Lines), or a YAML stream. Duplicate keys, tabs,
/// damaged ends and too deep nesting (> 200) become diagnostics with line and column; the documents before
/// the fault are still returned. `file` is only for messages.
std::vector<Tree> read_documents(std::string_view text, const std::string& file, Diagnostics& diagnostics);

/// The Kubernetes objects among the documents: Lists of any kind and JSON arrays flattened, in the order of
/// the text. What has no `kind` is left out and named in `diagnostics` (code `not-an-object`).
std::vector<Tree> kubernetes_objects(std::vector<Tree> documents, const std::string& file,
                                     Diagnostics& diagnostics);

}  // namespace etiage::formats
