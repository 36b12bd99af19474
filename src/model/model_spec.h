#pragma once
// A language model as far as memory and time depend on it: the shapes of its layers, not its weights.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.h"

namespace etiage {

/// Attention with a key and a value per KV head. Heads and dimensions are counts, not bytes.
struct AttentionShape {
  int heads = 0;
  int kv_heads = 0;
  int head_dim = 0;
  int value_dim = 0;  ///< of one head; most models: head_dim
  bool output_gate =
      false;  ///< the query projection also makes a gate of the same width (Qwen3-Next, Qwen3.5)
  bool shared_key_value =
      false;  ///< the value is the key (Gemma 4's global layers): one projection, both still cached

  bool operator==(const AttentionShape&) const = default;
};

/// Multi-head latent attention (DeepSeek): the cache holds one latent and one rotary key a token for all
/// heads.
struct LatentAttention {
  int query_rank = 0;  ///< 0: queries are projected straight from the hidden state
  int kv_rank = 0;
  int nope_dim = 0;
  int rope_dim = 0;
  int value_dim = 0;

  bool operator==(const LatentAttention&) const = default;
};

/// DeepSeek sparse attention: a small indexer chooses which tokens are attended to.
struct SparseIndexer {
  int heads = 0;
  int dim = 0;
  int top_tokens = 0;

  bool operator==(const SparseIndexer&) const = default;
};

/// Layers whose state does not grow with the context.
struct RecurrentShape {
  enum class Kind { kGatedDelta, kKimiDelta, kMamba1, kMamba2 };
  Kind kind = Kind::kGatedDelta;
  int heads = 0;        ///< value heads (delta rules) or Mamba heads; Mamba 1: 1
  int key_heads = 0;    ///< delta rules; Mamba 2: groups
  int key_dim = 0;      ///< delta rules: of a key head; Mamba: the state size
  int value_dim = 0;    ///< of a head; Mamba 1: the inner width
  int convolution = 4;  ///< taps of the short convolution

  bool operator==(const RecurrentShape&) const = default;
};

struct MixtureOfExperts {
  int experts = 0;
  int per_token = 0;
  int intermediate = 0;         ///< width of one expert
  int shared_intermediate = 0;  ///< width of all shared experts together; 0: none
  int hidden = 0;               ///< what the experts see, where tokens are compressed for them (LatentMoE);
                                ///< 0: the model's hidden state

  bool operator==(const MixtureOfExperts&) const = default;
};

/// What a group of weights does; formats, sharding and reading differ by it.
enum class TensorKind : std::uint8_t {
  kAttention,
  kLatentDown,
  kRecurrent,
  kFeedForward,
  kExpert,
  kSharedExpert,
  kRouter,
  kEmbedding,
  kHead,
  kNorm,
  kOther
};
inline constexpr std::size_t kTensorKinds = 11;

template <class T>
using ByTensorKind = std::array<T, kTensorKinds>;

/// Where the bytes of a checkpoint are known from its own header (safetensors, GGUF).
using CheckpointBytes = ByTensorKind<std::int64_t>;

struct ModelSpec {
  std::string name;        ///< a Hugging Face id, or the name the user gave
  std::string shapes;      ///< the known model of the same shapes, whose measurements apply; empty: none
  std::string model_type;  ///< as config.json says: `llama`, `deepseek_v3`
  std::string source;      ///< where the figures come from
  bool verified = true;    ///< false: parts are recalled or missing in the source, and a user is told
  int layers = 0;
  int hidden = 0;
  int vocabulary = 0;
  std::int64_t max_position = 0;
  bool tied_embeddings = false;

  AttentionShape attention;               ///< layers that see the whole context
  AttentionShape windowed;                ///< layers that see a window
  std::optional<LatentAttention> latent;  ///< replaces `attention` where given
  std::optional<SparseIndexer> indexer;
  std::optional<RecurrentShape> recurrent;
  int full_layers = 0, window_layers = 0, recurrent_layers = 0;
  int window = 0;               ///< tokens
  bool chunked_window = false;  ///< Llama 4: blocks of `window` tokens instead of a sliding one

  int intermediate = 0;  ///< width of a dense feed-forward layer
  bool gated = true;     ///< three matrices a feed-forward layer; false: two
  int dense_layers = 0, moe_layers = 0;
  std::optional<MixtureOfExperts> moe;
  int predicted_tokens = 0;           ///< multi-token prediction layers in the checkpoint
  std::int64_t other_parameters = 0;  ///< vision towers and the like, never quantised here

  std::string native_quantization;  ///< of the named checkpoint; empty: 16 bit
  std::string unquantized;          ///< kinds that the checkpoint's ignore list keeps at 16 bit, of dense
                                    ///< feed-forward layers also how many: `attention,router,feed_forward:2`
  std::optional<CheckpointBytes> checkpoint;

  bool operator==(const ModelSpec&) const = default;
};

}  // namespace etiage
