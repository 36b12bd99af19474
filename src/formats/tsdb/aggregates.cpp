#include "formats/tsdb/aggregates.h"

#include <algorithm>
#include <cmath>

#include "formats/tsdb/byte_reader.h"
#include "formats/tsdb/chunk.h"
#include "formats/tsdb/float_chunk.h"

namespace etiage::formats::tsdb {
namespace {

/// The beginning of the span that a stamp lies in, also before 1970.
std::int64_t beginning(std::int64_t ms, std::int64_t span) {
  const std::int64_t rest = ms % span;
  return ms - (rest < 0 ? rest + span : rest);
}

}  // namespace

std::string_view decode_aggregate(std::string_view data, Aggregate which, std::vector<Sample>& out) {
  ByteReader reader(data);
  for (int i = 0; i <= static_cast<int>(which); ++i) {
    const std::uint64_t length = reader.uvarint();
    const bool wanted = i == static_cast<int>(which);
    if (length > data.size()) return "a downsampled chunk is damaged";
    const std::string_view part = length == 0 ? std::string_view{} : reader.take(length + 1);
    if (reader.failed()) return "a downsampled chunk is damaged";
    if (!wanted || part.empty()) continue;
    if (static_cast<ChunkEncoding>(part.front()) != ChunkEncoding::kXor)
      return "a downsampled chunk of an encoding that is not read";
    return decode_xor(part.substr(1), out);
  }
  return {};
}

std::string_view decode_averages(std::string_view data, std::int64_t resolution_ms,
                                 std::vector<Sample>& out) {
  std::vector<Sample> counts, sums;
  const std::string_view fault = decode_aggregate(data, Aggregate::kCount, counts);
  const std::string_view more = decode_aggregate(data, Aggregate::kSum, sums);
  const std::int64_t span = std::max<std::int64_t>(1, resolution_ms);
  for (std::size_t i = 0; i < std::min(counts.size(), sums.size()); ++i)
    if (counts[i].ms == sums[i].ms && counts[i].value > 0)
      out.push_back({beginning(sums[i].ms, span), sums[i].value / counts[i].value});
  return fault.empty() ? more : fault;
}

std::string_view decode_maxima(std::string_view data, std::int64_t resolution_ms, std::vector<Sample>& out) {
  const std::size_t from = out.size();
  const std::string_view fault = decode_aggregate(data, Aggregate::kMax, out);
  const std::int64_t span = std::max<std::int64_t>(1, resolution_ms);
  for (std::size_t i = from; i < out.size(); ++i) out[i].ms = beginning(out[i].ms, span);
  return fault;
}

std::string_view CounterTotal::decode(std::string_view data, std::vector<Sample>& out) {
  std::vector<Sample> counts;
  const std::string_view fault = decode_aggregate(data, Aggregate::kCounter, counts);
  for (const Sample& s : counts) {
    if (std::isnan(s.value)) continue;
    if (begun_ && s.ms <= last_ms_) {  // the last raw value, or an overlap
      if (s.ms == last_ms_) last_ = s.value;
      continue;
    }
    total_ += begun_ && s.value >= last_ ? s.value - last_ : s.value;
    begun_ = true;
    last_ms_ = s.ms;
    last_ = s.value;
    out.push_back({s.ms, total_});
  }
  return fault;
}

}  // namespace etiage::formats::tsdb
