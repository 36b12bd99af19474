#pragma once
// A file's content whatever it is packed in: plain, gzip or Zstandard by its magic bytes, or standard input.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "adapters/mapped_file.h"
#include "base/result.h"

namespace etiage::adapters {

/// Plain files are mapped, never copied. Packed ones and pipes are unpacked as a stream, so that a bomb or a
/// dump of many gigabytes takes the memory of one chunk.
class InputFile {
 public:
  static constexpr std::size_t kHead = 64 << 10;
  static constexpr std::size_t kWholeLimit = std::size_t{2} << 30;

  /// `-` is standard input, which can be read once.
  static Result<InputFile> open(const std::string& path);

  InputFile(InputFile&&) noexcept;
  ~InputFile();

  const std::string& path() const { return path_; }
  /// The first unpacked bytes, at most `kHead`: for telling what it is.
  std::string_view head() const { return head_; }
  /// The last bytes of a plain file, at most 1 KiB; empty for others.
  std::string_view tail() const;

  /// The whole content from the start, in chunks (a plain file is one) until `take` returns false. An error
  /// where the packing is damaged or cut off; what came before was handed out.
  Result<void> each_chunk(const std::function<bool(std::string_view)>& take);
  /// All of it at once: the mapping, or unpacked into memory, at most `limit` bytes. Where that is not all,
  /// `damage` says why.
  struct Whole {
    std::string_view bytes;
    std::optional<Error> damage;
  };
  Whole whole(std::size_t limit = kWholeLimit);

 private:
  enum class Packing : std::uint8_t { kPlain, kGzip, kZstd, kPipe };
  InputFile(std::string path, MappedFile file, Packing packing);

  Result<void> read_pipe(const std::function<bool(std::string_view)>& take);

  std::string path_;
  MappedFile file_;
  Packing packing_;
  int pipe_ = -1;  ///< descriptor of a pipe; ours to close unless it is standard input
  bool pipe_ended_ = false;
  std::string head_copy_;
  std::string_view head_;
  std::string unpacked_;
};

}  // namespace etiage::adapters
