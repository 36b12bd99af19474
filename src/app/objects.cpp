#include "app/objects.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

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
  std::string out = slash == std::string::npos ? "" : version.substr(0, slash);
  for (const std::string* part : {&object["kind"].text(), &meta["namespace"].text(), &name})
    (out += '/') += *part;
  return out;
}

Diagnostic comes_again(const LocatedObject& first, const LocatedObject& later) {
  return {Severity::kWarning,
          "object-twice",
          {first.file, first.tree.line, 0, {}},
          fmt::format("{} {} comes again at {}:{}", first.tree["kind"].text(),
                      first.tree["metadata"]["name"].text(), later.file, later.tree.line),
          "the later counts"};
}

/// Leaves each object once, where it is read last.
void drop_repeated(std::vector<LocatedObject>& objects, Diagnostics& diagnostics) {
  std::unordered_map<std::string, std::size_t> last;
  std::vector<bool> repeated(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    std::string id = identity(objects[i].tree);
    if (id.empty()) continue;
    const auto [it, fresh] = last.try_emplace(std::move(id), i);
    if (fresh) continue;
    diagnostics.push_back(comes_again(objects[it->second], objects[i]));
    repeated[it->second] = true;
    it->second = i;
  }
  std::size_t i = 0;
  std::erase_if(objects, [&](const LocatedObject&) { return repeated[i++]; });
}

}  // namespace

Result<std::vector<LocatedObject>> read_cluster(std::span<const std::string> paths,
                                                Diagnostics& diagnostics) {
  auto objects = read_objects(paths, diagnostics);
  if (objects.empty() &&
      std::ranges::any_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::kError; }))
    return failure("none of the files could be read");
  drop_repeated(objects, diagnostics);
  return objects;
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
