#pragma once
// A trace of requests to what sizing needs of it: how many come at the worst, and how long they are.

#include <string>
#include <string_view>

#include "sizing/options.h"

namespace etiage::sizing {

/// A CSV of requests: a time (`time`, `TIMESTAMP`, `timestamp`, `arrived_at`: RFC 3339, `2023-11-16
/// 18:15:46.680590`, seconds or milliseconds), input tokens (`input`, `ContextTokens`, `input_length`,
/// `num_prefill_tokens`) and output tokens (`output`, `GeneratedTokens`, `output_length`,
/// `num_decode_tokens`). The rate is that of the busiest minute; lengths are means;
/// `rates` has every minute between the first request and the last.
Result<Demand> read_traffic(std::string_view csv, const std::string& file);

}  // namespace etiage::sizing
