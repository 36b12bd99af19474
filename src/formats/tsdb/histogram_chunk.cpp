#include "formats/tsdb/histogram_chunk.h"

#include <bit>
#include <cmath>
#include <numeric>
#include <string>

#include "formats/samples.h"
#include "formats/tsdb/bit_reader.h"
#include "formats/tsdb/start_time.h"

namespace etiage::formats::tsdb {
namespace {

constexpr std::string_view kShort = "the chunk holds fewer samples than it says";
constexpr std::int32_t kCustomBuckets = -53;

using Span = NativeHistogram::Span;

std::vector<Span> read_spans(BitReader& bits) {
  std::vector<Span> spans;
  const std::uint64_t count = read_varbit_uint(bits);
  for (std::uint64_t i = 0; i < count && !bits.overrun(); ++i) {
    const auto length = static_cast<std::uint32_t>(read_varbit_uint(bits));
    spans.push_back({static_cast<std::int32_t>(read_varbit_int(bits)), length});
  }
  return spans;
}

/// Thousandths where that is exact, else the float.
double read_bound(BitReader& bits) {
  const std::uint64_t thousandths = read_varbit_uint(bits);
  return thousandths == 0 ? std::bit_cast<double>(bits.read(64))
                          : static_cast<double>(thousandths - 1) / 1000;
}

/// 0, a power of two in a byte, or 255 and the float.
double read_zero_threshold(BitReader& bits) {
  const std::uint64_t byte = bits.read_short(8);
  if (byte == 0) return 0;
  return byte == 255 ? std::bit_cast<double>(bits.read(64)) : std::ldexp(0.5, static_cast<int>(byte) - 243);
}

std::uint64_t buckets_of(const std::vector<Span>& spans) {
  return std::accumulate(spans.begin(), spans.end(), std::uint64_t{0},
                         [](std::uint64_t n, const Span& s) { return n + s.length; });
}

/// What all samples of the chunk share. Returns why it cannot be used.
std::string_view read_layout(BitReader& bits, NativeHistogram& h) {
  h.zero_threshold = read_zero_threshold(bits);
  h.schema = static_cast<std::int32_t>(read_varbit_int(bits));
  h.positive_spans = read_spans(bits);
  h.negative_spans = read_spans(bits);
  if (h.schema == kCustomBuckets) {
    const std::uint64_t count = read_varbit_uint(bits);
    for (std::uint64_t i = 0; i < count && !bits.overrun(); ++i) h.custom_values.push_back(read_bound(bits));
  }
  if (bits.overrun()) return kShort;
  if (h.schema != kCustomBuckets && (h.schema < -9 || h.schema > 52)) return "a histogram of unknown schema";
  if (h.schema > 8) return "a histogram finer than schema 8 is not read";
  // Each bucket takes a bit at least: what claims more is damaged, and must not be given memory.
  if (buckets_of(h.positive_spans) + buckets_of(h.negative_spans) > bits.left()) return kShort;
  return {};
}

/// A number that changes by differences of differences.
struct Drifting {
  std::int64_t value = 0;
  std::int64_t delta = 0;

  std::int64_t next(std::int64_t dod) {
    const auto add = [](std::int64_t a, std::int64_t b) {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    };
    delta = add(delta, dod);
    return value = add(value, delta);
  }
};

/// A float that changes by XOR.
struct Xored {
  std::uint64_t value = 0;
  XorWindow window;

  void next(BitReader& bits) { value ^= read_xor(bits, window); }
  double number() const { return std::bit_cast<double>(value); }
};

class Integers {
 public:
  Integers(std::uint64_t positive, std::uint64_t negative) : positive_(positive), negative_(negative) {}

  void first(BitReader& bits, NativeHistogram& h) {
    count_.value = static_cast<std::int64_t>(read_varbit_uint(bits));
    zero_count_.value = static_cast<std::int64_t>(read_varbit_uint(bits));
    sum_.value = bits.read(64);
    for (auto* buckets : {&positive_, &negative_})
      for (Drifting& b : *buckets) b.value = read_varbit_int(bits);
    fill(h);
  }
  void next(BitReader& bits, NativeHistogram& h) {
    count_.next(read_varbit_int(bits));
    zero_count_.next(read_varbit_int(bits));
    sum_.next(bits);
    // A stale sample has no buckets.
    if (!is_stale(sum_.number()))
      for (auto* buckets : {&positive_, &negative_})
        for (Drifting& b : *buckets) b.next(read_varbit_int(bits));
    fill(h);
  }

