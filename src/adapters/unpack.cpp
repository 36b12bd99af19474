#include "adapters/unpack.h"

#include <algorithm>
#include <memory>
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

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b\x08");
}
bool is_zstd(std::string_view bytes) {
  return bytes.starts_with("\x28\xb5\x2f\xfd");
}

Result<void> unpack_gzip(std::string_view packed, const std::string& path,
                         const std::function<bool(std::string_view)>& take) {
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  z_stream stream{};
  if (inflateInit2(&stream, kGzipOnly) != Z_OK) return damaged(path, "no memory");
  const std::unique_ptr<z_stream, int (*)(z_stream*)> closing(&stream, inflateEnd);
  std::vector<char> out(kChunk);
  while (is_gzip(packed)) {  // members may follow one another; what is no member after them is padding
    int state = Z_OK;
    while (state != Z_STREAM_END) {
      if (packed.empty()) return cut_off(path);
      const auto size = static_cast<uInt>(std::min<std::size_t>(packed.size(), 1u << 30));
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));  // zlib reads it only
      stream.avail_in = size;
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = kChunk;
      state = inflate(&stream, Z_NO_FLUSH);
      packed.remove_prefix(size - stream.avail_in);
      const std::size_t made = kChunk - stream.avail_out;
      if (made > 0 && !take({out.data(), made})) return {};
      if (state == Z_BUF_ERROR && made == 0) return cut_off(path);
      if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR)
        return damaged(path, stream.msg ? stream.msg : "gzip");
    }
    inflateReset(&stream);
  }
  return {};
}

Result<void> unpack_zstd(std::string_view packed, const std::string& path,
                         const std::function<bool(std::string_view)>& take) {
  const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax,
                         27);  // 128 MiB: a frame may not ask for more memory
  std::vector<char> out(kChunk);
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  std::size_t left = 0;
  while (in.pos < in.size) {
    ZSTD_outBuffer made{out.data(), out.size(), 0};
    left = ZSTD_decompressStream(context.get(), &made, &in);
    if (ZSTD_isError(left)) return damaged(path, ZSTD_getErrorName(left));
    if (made.pos > 0 && !take({out.data(), made.pos})) return {};
  }
  while (left != 0) {  // what is still inside the decoder
    ZSTD_outBuffer made{out.data(), out.size(), 0};
    left = ZSTD_decompressStream(context.get(), &made, &in);
    if (ZSTD_isError(left)) return damaged(path, ZSTD_getErrorName(left));
    if (made.pos == 0) return cut_off(path);
    if (!take({out.data(), made.pos})) return {};
  }
  return {};
}

}  // namespace etiage::adapters
