#include "model/weight_format.h"

#include <array>
#include <utility>

namespace etiage {

double bits_per_weight(WeightFormat format) {
  switch (format) {
    case WeightFormat::kFloat32:
      return 32;
    case WeightFormat::kFloat16:
      return 16;
    case WeightFormat::kFp8:
      return 8;
    case WeightFormat::kFp8Block:
      return 8 + 32.0 / (128 * 128);
    case WeightFormat::kInt8:
      return 8;
    case WeightFormat::kInt4Group128:
      return 4 + 20.0 / 128;
    case WeightFormat::kInt4Group64:
      return 4 + 20.0 / 64;
    case WeightFormat::kInt4Group32:
      return 4 + 20.0 / 32;
    case WeightFormat::kInt4Symmetric:
      return 4 + 16.0 / 128;
    case WeightFormat::kNvfp4:
      return 4 + 8.0 / 16;
    case WeightFormat::kMxfp4:
      return 4 + 8.0 / 32;
    case WeightFormat::kQ8_0:
      return 8.5;
    case WeightFormat::kQ6K:
      return 6.5625;
    case WeightFormat::kQ5K:
      return 5.5;
    case WeightFormat::kQ4K:
      return 4.5;
    case WeightFormat::kQ3K:
      return 3.4375;
    case WeightFormat::kQ2K:
      return 2.625;
    case WeightFormat::kIq4Xs:
      return 4.25;
  }
  return 16;
}

std::string_view to_string(KvFormat format) {
  switch (format) {
    case KvFormat::kFloat16:
      return "bf16";
    case KvFormat::kFp8:
      return "fp8";
    case KvFormat::kFp8LatentSparse:
      return "fp8_ds_mla";
    case KvFormat::kInt8PerTokenHead:
      return "int8_per_token_head";
    case KvFormat::kNvfp4:
      return "nvfp4";
  }
  return "bf16";
}

std::optional<KvFormat> parse_kv_format(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, KvFormat>, 14> kNames{
      {{"", KvFormat::kFloat16},
       {"auto", KvFormat::kFloat16},
       {"bf16", KvFormat::kFloat16},
       {"bfloat16", KvFormat::kFloat16},
       {"fp16", KvFormat::kFloat16},
       {"float16", KvFormat::kFloat16},
       {"fp8", KvFormat::kFp8},
       {"fp8_e4m3", KvFormat::kFp8},
       {"fp8_e5m2", KvFormat::kFp8},
       {"fp8_inc", KvFormat::kFp8},
       {"fp8_ds_mla", KvFormat::kFp8LatentSparse},
       {"int8", KvFormat::kInt8PerTokenHead},
       {"int8_per_token_head", KvFormat::kInt8PerTokenHead},
       {"nvfp4", KvFormat::kNvfp4}}};
  for (const auto& [name, format] : kNames)
    if (name == text) return format;
  return std::nullopt;
}

}  // namespace etiage
