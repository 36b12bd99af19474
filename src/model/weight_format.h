#pragma once
// How numbers of weights and caches are stored.

#include <cstdint>
#include <optional>
#include <string_view>

namespace etiage {

enum class WeightFormat : std::uint8_t {
  kFloat32,
  kFloat16,
  kFp8,
  kFp8Block,
  kInt8,
  kInt4Group128,
  kInt4Group64,
  kInt4Group32,
  kInt4Symmetric,
  kNvfp4,
  kMxfp4,
  kQ8_0,
  kQ6K,
  kQ5K,
  kQ4K,
  kQ3K,
  kQ2K,
  kIq4Xs,
};

/// Bits a weight with its share of scales and zero points. INT8 scales lie per output channel and are not
/// counted here. Sources: the formats' block layouts (128 x 128 blocks of FP8 with one fp32 scale; AWQ/GPTQ
/// groups with fp16 scale and 4-bit zero; NVFP4 16 elements with one FP8 scale; MXFP4 32 elements with one
/// E8M0 scale; ggml's k-quants).
double bits_per_weight(WeightFormat format);

enum class KvFormat : std::uint8_t { kFloat16, kFp8, kFp8LatentSparse, kInt8PerTokenHead, kNvfp4 };

std::string_view to_string(KvFormat format);
/// `auto`, `bf16`, `fp8`, `fp8_e5m2`, `int8`, `nvfp4`, ...; nothing where it is none of them (`auto` is
/// kFloat16).
std::optional<KvFormat> parse_kv_format(std::string_view text);

}  // namespace etiage
