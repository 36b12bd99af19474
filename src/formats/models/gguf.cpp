// Source of the layout: the GGUF specification (ggml-org/ggml docs/gguf.md), versions 2 and 3, little-endian.

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <map>

#include "formats/models/tensors.h"

namespace etiage::formats {
namespace {

/// Elements and bytes of a block of a ggml type; nothing for types that left the format.
struct Block {
  int elements = 0, bytes = 0;
};

Block block_of(std::uint32_t type) {
  static constexpr std::array<Block, 40> kBlocks{
      {{1, 4},    {1, 2},    {32, 18},  {32, 20},   {},         {},         {32, 22},   {32, 24},
       {32, 34},  {32, 36},  {256, 84}, {256, 110}, {256, 144}, {256, 176}, {256, 210}, {256, 292},
       {256, 66}, {256, 74}, {256, 98}, {256, 50},  {32, 18},   {256, 110}, {256, 82},  {256, 136},
       {1, 1},    {1, 2},    {1, 4},    {1, 8},     {1, 8},     {256, 56},  {1, 2},     {},
       {},        {},        {256, 54}, {256, 66},  {},         {},         {},         {32, 17}}};
  return type < kBlocks.size() ? kBlocks[type] : Block{};
}

/// Reads forward; after the end every read is zero and `ok` is false.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T number() {
    T value{};
    if (bytes_.size() - at_ < sizeof value) return ok_ = false, at_ = bytes_.size(), value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  std::string_view text() {
    const auto length = number<std::uint64_t>();
    if (length > bytes_.size() - at_) return ok_ = false, std::string_view{};
    return skip(length);
  }
  std::string_view skip(std::uint64_t length) {
    if (length > bytes_.size() - at_) return ok_ = false, std::string_view{};
    const auto part = bytes_.substr(at_, length);
    at_ += length;
    return part;
  }
  bool ok() const { return ok_; }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

enum Type : std::uint32_t {
  kUint8,
  kInt8,
  kUint16,
  kInt16,
  kUint32,
  kInt32,
  kFloat32,
  kBool,
  kString,
  kArray,
  kUint64,
  kInt64,
  kFloat64
};

int width(std::uint32_t type) {
  switch (type) {
    case kUint8:
    case kInt8:
    case kBool:
      return 1;
    case kUint16:
    case kInt16:
      return 2;
    case kUint32:
    case kInt32:
    case kFloat32:
      return 4;
    case kUint64:
    case kInt64:
    case kFloat64:
      return 8;
    default:
      return 0;
  }
}

struct Metadata {
  std::map<std::string, std::int64_t, std::less<>> numbers;  ///< of an array: its first whole number
  std::map<std::string, std::string, std::less<>> texts;
  std::map<std::string, std::uint64_t, std::less<>> lengths;  ///< of arrays

