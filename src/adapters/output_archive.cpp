#include "adapters/output_archive.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>
#include <zlib.h>

#include "formats/tar.h"

namespace etiage::adapters {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> cannot_write(const std::string& path) {
  return failure("cannot be written: " + std::string(std::strerror(errno)), {path, 0, 0, ""},
                 "name a file in a folder that is there and may be written to");
}

bool is_packed(std::string_view path) {
  return path.ends_with(".tgz") || path.ends_with(".gz");
}

}  // namespace

/// Where the bytes go. `members`: the folder that the files are written into, or the one temporary file.
struct OutputArchive::Sink {
  std::string path;
  bool folder = false;
  std::string unfinished;  ///< the archive until it is whole
  gzFile archive = nullptr;
  std::string member_name, member_path;
  std::ofstream member;
  bool failed = false;

  ~Sink() {
    if (archive) gzclose(archive);
    std::error_code ignored;
    if (!folder) fs::remove(member_path, ignored), fs::remove(unfinished, ignored);
  }

  void put(std::string_view bytes) {
    while (!bytes.empty() && !failed) {
      const std::string_view part = bytes.substr(0, 1 << 30);
      failed =
          gzwrite(archive, part.data(), static_cast<unsigned>(part.size())) != static_cast<int>(part.size());
      bytes.remove_prefix(part.size());
    }
  }

  /// The temporary file's content goes into the archive.
  void end_member() {
    if (!member.is_open()) return;
    member.close();
    failed |= member.fail();
    if (folder || failed) return;
    const std::uint64_t size = fs::file_size(member_path);
    put(formats::tar_header(member_name, size));
    std::ifstream in(member_path, std::ios::binary);
    std::vector<char> buffer(1 << 20);
    while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0)
      put({buffer.data(), static_cast<std::size_t>(in.gcount())});
    put(std::string((formats::kTarBlock - size % formats::kTarBlock) % formats::kTarBlock, '\0'));
  }
};

OutputArchive::OutputArchive(std::unique_ptr<Sink> sink) : sink_(std::move(sink)) {}
OutputArchive::OutputArchive(OutputArchive&&) noexcept = default;
OutputArchive::~OutputArchive() = default;

Result<OutputArchive> OutputArchive::create(const std::string& path) {
  auto sink = std::make_unique<Sink>();
  sink->path = path;
  std::error_code error;
  sink->folder = path.ends_with('/') || fs::is_directory(path, error);
  if (sink->folder) {
    fs::create_directories(path, error);
    if (error) return failure("cannot be made: " + error.message(), {path, 0, 0, ""});
    if (!fs::is_empty(path, error))
      return failure("the folder is not empty", {path, 0, 0, ""},
                     "name one that is, or a file as bundle.tar.gz");
    return OutputArchive(std::move(sink));
  }
  sink->unfinished = path + ".unfinished";
  sink->member_path = path + ".member";
  sink->archive = gzopen(sink->unfinished.c_str(), is_packed(path) ? "wb6" : "wbT");  // T: not packed
  if (!sink->archive) return cannot_write(path);
  return OutputArchive(std::move(sink));
}

Result<void> OutputArchive::begin(std::string_view name) {
  sink_->end_member();
  sink_->member_name = name;
  if (sink_->folder) sink_->member_path = fs::path(sink_->path) / name;
  sink_->member.open(sink_->member_path, std::ios::binary | std::ios::trunc);
  if (!sink_->member || sink_->failed) return cannot_write(sink_->member_path);
  return {};
}

void OutputArchive::write(std::string_view bytes) {
  sink_->member.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

Result<void> OutputArchive::finish() {
  sink_->end_member();
  if (!sink_->folder && !sink_->failed) {
    sink_->put(std::string(2 * formats::kTarBlock, '\0'));
    sink_->failed |= gzclose(std::exchange(sink_->archive, nullptr)) != Z_OK;
    if (!sink_->failed) sink_->failed = std::rename(sink_->unfinished.c_str(), sink_->path.c_str()) != 0;
  }
  if (sink_->failed) return cannot_write(sink_->path);
  return {};
}

}  // namespace etiage::adapters
