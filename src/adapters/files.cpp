#include "adapters/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <sys/stat.h>
#include <utility>

#include "adapters/input_file.h"

namespace etiage::adapters {
namespace {

using Kind = FoundFile::Kind;

/// What a file is, whatever it is called.
using FileId = std::pair<dev_t, ino_t>;

struct Status {
  bool there = false;
  bool folder = false;
  bool regular = false;
  FileId id;
};

Status status_of(const std::string& path) {
  struct stat s{};
  if (::stat(path.c_str(), &s) != 0) return {};
  return {true, S_ISDIR(s.st_mode), S_ISREG(s.st_mode), {s.st_dev, s.st_ino}};
}

/// Crockford's base 32, 26 digits: how Prometheus names blocks.
bool is_ulid(std::string_view name) {
  const auto digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
  return name.size() >= 26 && std::ranges::all_of(name.substr(0, 26), digit) &&
         (name.size() == 26 || name[26] == '.');
}

std::string_view name_of(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1);
}

std::string joined(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

/// What kind of Prometheus's folders this one is; kFile for any other.
Kind kind_of_folder(const std::string& path, const std::vector<std::string>& names) {
  const auto has = [&](std::string_view name) { return std::ranges::binary_search(names, name); };
  const std::string_view name = name_of(path);
  const bool parts = has("meta.json") && has("index") && has("chunks");
  if (parts || (is_ulid(name) && (has("meta.json") || has("index") || has("chunks"))))
    return Kind::kTsdbBlock;
  const auto is_segment = [](std::string_view n) {
    return n.starts_with("checkpoint.") ||
           (n.size() >= 6 && std::ranges::all_of(n, [](char c) { return c >= '0' && c <= '9'; }));
  };
  if ((name == "wal" || name == "wbl") && std::ranges::any_of(names, is_segment)) return Kind::kTsdbWal;
  return name == "chunks_head" ? Kind::kTsdbHeadChunks : Kind::kFile;
}

class Walk {
 public:
  void named(const std::string& path) {
    if (path == "-") return add(path, Kind::kFile);
    const Status status = status_of(path);
    if (!status.there) {
      const int error = errno;
      if (const auto member = InputFile::open(path)) return add(path, Kind::kFile);
      return complain(error == ENOENT ? "no-such-file" : "unreadable", path, std::strerror(error),
                      Severity::kError);
    }
    if (status.folder) return folder(path, status.id);
    if (seen_.insert(status.id).second) return file(path);
    complain("given-twice", path, "this file was given before", Severity::kInfo);
  }

  FoundFiles take() { return std::move(found_); }

 private:
  void folder(const std::string& path, FileId id) {
    if (!seen_.insert(id).second) return;
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(path.c_str()), ::closedir);
    if (!stream) return complain("unreadable", path, std::strerror(errno), Severity::kWarning);
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(stream.get()))
      if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    std::ranges::sort(names);
    if (const Kind kind = kind_of_folder(path, names); kind != Kind::kFile) return add(path, kind);
    for (const std::string& name : names) inside(joined(path, name));
  }

  void inside(const std::string& path) {
    const Status status = status_of(path);
    if (!status.there) return complain("unreadable", path, std::strerror(errno), Severity::kWarning);
    if (status.folder) return folder(path, status.id);
    if (status.regular && seen_.insert(status.id).second) file(path);
  }

  /// An archive stands for the files in it.
  void file(const std::string& path) {
    const auto members = archive_members(path);
    if (!members) return add(path, Kind::kFile);
    for (const std::string& member : *members) add(member, Kind::kFile);
  }

  void add(const std::string& path, Kind kind) { found_.files.push_back({path, kind}); }

  void complain(const char* code, const std::string& path, std::string why, Severity severity) {
    found_.diagnostics.push_back({severity, code, {path, 0, 0, ""}, std::move(why), ""});
  }

  FoundFiles found_;
  std::set<FileId> seen_;
};

}  // namespace

FoundFiles find_files(std::span<const std::string> paths) {
  Walk walk;
  for (const std::string& path : paths) walk.named(path);
  return walk.take();
}

}  // namespace etiage::adapters
