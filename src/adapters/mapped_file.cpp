#include "adapters/mapped_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace etiage::adapters {
namespace {

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

std::unexpected<Error> system_failure(const std::string& path) {
  return failure(std::strerror(errno), {.file = path});
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  const Descriptor file(path);
  struct stat status{};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) return system_failure(path);
  if (!S_ISREG(status.st_mode)) return failure("is no regular file", {.file = path});
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return MappedFile{};
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (data == MAP_FAILED) return system_failure(path);
  return MappedFile(path, static_cast<const char*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

Result<void> MappedFile::stream(std::string_view part,
                                const std::function<void(std::string_view)>& take) const {
  constexpr std::size_t kPiece = 1 << 20;  // stays in a core's cache until it is read
  const Descriptor file(path_);            // one each, since the system reads ahead of a descriptor
  if (file.get() < 0) return system_failure(path_);
  std::vector<char> piece(std::min(kPiece, part.size()));
  auto at = static_cast<off_t>(part.data() - data_);
  for (std::size_t left = part.size(); left > 0;) {
    const ssize_t n = ::pread(file.get(), piece.data(), std::min(piece.size(), left), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_failure(path_);
    if (n == 0) return failure("became shorter while it was read", {.file = path_});
    take({piece.data(), static_cast<std::size_t>(n)});
    at += n;
    left -= static_cast<std::size_t>(n);
  }
  return {};
}

}  // namespace etiage::adapters
