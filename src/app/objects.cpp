#include "app/objects.h"

#include "adapters/files.h"
#include "adapters/input_file.h"
#include "formats/document.h"

namespace etiage::app {

std::vector<LocatedObject> read_objects(std::span<const std::string> paths, Diagnostics& diagnostics) {
  std::vector<LocatedObject> out;
  adapters::FoundFiles found = adapters::find_files(paths);
  diagnostics.insert(diagnostics.end(), found.diagnostics.begin(), found.diagnostics.end());
  for (const adapters::FoundFile& f : found.files) {
    if (f.kind != adapters::FoundFile::Kind::kFile) continue;
    auto file = adapters::InputFile::open(f.path);
    if (!file) {
      diagnostics.push_back(as_diagnostic(file.error(), "unreadable"));
      continue;
    }
    const auto whole = file->whole();
    if (whole.damage) diagnostics.push_back(as_diagnostic(*whole.damage, "damaged"));
    auto documents = formats::read_documents(whole.bytes, f.path, diagnostics);
    for (Tree& object : formats::kubernetes_objects(std::move(documents), f.path, diagnostics))
      out.push_back({std::move(object), f.path});
  }
  return out;
}

Result<Tree> read_document(const std::string& path) {
  auto file = adapters::InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  const auto whole = file->whole();
  if (whole.damage) return std::unexpected(*whole.damage);
  Diagnostics diagnostics;
  auto documents = formats::read_documents(whole.bytes, path, diagnostics);
  for (const Diagnostic& d : diagnostics)
    if (d.severity == Severity::kError) return failure(d.message, d.place, d.hint);
  if (documents.empty()) return failure("nothing in the file", {path, 0});
  return std::move(documents.front());
}

}  // namespace etiage::app