 private:
  /// Buckets are kept as differences to the bucket before.
  static std::vector<std::int64_t> absolute(const std::vector<Drifting>& buckets) {
    std::vector<std::int64_t> out;
    std::uint64_t count = 0;
    for (const Drifting& b : buckets)
      out.push_back(static_cast<std::int64_t>(count += static_cast<std::uint64_t>(b.value)));
    return out;
  }
  void fill(NativeHistogram& h) const {
    h.count = static_cast<std::uint64_t>(count_.value);
    h.zero_count = static_cast<std::uint64_t>(zero_count_.value);
    h.sum = sum_.number();
    h.positive = absolute(positive_);
    h.negative = absolute(negative_);
  }

  Drifting count_, zero_count_;
  Xored sum_;
  std::vector<Drifting> positive_, negative_;
};

class Floats {
 public:
  Floats(std::uint64_t positive, std::uint64_t negative) : positive_(positive), negative_(negative) {}

  void first(BitReader& bits, NativeHistogram& h) {
    for (Xored* x : {&count_, &zero_count_, &sum_}) x->value = bits.read(64);
    for (auto* buckets : {&positive_, &negative_})
      for (Xored& b : *buckets) b.value = bits.read(64);
    fill(h);
  }
  void next(BitReader& bits, NativeHistogram& h) {
    for (Xored* x : {&count_, &zero_count_, &sum_}) x->next(bits);
    if (!is_stale(sum_.number()))
      for (auto* buckets : {&positive_, &negative_})
        for (Xored& b : *buckets) b.next(bits);
    fill(h);
  }

 private:
  static std::vector<double> numbers(const std::vector<Xored>& buckets) {
    std::vector<double> out;
    for (const Xored& b : buckets) out.push_back(b.number());
    return out;
  }
  void fill(NativeHistogram& h) const {
    h.count = count_.number();
    h.zero_count = zero_count_.number();
    h.sum = sum_.number();
    h.positive = numbers(positive_);
    h.negative = numbers(negative_);
  }

  Xored count_, zero_count_, sum_;
  std::vector<Xored> positive_, negative_;
};

/// A stale marker carries nothing but itself.
NativeHistogram stale_of(const NativeHistogram& h) {
  NativeHistogram out;
  out.ms = h.ms;
  out.sum = h.sum;
  if (h.is_integer())
    out.count = out.zero_count = std::uint64_t{0};
  else
    out.count = out.zero_count = 0.0;
  return out;
}

template <class Counts>
std::string_view decode(BitReader& bits, unsigned count, ResetHint first_hint, StartTimes start_times,
                        std::vector<NativeHistogram>& out) {
  NativeHistogram h;
  if (count == 0) return {};
  if (const std::string_view fault = read_layout(bits, h); !fault.empty()) return fault;
  Counts counts(buckets_of(h.positive_spans), buckets_of(h.negative_spans));
  Drifting stamp;
  h.hint = first_hint;
  for (unsigned n = 0; n < count; ++n) {
    if (n == 0) {
      h.ms = stamp.value = read_varbit_int(bits);
      counts.first(bits, h);
    } else {
      h.ms = stamp.next(read_varbit_int(bits));
      counts.next(bits, h);
      if (h.hint != ResetHint::kGauge) h.hint = ResetHint::kNoReset;
    }
    start_times.skip(bits, n);
    if (bits.overrun()) return kShort;
    out.push_back(is_stale(h.sum) ? stale_of(h) : h);
  }
  return {};
}

}  // namespace

std::string_view decode_histograms(std::string_view data, HistogramEncoding encoding,
                                   std::vector<NativeHistogram>& out) {
  if (data.size() < 3) return kShort;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(data[i]); };
  // The two flag bits stand in the third byte, or with start times above the number of samples.
  const std::uint8_t flags = encoding.start_times ? byte(0) : byte(2);
  const unsigned count = (encoding.start_times ? byte(0) & 0x3fu : byte(0)) << 8 | byte(1);
  const ResetHint first = (flags & 0xc0) == 0xc0 ? ResetHint::kGauge : ResetHint::kUnknown;
  const StartTimes start_times = encoding.start_times ? StartTimes(byte(2)) : StartTimes{};
  BitReader bits(data.substr(3));
  return encoding.floats ? decode<Floats>(bits, count, first, start_times, out)
                         : decode<Integers>(bits, count, first, start_times, out);
}

}  // namespace etiage::formats::tsdb
