#pragma once
// A file's bytes without a copy: mapped, read-only. The system brings in what is looked at and may drop it
// again.

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace etiage::adapters {

class MappedFile {
 public:
  /// Says what is wrong with `path`: not there, no regular file, not readable.
  static Result<MappedFile> open(const std::string& path);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return {data_, size_}; }
  /// Hands out a part of `bytes`, piece after piece, through a buffer: what is looked at once, and does not
  /// fit into memory, costs the system a third of what its pages in the mapping cost. Threads may read parts
  /// side by side.
  Result<void> stream(std::string_view part, const std::function<void(std::string_view)>& take) const;

 private:
  MappedFile(std::string path, const char* data, std::size_t size)
      : path_(std::move(path)), data_(data), size_(size) {}

  std::string path_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace etiage::adapters
