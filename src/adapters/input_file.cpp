#include "adapters/input_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "formats/content_end.h"

namespace etiage::adapters {
namespace {

constexpr std::size_t kPiece = 256 << 10;

std::unexpected<Error> system_failure(const std::string& path) {
  return failure(std::strerror(errno), {path, 0, 0, ""});
}

bool is_regular(const std::string& path) {
  struct stat s{};
  return ::stat(path.c_str(), &s) == 0 && S_ISREG(s.st_mode);
}

/// Where the name of a file in an archive begins: at the slash behind a regular file.
std::size_t end_of_archive(const std::string& path) {
  for (std::size_t at = path.find('/', 1); at != path.npos; at = path.find('/', at + 1))
    if (is_regular(path.substr(0, at))) return at;
  return path.npos;
}

/// `size` bytes of `source` behind the first `skip`.
ByteSource part_of(ByteSource source, std::uint64_t skip, std::uint64_t size, std::string path) {
  return [=, left = size]() mutable -> Result<std::string_view> {
    while (left > 0) {
      const auto piece = source();
      if (!piece) return piece;
      if (piece->empty()) return failure("the archive is cut off", {path, 0, 0, ""}, "fetch it again");
      const auto passed = std::min<std::uint64_t>(skip, piece->size());
      const std::string_view part = piece->substr(passed, left);
      skip -= passed;
      left -= part.size();
      if (!part.empty()) return part;
    }
    return std::string_view{};
  };
}

}  // namespace

/// The descriptor is ours to close unless it is standard input.
struct InputFile::Pipe {
  int descriptor = -1;
  std::string path;
  std::vector<char> piece = std::vector<char>(kPiece);
  std::size_t put_back = 0;  ///< bytes of `piece` that were read to tell the packing
  ByteSource content;        ///< unpacked
  bool holds_several = false;
  bool ended = false;

  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    if (descriptor > STDIN_FILENO) ::close(descriptor);
  }

  /// As many bytes as are wanted, fewer only at the end.
  Result<std::string_view> read(std::size_t wanted) {
    std::size_t size = std::exchange(put_back, 0);
    while (size < wanted) {
      const ssize_t n = ::read(descriptor, piece.data() + size, wanted - size);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return system_failure(path);
      if (n == 0) break;
      size += static_cast<std::size_t>(n);
    }
    return std::string_view(piece.data(), size);
  }
};

Result<InputFile> InputFile::open(const std::string& path, PipeHolds holds) {
  const std::string real = path == "-" ? "/dev/stdin" : path;
  InputFile out(path);
  std::string_view first;
  if (is_regular(real)) {
    auto file = MappedFile::open(real);
    if (!file) return failure(file.error().message, {path, 0, 0, ""});
    out.file_ = std::move(*file);
    first = out.file_.bytes();
  } else if (const std::size_t slash = end_of_archive(path); slash != path.npos) {
    return open_member(path, slash);
  } else {
    out.pipe_ = std::make_shared<Pipe>();
    out.pipe_->path = path;
    out.pipe_->descriptor = path == "-" ? STDIN_FILENO : ::open(real.c_str(), O_RDONLY | O_CLOEXEC);
    if (out.pipe_->descriptor < 0) return system_failure(path);
    constexpr std::size_t kMagic = 4;
    const auto magic = out.pipe_->read(kMagic);
    if (!magic) return std::unexpected(magic.error());
    out.pipe_->put_back = magic->size();
    first = *magic;
  }
  if (is_gzip(first)) out.packing_ = Packing::kGzip;
  if (is_zstd(first)) out.packing_ = Packing::kZstd;
  if (out.is_plain()) return out;
  if (out.pipe_) {
    out.pipe_->holds_several = holds == PipeHolds::kSeveral;
    out.pipe_->content = out.unpacked([pipe = out.pipe_.get()] { return pipe->read(kPiece); });
  }
  const auto read = out.fill_head(out.pipe_ ? out.pipe_->content : out.from_file());
  if (!read && out.head_.empty()) return std::unexpected(read.error());
  return out;
}

Result<InputFile> InputFile::open_member(const std::string& path, std::size_t slash) {
  auto out = open(path.substr(0, slash));
  if (!out) return out;
  formats::TarListing listing;
  const auto read = out->each_chunk([&](std::string_view bytes) { return listing.feed(bytes); });
  const auto found = std::ranges::find(listing.members(), path.substr(slash + 1), &formats::TarMember::name);
  if (found == listing.members().end())
    return failure(read ? "no such file in the archive" : read.error().message, {path, 0, 0, ""});
  out->path_ = path;
  out->member_ = *found;
  out->head_.clear();
  if (!out->is_plain()) (void)out->fill_head(out->from_file());  // a fault comes again with the content
  return out;
}

