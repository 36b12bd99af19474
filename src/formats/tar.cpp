#include "formats/tar.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <optional>

namespace etiage::formats {
namespace {

// Fields of a header block: where they begin, how long they are.
struct Slot {
  std::size_t at, size;
};
constexpr Slot kName{0, 100}, kMode{100, 8}, kOwner{108, 8}, kGroup{116, 8}, kSize{124, 12}, kTime{136, 12},
    kSum{148, 8}, kType{156, 1}, kMagic{257, 6}, kPrefix{345, 155};
constexpr std::string_view kUstar = "ustar";

std::string_view text(std::string_view block, Slot slot) {
  const std::string_view field = block.substr(slot.at, slot.size);
  return field.substr(0, std::min(field.find('\0'), field.size()));
}

/// Octal digits, or (first bit set) a number of eight bytes that needs more room.
std::optional<std::uint64_t> number(std::string_view block, Slot slot) {
  const std::string_view field = block.substr(slot.at, slot.size);
  std::uint64_t out = 0;
  if (static_cast<unsigned char>(field[0]) & 0x80) {
    for (const char c : field.substr(slot.size - 8)) out = out << 8 | static_cast<unsigned char>(c);
    return out >> 62 ? std::nullopt : std::optional(out);
  }
  for (const char c : text(block, slot)) {
    if (c == ' ') continue;
    if (c < '0' || c > '7') return {};
    out = out << 3 | static_cast<std::uint64_t>(c - '0');
  }
  return out;
}

std::uint64_t sum_of(std::string_view block) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kTarBlock; ++i)
    sum += i >= kSum.at && i < kSum.at + kSum.size ? ' ' : static_cast<unsigned char>(block[i]);
  return sum;
}

bool is_header(std::string_view block) {
  return block.size() >= kTarBlock && block.substr(kMagic.at).starts_with(kUstar) &&
         number(block, kSum) == sum_of(block);
}

bool is_hidden(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return path.empty() || path.starts_with('.') || path.contains("/.");
}

std::uint64_t whole_blocks(std::uint64_t size) {
  return (size + kTarBlock - 1) / kTarBlock * kTarBlock;
}

}  // namespace

bool is_tar(std::string_view head) {
  return is_header(head.substr(0, kTarBlock));
}

bool TarListing::feed(std::string_view bytes) {
  while (!ended_ && !damaged_) {
    if (at_ < next_) {
      const auto skip = std::min<std::uint64_t>(next_ - at_, bytes.size());
      bytes.remove_prefix(skip);
      at_ += skip;
    }
    if (bytes.empty()) return true;
    const std::size_t taken = std::min(kTarBlock - block_.size(), bytes.size());
    block_ += bytes.substr(0, taken);
    bytes.remove_prefix(taken);
    at_ += taken;
    next_ = at_;
    if (block_.size() < kTarBlock) return true;
    ended_ = block_.find_first_not_of('\0') == block_.npos;
    damaged_ = !ended_ && !header(block_);
    block_.clear();
  }
  return false;
}

bool TarListing::header(std::string_view block) {
  const auto size = number(block, kSize);
  if (!is_header(block) || !size) return false;
  const std::string_view prefix = text(block, kPrefix), name = text(block, kName);
  const char type = block[kType.at];
  std::string path = prefix.empty() ? std::string(name) : fmt::format("{}/{}", prefix, name);
  if ((type == '0' || type == '\0') && !is_hidden(path)) members_.push_back({std::move(path), at_, *size});
  next_ = at_ + whole_blocks(*size);
  return true;
}

std::string tar_header(std::string_view name, std::uint64_t size) {
  assert(name.size() < kName.size && size >> 33 == 0);
  std::string block(kTarBlock, '\0');
  const auto put = [&](Slot slot, std::string_view value) { block.replace(slot.at, value.size(), value); };
  put(kName, name);
  put(kMode, "0000644");
  put(kOwner, "0000000");
  put(kGroup, "0000000");
  put(kSize, fmt::format("{:011o}", size));
  put(kTime, "00000000000");
  put(kType, "0");
  put(kMagic, "ustar");
  put({263, 2}, "00");
  put(kSum, fmt::format("{:06o}", sum_of(block)));
  block[kSum.at + 7] = ' ';
  return block;
}

}  // namespace etiage::formats
