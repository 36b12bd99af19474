#include "adapters/input_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "adapters/unpack.h"

namespace etiage::adapters {
namespace {

std::unexpected<Error> system_failure(const std::string& path) {
  return failure(std::strerror(errno), {path, 0, 0, ""});
}

/// Appends from a descriptor until `size` bytes are there or it ends; false at its end.
Result<bool> fill(int descriptor, std::string& out, std::size_t size, const std::string& path) {
  std::vector<char> buffer(64 << 10);
  while (out.size() < size) {
    const ssize_t n = ::read(descriptor, buffer.data(), std::min(buffer.size(), size - out.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_failure(path);
    if (n == 0) return false;
    out.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return true;
}

bool is_regular(const std::string& path) {
  struct stat s{};
  return ::stat(path.c_str(), &s) == 0 && S_ISREG(s.st_mode);
}

}  // namespace

InputFile::InputFile(std::string path, MappedFile file, Packing packing)
    : path_(std::move(path)), file_(std::move(file)), packing_(packing) {}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::move(other.file_)),
      packing_(other.packing_),
      pipe_(std::exchange(other.pipe_, -1)),
      pipe_ended_(other.pipe_ended_),
      head_copy_(std::move(other.head_copy_)),
      unpacked_(std::move(other.unpacked_)) {
  head_ = packing_ == Packing::kPlain ? file_.bytes().substr(0, kHead) : std::string_view(head_copy_);
}

InputFile::~InputFile() {
  if (pipe_ > STDIN_FILENO) ::close(pipe_);
}

Result<InputFile> InputFile::open(const std::string& path) {
  const std::string real = path == "-" ? "/dev/stdin" : path;
  if (!is_regular(real)) {
    const int descriptor = path == "-" ? STDIN_FILENO : ::open(real.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return system_failure(path);
    InputFile piped(path, {}, Packing::kPipe);
    piped.pipe_ = descriptor;
    const auto more = fill(descriptor, piped.head_copy_, kHead, path);
    if (!more) return std::unexpected(more.error());
    piped.pipe_ended_ = !*more;
    piped.head_ = piped.head_copy_;
    return piped;
  }
  auto file = MappedFile::open(real);
  if (!file) return failure(file.error().message, {path, 0, 0, ""});
  const Packing packing = is_gzip(file->bytes())   ? Packing::kGzip
                          : is_zstd(file->bytes()) ? Packing::kZstd
                                                   : Packing::kPlain;
  InputFile out(path, std::move(*file), packing);
  if (packing == Packing::kPlain) {
    out.head_ = out.file_.bytes().substr(0, kHead);
    return out;
  }
  const auto keep = [&](std::string_view chunk) {
    out.head_copy_ += chunk.substr(0, kHead - out.head_copy_.size());
    return out.head_copy_.size() < kHead;
  };
  const auto read = out.each_chunk(keep);
  if (!read && out.head_copy_.empty()) return std::unexpected(read.error());
  out.head_ = out.head_copy_;
  return out;
}

std::string_view InputFile::tail() const {
  constexpr std::size_t kTail = 1 << 10;
  const std::string_view bytes = packing_ == Packing::kPlain ? file_.bytes() : std::string_view{};
  return bytes.substr(bytes.size() - std::min(bytes.size(), kTail));
}

Result<void> InputFile::read_pipe(const std::function<bool(std::string_view)>& take) {
  if (!take(head_copy_)) return {};
  while (!pipe_ended_) {
    std::string chunk;
    const auto more = fill(pipe_, chunk, 256 << 10, path_);
    if (!more) return std::unexpected(more.error());
    pipe_ended_ = !*more;
    if (!chunk.empty() && !take(chunk)) return {};
  }
  return {};
}

Result<void> InputFile::each_chunk(const std::function<bool(std::string_view)>& take) {
  switch (packing_) {
    case Packing::kPlain:
      take(file_.bytes());
      return {};
    case Packing::kGzip:
      return unpack_gzip(file_.bytes(), path_, take);
    case Packing::kZstd:
      return unpack_zstd(file_.bytes(), path_, take);
    case Packing::kPipe:
      return read_pipe(take);
  }
  return {};
}

InputFile::Whole InputFile::whole(std::size_t limit) {
  if (packing_ == Packing::kPlain) return {file_.bytes(), {}};
  unpacked_.clear();
  bool all = true;
  const auto read = each_chunk([&](std::string_view chunk) {
    all = unpacked_.size() + chunk.size() <= limit;
    if (all) unpacked_ += chunk;
    return all;
  });
  if (!read) return {unpacked_, read.error()};
  if (all) return {unpacked_, {}};
  return {unpacked_, Error{fmt::format("holds more than {} bytes unpacked", limit),
                           {path_, 0, 0, ""},
                           "this kind of file is read as a whole: split it"}};
}

}  // namespace etiage::adapters
