#include "adapters/unpack.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace etiage::adapters {
namespace {

constexpr std::size_t kChunk = 256 << 10;

std::unexpected<Error> cut_off(const std::string& path) {
  return failure("the packed data is cut off", {path, 0, 0, ""},
                 "what came before the cut is used; fetch the file again");
}

std::unexpected<Error> damaged(const std::string& path, const std::string& why) {
  return failure("the packed data is damaged: " + why, {path, 0, 0, ""},
                 "what came before the damage is used");
}

/// What both kinds of unpacking keep between two pieces.
struct Packed {
  ByteSource source;
  std::string path;
  std::string_view rest;  ///< packed bytes that were not looked at
  std::vector<char> out = std::vector<char>(kChunk);

  /// False at the end of the source.
  Result<bool> refill() {
    if (!rest.empty()) return true;
    const auto more = source();
    if (!more) return std::unexpected(more.error());
    rest = *more;
    return !rest.empty();
  }
};

class Gunzip {
 public:
  Gunzip(ByteSource source, std::string path) : packed_{std::move(source), std::move(path), {}} {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    ready_ = inflateInit2(&stream_, kGzipOnly) == Z_OK;
  }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;
  ~Gunzip() { inflateEnd(&stream_); }

  Result<std::string_view> next() {
    if (!ready_) return damaged(packed_.path, "no memory");
    for (;;) {
      const auto more = packed_.refill();
      if (!more) return std::unexpected(more.error());
      if (!inside_member_ && !begins_member(*more)) return std::string_view{};
      inside_member_ = true;
      const std::size_t made = inflate_some();
      if (state_ != Z_OK && state_ != Z_STREAM_END && state_ != Z_BUF_ERROR)
        return damaged(packed_.path, stream_.msg ? stream_.msg : "gzip");
      if (state_ == Z_STREAM_END) inside_member_ = false, inflateReset(&stream_);
      if (made > 0) return std::string_view(packed_.out.data(), made);
      if (!*more && inside_member_) return cut_off(packed_.path);
    }
  }

 private:
  /// Members may follow one another; what is no member after them is padding.
  bool begins_member(bool more) const {
    constexpr char kFirstOfMember = '\x1f';
    return more && packed_.rest.front() == kFirstOfMember;
  }

  std::size_t inflate_some() {
    const auto size = static_cast<uInt>(std::min<std::size_t>(packed_.rest.size(), 1u << 30));
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.rest.data()));  // zlib reads it only
    stream_.avail_in = size;
    stream_.next_out = reinterpret_cast<Bytef*>(packed_.out.data());
    stream_.avail_out = kChunk;
    state_ = inflate(&stream_, Z_NO_FLUSH);
    packed_.rest.remove_prefix(size - stream_.avail_in);
    return kChunk - stream_.avail_out;
  }

  Packed packed_;
  z_stream stream_{};
  int state_ = Z_OK;
  bool ready_ = false;
  bool inside_member_ = false;
};

class Unzstd {
 public:
  Unzstd(ByteSource source, std::string path)
      : packed_{std::move(source), std::move(path), {}}, context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
    constexpr int kWindowLog = 27;  // 128 MiB: a frame may not ask for more memory
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kWindowLog);
  }

  Result<std::string_view> next() {
    for (;;) {
      const auto more = packed_.refill();
      if (!more) return std::unexpected(more.error());
      if (!*more && left_ == 0) return std::string_view{};
      ZSTD_inBuffer in{packed_.rest.data(), packed_.rest.size(), 0};
      ZSTD_outBuffer made{packed_.out.data(), packed_.out.size(), 0};
      left_ = ZSTD_decompressStream(context_.get(), &made, &in);
      if (ZSTD_isError(left_)) return damaged(packed_.path, ZSTD_getErrorName(left_));
      packed_.rest.remove_prefix(in.pos);
      if (made.pos > 0) return std::string_view(packed_.out.data(), made.pos);
      if (!*more) return cut_off(packed_.path);  // nothing left inside the decoder either
    }
  }

 private:
  Packed packed_;
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_;
  std::size_t left_ = 0;  ///< 0 between two frames
};

/// The object behind it is shared since a function must be copyable.
template <class Unpacker>
ByteSource unpacking(ByteSource packed, std::string path) {
  const auto unpacker = std::make_shared<Unpacker>(std::move(packed), std::move(path));
  return [unpacker] { return unpacker->next(); };
}

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b\x08");
}
bool is_zstd(std::string_view bytes) {
  return bytes.starts_with("\x28\xb5\x2f\xfd");
}

ByteSource gunzip(ByteSource packed, std::string path) {
  return unpacking<Gunzip>(std::move(packed), std::move(path));
}
ByteSource unzstd(ByteSource packed, std::string path) {
  return unpacking<Unzstd>(std::move(packed), std::move(path));
}

}  // namespace etiage::adapters
