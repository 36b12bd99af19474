#include "app/objects.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

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

namespace {

/// API group, kind, namespace, name; empty: without a name it is like no other.
std::string identity(const Tree& object) {
  const Tree& meta = object["metadata"];
  const std::string &version = object["apiVersion"].text(), &name = meta["name"].text();
  if (name.empty()) return "";
  const auto slash = version.find('/');
  return fmt::format("{}|{}|{}|{}", slash == std::string::npos ? "" : version.substr(0, slash),
                     object["kind"].text(), meta["namespace"].text(), name);
}

}  // namespace

Result<std::vector<LocatedObject>> read_cluster(std::span<const std::string> paths,
                                                Diagnostics& diagnostics) {
  auto objects = read_objects(paths, diagnostics);
  if (objects.empty() &&
      std::ranges::any_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::kError; }))
    return failure("none of the files could be read");
  std::map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < objects.size(); ++i)
    if (const std::string id = identity(objects[i].tree); !id.empty()) last[id] = i;
  std::vector<LocatedObject> out;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::string id = identity(objects[i].tree);
    if (const std::size_t final = id.empty() ? i : last[id]; final != i)
      diagnostics.push_back({Severity::kWarning,
                             "object-twice",
                             {objects[i].file, objects[i].tree.line, 0, {}},
                             fmt::format("{} {} comes again at {}:{}", objects[i].tree["kind"].text(),
                                         objects[i].tree["metadata"]["name"].text(), objects[final].file,
                                         objects[final].tree.line),
                             "the later counts"});
    else
      out.push_back(std::move(objects[i]));
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
