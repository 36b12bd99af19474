#include "formats/testing/block_writer.h"

#include <algorithm>
#include <bit>
#include <set>

#include "formats/tsdb/crc32c.h"

namespace etiage::formats::testing {
namespace {

void big_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>(value >> shift);
}

void uvarint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void varint(std::string& out, std::int64_t value) {
  uvarint(out, static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
}

void text(std::string& out, const std::string& value) {
  uvarint(out, value.size());
  out += value;
}

std::string with_sum(std::string body) {
  big_endian(body, tsdb::crc32c(body), 4);
  return body;
}

/// A section: its length, the body, the sum of the body.
std::string section(const std::string& body) {
  std::string out;
  big_endian(out, body.size(), 4);
  return out + with_sum(body);
}

class Bits {
 public:
  explicit Bits(std::string& out) : out_(out) {}

  void put(std::uint64_t value, unsigned n) {
    while (n-- > 0) {
      if (free_ == 0) out_ += '\0', free_ = 8;
      --free_;
      out_.back() = static_cast<char>(out_.back() | static_cast<char>((value >> n & 1) << free_));
    }
  }
  void bytes(const std::string& some) {
    for (const char c : some) put(static_cast<unsigned char>(c), 8);
  }

 private:
  std::string& out_;
  unsigned free_ = 0;
};

std::string series_entry(const WrittenSeries& s, const std::map<std::string, std::uint64_t>& symbols,
                         const std::vector<std::uint64_t>& refs) {
  std::string body;
  uvarint(body, s.labels.size());
  for (const auto& [name, value] : s.labels)
    uvarint(body, symbols.at(name)), uvarint(body, symbols.at(value));
  uvarint(body, s.chunks.size());
  for (std::size_t i = 0; i < s.chunks.size(); ++i) {
    const WrittenChunk& c = s.chunks[i];
    if (i == 0)
      varint(body, c.min_ms);
    else
      uvarint(body, static_cast<std::uint64_t>(c.min_ms - s.chunks[i - 1].max_ms));
    uvarint(body, static_cast<std::uint64_t>(c.max_ms - c.min_ms));
    if (i == 0)
      uvarint(body, refs[i]);
    else
      varint(body, static_cast<std::int64_t>(refs[i] - refs[i - 1]));
  }
  std::string out;
  uvarint(out, body.size());
  return out + with_sum(body);
}

}  // namespace

std::string xor_data(const std::vector<Sample>& samples) {
  std::string out;
  big_endian(out, samples.size(), 2);
  Bits bits(out);
  std::int64_t delta = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto value = std::bit_cast<std::uint64_t>(samples[i].value);
    std::string stamp;
    if (i == 0) {
      varint(stamp, samples[i].ms);
      bits.bytes(stamp);
      bits.put(value, 64);
      continue;
    }
    const std::int64_t step = samples[i].ms - samples[i - 1].ms;
    if (i == 1) {
      uvarint(stamp, static_cast<std::uint64_t>(step));
      bits.bytes(stamp);
    } else {
      bits.put(0xf, 4);
      bits.put(static_cast<std::uint64_t>(step - delta), 64);
    }
    delta = step;
    const std::uint64_t changed = value ^ std::bit_cast<std::uint64_t>(samples[i - 1].value);
    if (changed == 0) {
      bits.put(0, 1);
    } else {
      bits.put(3, 2);
      bits.put(0, 11);  // no leading zeros, 64 bits
      bits.put(changed, 64);
    }
  }
  return out;
}

WrittenChunk xor_chunk(const std::vector<Sample>& samples) {
  return {samples.front().ms, samples.back().ms, tsdb::ChunkEncoding::kXor, xor_data(samples)};
}

WrittenChunk aggregate_chunk(const std::vector<std::vector<Sample>>& aggregates) {
  WrittenChunk out{.min_ms = INT64_MAX,
                   .max_ms = INT64_MIN,
                   .encoding = tsdb::ChunkEncoding::kThanosAggregates,
                   .data = ""};
  for (const auto& samples : aggregates) {
    if (samples.empty()) {
      uvarint(out.data, 0);
      continue;
    }
    const std::string data = xor_data(samples);
    uvarint(out.data, data.size());
    out.data += static_cast<char>(tsdb::ChunkEncoding::kXor);
    out.data += data;
    out.min_ms = std::min(out.min_ms, samples.front().ms);
    out.max_ms = std::max(out.max_ms, samples.back().ms);
  }
  return out;
}

WrittenBlock write_block(std::string meta, const std::vector<WrittenSeries>& series) {
  WrittenBlock out{.meta = std::move(meta), .index = "", .segment = ""};
  big_endian(out.segment, 0x85BD40DD, 4);
  big_endian(out.segment, 0x01000000, 4);
  std::vector<std::vector<std::uint64_t>> refs;
  std::set<std::string> words;
  for (const WrittenSeries& s : series) {
    refs.emplace_back();
    for (const WrittenChunk& c : s.chunks) {
      refs.back().push_back(out.segment.size());
      uvarint(out.segment, c.data.size());
      out.segment += with_sum(static_cast<char>(c.encoding) + c.data);
    }
    for (const auto& [name, value] : s.labels) words.insert(name), words.insert(value);
  }

  std::map<std::string, std::uint64_t> symbols;
  std::string table;
  big_endian(table, words.size(), 4);
  for (const std::string& w : words) symbols.emplace(w, symbols.size()), text(table, w);
  big_endian(out.index, 0xBAAAD700, 4);
  out.index += '\x02';
  const std::uint64_t symbols_at = out.index.size();
  out.index += section(table);

  std::map<std::pair<std::string, std::string>, std::vector<std::uint64_t>> postings;
  for (std::size_t i = 0; i < series.size(); ++i) {
    while (out.index.size() % 16 != 0) out.index += '\0';
    const std::uint64_t id = out.index.size() / 16;
    postings[{"", ""}].push_back(id);
    for (const auto& label : series[i].labels) postings[label].push_back(id);
    out.index += series_entry(series[i], symbols, refs[i]);
  }
  std::string offsets;
  big_endian(offsets, postings.size(), 4);
  for (const auto& [label, ids] : postings) {
    std::string list;
    big_endian(list, ids.size(), 4);
    for (const std::uint64_t id : ids) big_endian(list, id, 4);
    uvarint(offsets, 2);
    text(offsets, label.first);
    text(offsets, label.second);
    uvarint(offsets, out.index.size());
    out.index += section(list);
  }
  const std::uint64_t offsets_at = out.index.size();
  out.index += section(offsets);
  std::string contents;
  for (const std::uint64_t at :
       {symbols_at, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}, std::uint64_t{0}, offsets_at})
    big_endian(contents, at, 8);
  out.index += with_sum(contents);
  return out;
}

}  // namespace etiage::formats::testing