ByteSource InputFile::unpacked(ByteSource raw) const {
  if (packing_ == Packing::kGzip) return gunzip(std::move(raw), path_);
  if (packing_ == Packing::kZstd) return unzstd(std::move(raw), path_);
  return raw;
}

ByteSource InputFile::from_file() const {
  ByteSource all =
      unpacked([rest = is_plain() ? plain_bytes() : file_.bytes()]() mutable -> Result<std::string_view> {
        return std::exchange(rest, std::string_view{});
      });
  return member_ ? part_of(std::move(all), is_plain() ? 0 : member_->begin, member_->size, path_) : all;
}

/// Of a plain file.
std::string_view InputFile::plain_bytes() const {
  const std::string_view bytes = file_.bytes();
  if (!member_) return bytes;
  return bytes.substr(std::min<std::size_t>(member_->begin, bytes.size()), member_->size);
}

/// Until it is full. Of a file it is a copy, of a pipe the bytes themselves.
Result<void> InputFile::fill_head(const ByteSource& source) {
  while (head_.size() < kHead) {
    const auto piece = source();
    if (!piece) return std::unexpected(piece.error());
    if (piece->empty()) {
      if (pipe_) pipe_->ended = true;
      return {};
    }
    head_ += *piece;
  }
  return {};
}

std::string_view InputFile::head() const {
  return (is_plain() ? plain_bytes() : std::string_view(head_)).substr(0, kHead);
}

std::string_view InputFile::tail() const {
  constexpr std::size_t kTail = 1 << 10;
  const std::string_view bytes = is_plain() ? plain_bytes() : std::string_view{};
  return bytes.substr(bytes.size() - std::min(bytes.size(), kTail));
}

/// Whole lines at a time where several contents are told apart: what follows a content becomes the head.
Result<void> InputFile::each_piece_of_pipe(const std::function<bool(std::string_view)>& take) {
  constexpr std::size_t kLongestLine = 4 << 20;
  formats::ContentEnd content(formats::recognise(head()));
  handed_out_ = true;
  std::string bytes = std::exchange(head_, {});
  for (;;) {
    std::string_view lines = bytes;
    if (pipe_->holds_several && !pipe_->ended && bytes.size() < kLongestLine)
      lines = lines.substr(0, lines.rfind('\n') + 1);
    const std::size_t end = pipe_->holds_several ? content.find(lines) : formats::ContentEnd::kNowhere;
    if (end != formats::ContentEnd::kNowhere) {
      head_ = bytes.substr(end);
      take(lines.substr(0, end));
      return {};
    }
    if (!lines.empty() && !take(lines)) return {};
    bytes.erase(0, lines.size());
    if (pipe_->ended) return {};
    const auto more = pipe_->content();
    if (!more) {
      if (!bytes.empty()) take(bytes);
      return std::unexpected(more.error());
    }
    pipe_->ended = more->empty();
    bytes += *more;
  }
}

Result<void> InputFile::each_chunk(const std::function<bool(std::string_view)>& take) {
  if (pipe_) return each_piece_of_pipe(take);
  const ByteSource source = from_file();
  for (;;) {
    const auto bytes = source();
    if (!bytes) return std::unexpected(bytes.error());
    if (bytes->empty() || !take(*bytes)) return {};
  }
}

bool InputFile::next_content() {
  if (!pipe_ || !pipe_->holds_several) return false;
  if (!handed_out_) (void)each_chunk([](std::string_view) { return true; });
  handed_out_ = false;
  if (head_.empty()) return false;
  if (!pipe_->ended) (void)fill_head(pipe_->content);  // a fault comes again when the content is read
  return head_.find_first_not_of(" \t\r\n") != std::string::npos;
}

InputFile::Whole InputFile::whole(std::size_t limit) {
  if (is_plain() && (!member_ || plain_bytes().size() == member_->size)) return {plain_bytes(), {}};
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

std::optional<std::vector<std::string>> archive_members(const std::string& path) {
  if (!is_regular(path)) return {};
  auto file = InputFile::open(path);
  if (!file || !formats::is_tar(file->head())) return {};
  formats::TarListing listing;
  (void)file->each_chunk([&](std::string_view bytes) { return listing.feed(bytes); });
  std::vector<std::string> out;
  for (const formats::TarMember& m : listing.members()) out.push_back(path + "/" + m.name);
  return out;
}

}  // namespace etiage::adapters
