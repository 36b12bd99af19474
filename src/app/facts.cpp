#include "app/facts.h"

#include "adapters/input_file.h"
#include "formats/document.h"

namespace etiage::app {

Result<catalog::Facts> facts_of(const std::vector<std::string>& files) {
  auto facts = catalog::builtin_facts();
  for (const auto& path : files) {
    auto file = adapters::InputFile::open(path);
    if (!file) return std::unexpected(file.error());
    Diagnostics faults;
    const auto documents = formats::read_documents(file->whole().bytes, path, faults);
    if (!faults.empty()) return failure(faults.front().message, faults.front().place);
    if (documents.size() != 1) return failure("a catalogue is one document", {path});
    auto changed = catalog::facts_with(facts, documents.front(), path);
    if (!changed) return changed;
    facts = std::move(*changed);
  }
  return facts;
}

}  // namespace etiage::app
