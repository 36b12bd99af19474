#pragma once
// A file's content whatever it is packed in, plain, gzip or Zstandard by its magic bytes; a pipe is a file
// too, and so is a file in an archive (tar), packed or not.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/mapped_file.h"
#include "adapters/unpack.h"
#include "base/result.h"
#include "formats/tar.h"

namespace etiage::adapters {

/// What a pipe may hold.
enum class PipeHolds : std::uint8_t {
  kOneContent,
  kSeveral,  ///< one after another, told apart by `formats::ContentEnd`
};

/// Plain files are mapped, never copied. Packed ones and pipes are unpacked as a stream, so that a bomb or a
/// dump of many gigabytes takes the memory of one chunk.
class InputFile {
 public:
  static constexpr std::size_t kHead = 64 << 10;
  static constexpr std::size_t kWholeLimit = std::size_t{2} << 30;

  /// `-` is standard input, which can be read once. `ARCHIVE/MEMBER` is a file in an archive.
  static Result<InputFile> open(const std::string& path, PipeHolds holds = PipeHolds::kOneContent);

  const std::string& path() const { return path_; }
  /// The first unpacked bytes, at most `kHead`: for telling what it is. Of a pipe gone once it is read.
  std::string_view head() const;
  /// The last bytes of a plain file, at most 1 KiB; empty for others.
  std::string_view tail() const;

  /// Neither packed nor a pipe: its content is one chunk, which can be read in parts.
  bool is_plain() const { return !pipe_ && packing_ == Packing::kPlain; }

  /// The whole content from the start, in chunks (a plain file is one) until `take` returns false. An error
  /// where the packing is damaged or cut off; what came before was handed out.
  Result<void> each_chunk(const std::function<bool(std::string_view)>& take);
  /// A part of the one chunk of a plain file, as `MappedFile::stream`.
  Result<void> stream(std::string_view part, const std::function<void(std::string_view)>& take) const {
    return file_.stream(part, take);
  }
  /// All of it at once: the mapping, or unpacked into memory, at most `limit` bytes. Where that is not all,
  /// `damage` says why.
  struct Whole {
    std::string_view bytes;
    std::optional<Error> damage;
  };
  Whole whole(std::size_t limit = kWholeLimit);

  /// Goes on to the next content of a pipe that holds several, past what was not read of this one; false
  /// where there is none.
  bool next_content();

 private:
  enum class Packing : std::uint8_t { kPlain, kGzip, kZstd };
  struct Pipe;

  explicit InputFile(std::string path) : path_(std::move(path)) {}
  static Result<InputFile> open_member(const std::string& path, std::size_t slash);
  std::string_view plain_bytes() const;
  ByteSource unpacked(ByteSource raw) const;
  ByteSource from_file() const;
  Result<void> fill_head(const ByteSource& source);
  Result<void> each_piece_of_pipe(const std::function<bool(std::string_view)>& take);

  std::string path_;
  MappedFile file_;
  Packing packing_ = Packing::kPlain;
  std::optional<formats::TarMember> member_;  ///< the part of the unpacked bytes that is meant
  std::shared_ptr<Pipe> pipe_;                ///< null: a file
  std::string head_;         ///< of what is not plain; of a pipe what is read and not handed out yet
  bool handed_out_ = false;  ///< the content of the pipe
  std::string unpacked_;
};

/// The files in an archive, in its order; nothing where the file is none. A damaged archive lists what comes
/// before the damage.
std::optional<std::vector<std::string>> archive_members(const std::string& path);

}  // namespace etiage::adapters