  std::int64_t number(std::string_view key, std::int64_t otherwise = 0) const {
    const auto found = numbers.find(key);
    return found == numbers.end() ? otherwise : found->second;
  }
};

std::int64_t whole(Cursor& c, std::uint32_t type) {
  switch (width(type)) {
    case 1:
      return c.number<std::uint8_t>();
    case 2:
      return c.number<std::uint16_t>();
    case 4:
      return c.number<std::uint32_t>();
    case 8:
      return static_cast<std::int64_t>(c.number<std::uint64_t>());
    default:
      return 0;
  }
}

bool read_array(Cursor& c, const std::string& key, Metadata& out) {
  const auto type = c.number<std::uint32_t>();
  const auto length = c.number<std::uint64_t>();
  out.lengths[key] = length;
  if (type == kString) {
    for (std::uint64_t i = 0; i < length && c.ok(); ++i) c.text();
    return c.ok();
  }
  if (width(type) == 0) return false;
  if (length > 0 && type != kFloat32 && type != kFloat64) {
    out.numbers[key] = whole(c, type);
    c.skip((length - 1) * static_cast<std::uint64_t>(width(type)));
  } else {
    c.skip(length > (1ULL << 40) ? ~0ULL : length * static_cast<std::uint64_t>(width(type)));
  }
  return c.ok();
}

bool read_metadata(Cursor& c, std::uint64_t count, Metadata& out) {
  for (std::uint64_t i = 0; i < count && c.ok(); ++i) {
    const std::string key(c.text());
    const auto type = c.number<std::uint32_t>();
    if (type == kString)
      out.texts[key] = c.text();
    else if (type == kArray) {
      if (!read_array(c, key, out)) return false;
    } else if (type == kFloat32 || type == kFloat64)
      c.skip(static_cast<std::uint64_t>(width(type)));
    else if (width(type) > 0)
      out.numbers[key] = whole(c, type);
    else
      return false;
  }
  return c.ok();
}

Result<CheckpointBytes> read_tensors(Cursor& c, std::uint64_t count, int layers, const std::string& file) {
  CheckpointBytes bytes{};
  for (std::uint64_t i = 0; i < count && c.ok(); ++i) {
    const auto name = c.text();
    const auto dimensions = c.number<std::uint32_t>();
    if (dimensions > 8) return failure(fmt::format("tensor {} has {} dimensions", i, dimensions), {file});
    double elements = 1;
    for (std::uint32_t d = 0; d < dimensions; ++d) elements *= static_cast<double>(c.number<std::uint64_t>());
    const auto block = block_of(c.number<std::uint32_t>());
    c.number<std::uint64_t>();
    if (!c.ok()) break;
    if (block.elements == 0 || elements > 1e13)
      return failure(fmt::format("tensor \"{}\" is of a type or size that is not known", name), {file});
    if (const auto kind = tensor_kind(name, layers))
      bytes[static_cast<std::size_t>(*kind)] +=
          static_cast<std::int64_t>(elements / block.elements * block.bytes);
  }
  if (!c.ok()) return failure("the GGUF header is cut off", {file});
  return bytes;
}

/// Which layers see a window is llama.cpp's knowledge of the architecture, not the header's.
int windowed_layers(const ModelSpec& m, const std::string& arch) {
  if (m.window <= 0) return 0;
  if (arch == "gemma2" || arch == "gpt-oss") return m.layers / 2;
  if (arch == "gemma3" || arch == "gemma3n") return m.layers - m.layers / 6;
  return arch == "llama4" || arch == "cohere2" ? m.layers - m.layers / 4 : 0;
}

/// llama.cpp's file types by our names; what is not here counts as 16 bit.
std::string quantization_of(std::int64_t file_type) {
  switch (file_type) {
    case 7:
      return "q8_0";
    case 2:
    case 3:
    case 14:
    case 15:
      return "q4_k";
    case 16:
    case 17:
      return "q5_k";
    case 18:
      return "q6_k";
    case 10:
      return "q2_k";
    case 11:
    case 12:
    case 13:
      return "q3_k";
    case 30:
      return "iq4_xs";
    case 38:
      return "mxfp4";
    default:
      return "";
  }
}

Result<ModelSpec> shapes(const Metadata& meta, const std::string& file) {
  const auto found = meta.texts.find("general.architecture");
  if (found == meta.texts.end()) return failure("the GGUF header names no architecture", {file});
  const std::string& arch = found->second;
  const auto get = [&](std::string_view key, std::int64_t otherwise = 0) {
    return static_cast<int>(
        std::clamp<std::int64_t>(meta.number(arch + "." + std::string(key), otherwise), 0, 100'000'000));
  };
  ModelSpec m{.name = meta.texts.contains("general.name") ? meta.texts.at("general.name") : file,
              .model_type = arch,
              .source = file};
  m.native_quantization = quantization_of(meta.number("general.file_type", -1));
  m.layers = get("block_count");
  m.hidden = get("embedding_length");
  m.max_position = get("context_length");
  const int heads = get("attention.head_count");
  if (m.layers <= 0 || m.hidden <= 0 || heads <= 0 || m.layers > 10'000)
    return failure(
        fmt::format("the GGUF header of a \"{}\" lacks block_count, embedding_length or attention.head_count",
                    arch),
        {file});
  if (meta.numbers.contains(arch + ".ssm.state_size"))
    return failure(fmt::format("a GGUF of \"{}\" has layers whose cache its header does not describe", arch),
                   {file}, "give its config.json by --config");
  const int dim = get("attention.key_length", m.hidden / heads);
  m.attention = {heads, get("attention.head_count_kv", heads), dim, get("attention.value_length", dim)};
  m.windowed = m.attention;
  m.window = get("attention.sliding_window");
  m.window_layers = windowed_layers(m, arch);
  m.full_layers = m.layers - m.window_layers;
  if (const int rank = get("attention.kv_lora_rank"); rank > 0) {
    const int rope = get("rope.dimension_count", 64);
    const int key = get("attention.key_length_mla", dim),
              value = get("attention.value_length_mla", m.attention.value_dim);
    m.latent = LatentAttention{get("attention.q_lora_rank"), rank, std::max(0, key - rope), rope, value};
  }
  m.intermediate = get("feed_forward_length");
  m.dense_layers = m.layers;
  if (const int experts = get("expert_count"); experts > 0) {
    m.moe = MixtureOfExperts{experts, get("expert_used_count", 1),
                             get("expert_feed_forward_length", m.intermediate),
                             get("expert_shared_feed_forward_length")};
    m.moe_layers = m.layers - get("leading_dense_block_count");
    m.dense_layers = m.layers - m.moe_layers;
  }
  const auto tokens = meta.lengths.find("tokenizer.ggml.tokens");
  m.vocabulary = get("vocab_size",
                     tokens == meta.lengths.end()
                         ? 0
                         : static_cast<std::int64_t>(std::min<std::uint64_t>(tokens->second, 100'000'000)));
  return m;
}

}  // namespace

Result<ModelSpec> read_gguf(std::string_view head, const std::string& file) {
  Cursor c(head);
  if (c.skip(4) != "GGUF") return failure("not a GGUF file", {file});
  const auto version = c.number<std::uint32_t>();
  if (version != 2 && version != 3)
    return failure(fmt::format("GGUF version {} is not known", version), {file}, "2 and 3 are");
  const auto tensors = c.number<std::uint64_t>(), pairs = c.number<std::uint64_t>();
  Metadata meta;
  if (!read_metadata(c, pairs, meta)) return failure("the GGUF header is damaged or cut off", {file});
  if (const auto parts = meta.number("split.count", 1); parts > 1)
    return failure(
        fmt::format("one of {} parts of a checkpoint, which does not say what the others hold", parts),
        {file}, "put the parts together (llama-gguf-split --merge), or give its config.json");
  auto m = shapes(meta, file);
  if (!m) return m;
  auto bytes = read_tensors(c, tensors, m->layers, file);
  if (!bytes) return std::unexpected(bytes.error());
  m->checkpoint = *bytes;
  m->tied_embeddings = (*bytes)[static_cast<std::size_t>(TensorKind::kHead)] == 0;
  return m;
}

}  // namespace etiage::formats
