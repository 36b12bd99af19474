#pragma once
// A file's bytes without a copy: mapped, read-only. The system brings in what is looked at and may drop it
// again.

#include <string>
#include <string_view>

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
  /// A part of some mapping that has been read: its pages count no longer as ours, and come back if looked at
  /// again.
  static void release(std::string_view part);

 private:
  MappedFile(const char* data, std::size_t size) : data_(data), size_(size) {}

  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace etiage::adapters
