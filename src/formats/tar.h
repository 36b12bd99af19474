#pragma once
// Archives of files as `tar` writes them (POSIX ustar): which files lie where, and the headers to write one.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace etiage::formats {

/// A file in an archive: its bytes begin at `begin` of the (unpacked) archive.
struct TarMember {
  std::string name;
  std::uint64_t begin = 0, size = 0;

  bool operator==(const TarMember&) const = default;
};

inline constexpr std::size_t kTarBlock = 512;

/// Whether a content begins as an archive does.
bool is_tar(std::string_view head);

/// Lists an archive that comes in pieces of any size. Folders, links and hidden files are passed over.
class TarListing {
 public:
  /// False once the end was met, or damage: nothing more is needed.
  bool feed(std::string_view bytes);
  /// Where the archive is damaged or cut off, the members before that are still listed.
  const std::vector<TarMember>& members() const { return members_; }
  bool complete() const { return ended_ && !damaged_; }

 private:
  bool header(std::string_view block);

  std::vector<TarMember> members_;
  std::string block_;       ///< the header that is being collected
  std::uint64_t at_ = 0;    ///< of the bytes that were fed
  std::uint64_t next_ = 0;  ///< where the next header begins
  bool ended_ = false, damaged_ = false;
};

/// The header block of a file; its content follows, filled up with zeros to a whole block.
std::string tar_header(std::string_view name, std::uint64_t size);

}  // namespace etiage::formats
