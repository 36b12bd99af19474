#pragma once
// Bytes of KV cache and recurrent state, per GPU, and how many requests a pool of them holds.
//
//     pool ┌ block ┬ block ┬ block ┬ ...      a block holds `block_tokens` tokens of one GROUP of layers;
//          │ group │ group │ group │          groups have the same number of layers and blocks the same
//          └───────┴───────┴───────┘          bytes, so that every block fits every group (unified pages)
//
// Source: vLLM's kv_cache_interface and kv_cache_utils, read for what they do; figures in docs/sizing.md.

#include <cstdint>

#include "engines/serving/sharding.h"
#include "model/model_spec.h"
#include "model/weight_format.h"

namespace etiage::serving {

/// How an engine lays out its cache.
struct KvRules {
  int block_tokens = 16;
  bool hybrid_manager = true;  ///< false: windowed layers cost the whole length
  int recurrent_pages = 1;     ///< pages of state a sequence; 2 where prefix caching aligns them to blocks
  std::int64_t max_batched_tokens = 8192;

  bool operator==(const KvRules&) const = default;
};

struct KvLayout {
  double bytes_per_token = 0;         ///< of all layers that grow with the context
  double window_bytes_per_token = 0;  ///< of all layers that see a window
  double state_bytes = 0;             ///< recurrent state, a sequence
  int block_tokens = 16;
  int full_block_tokens =
      16;                  ///< of layers that see all: more where their tokens are smaller, to fill a page
  double block_bytes = 0;  ///< of one block of one group
  int full_groups = 0, window_groups = 0, recurrent_groups = 0;
  std::int64_t window = 0;         ///< tokens that a windowed layer reads
  std::int64_t window_tokens = 0;  ///< most tokens that it keeps: the window and what one step may add
  int recurrent_pages = 1;
};

KvLayout kv_layout(const ModelSpec& model, KvFormat format, const Parallelism& split, const KvRules& rules);

/// Blocks that a sequence of so many tokens holds.
std::int64_t blocks_per_sequence(const KvLayout& layout, std::int64_t tokens);

/// Whole blocks in a pool.
std::int64_t blocks_in(const KvLayout& layout, double pool_bytes);

/// Sequences of that length that a pool holds at once (vLLM's "maximum concurrency").
double max_concurrency(const KvLayout& layout, double pool_bytes, std::int64_t tokens);

/// Bytes read of a cache with `context` tokens in one decode step of one sequence.
double bytes_read(const KvLayout& layout, double context);

}  // namespace etiage::serving
