#include "engines/cel/net.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <span>

#include "engines/cel/go_text.h"

namespace etiage::cel {
namespace {

std::unexpected<Error> bad_address(std::string_view text, std::string_view message,
                                   std::string_view at = {}) {
  auto out = fmt::format("ParseAddr({}): {}", go_quote(text), message);
  if (!at.empty()) out += fmt::format(" (at {})", go_quote(at));
  return failure(std::move(out));
}
std::unexpected<Error> bad_prefix(std::string_view text, std::string_view message) {
  return failure(fmt::format("netip.ParsePrefix({}): {}", go_quote(text), message));
}

/// Four decimal fields of `fields`, which is a part of `whole`, into `out`.
std::optional<Error> read_v4(std::string_view whole, std::string_view fields, std::span<std::uint8_t> out) {
  int value = 0, digits = 0;
  std::size_t field = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const char c = fields[i];
    if (c >= '0' && c <= '9') {
      if (digits == 1 && value == 0)
        return bad_address(whole, "IPv4 field has octet with leading zero").error();
      value = value * 10 + (c - '0');
      ++digits;
      if (value > 255) return bad_address(whole, "IPv4 field has value >255").error();
    } else if (c == '.') {
      if (i == 0 || i == fields.size() - 1 || fields[i - 1] == '.') {
        return bad_address(whole, "IPv4 field must have at least one digit", fields.substr(i)).error();
      }
      if (field == 3) return bad_address(whole, "IPv4 address too long").error();
      out[field++] = static_cast<std::uint8_t>(value);
      value = digits = 0;
    } else {
      return bad_address(whole, "unexpected character", fields.substr(i)).error();
    }
  }
  if (field < 3) return bad_address(whole, "IPv4 address too short").error();
  out[3] = static_cast<std::uint8_t>(value);
  return std::nullopt;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Result<IpAddress> read_v6(std::string_view whole) {
  IpAddress a;
  std::string_view s = whole;
  if (const auto percent = s.find('%'); percent != std::string_view::npos) {
    a.zone = s.substr(percent + 1);
    s = s.substr(0, percent);
    if (a.zone.empty()) return bad_address(whole, "zone must be a non-empty string");
  }
  int ellipsis = -1;
  if (s.starts_with("::")) {
    ellipsis = 0;
    s.remove_prefix(2);
    if (s.empty()) return a;
  }
  int i = 0;
  while (i < 16) {
    std::size_t length = 0;
    std::uint32_t value = 0;
    for (; length < s.size() && hex_value(s[length]) >= 0; ++length) {
      value = value << 4 | static_cast<std::uint32_t>(hex_value(s[length]));
      if (length > 3) return bad_address(whole, "each group must have 4 or less digits", s);
    }
    if (length == 0) return bad_address(whole, "each colon-separated field must have at least one digit", s);
    if (length < s.size() && s[length] == '.') {
      if (ellipsis < 0 && i != 12) {
        return bad_address(whole, "embedded IPv4 address must replace the final 2 fields of the address", s);
      }
      if (i + 4 > 16) {
        return bad_address(whole, "too many hex fields to fit an embedded IPv4 at the end of the address", s);
      }
      if (auto error = read_v4(whole, s, std::span(a.bytes).subspan(static_cast<std::size_t>(i), 4))) {
        return std::unexpected(*error);
      }
      s = {};
      i += 4;
      break;
    }
    a.bytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(value >> 8);
    a.bytes[static_cast<std::size_t>(i) + 1] = static_cast<std::uint8_t>(value);
    i += 2;
    s.remove_prefix(length);
    if (s.empty()) break;
    if (s[0] != ':') return bad_address(whole, "unexpected character, want colon", s);
    if (s.size() == 1) return bad_address(whole, "colon must be followed by more characters", s);
    s.remove_prefix(1);
    if (s[0] == ':') {
      if (ellipsis >= 0) return bad_address(whole, "multiple :: in address", s);
      ellipsis = i;
      s.remove_prefix(1);
      if (s.empty()) break;
    }
  }
  if (!s.empty()) return bad_address(whole, "trailing garbage after address", s);
  if (i < 16) {
    if (ellipsis < 0) return bad_address(whole, "address string too short");
    std::rotate(a.bytes.begin() + ellipsis, a.bytes.begin() + i, a.bytes.end());
  } else if (ellipsis >= 0) {
    return bad_address(whole, "the :: must expand to at least one field of zeros");
  }
  return a;
}

/// The first `bits` bits of the 16 bytes, IPv4 counted from its own first byte.
std::array<std::uint8_t, 16> keep_bits(const IpAddress& a, int bits) {
  auto bytes = a.bytes;
  const int first = a.v4 ? 96 : 0;
  for (int bit = first + bits; bit < 128; ++bit) {
    bytes[static_cast<std::size_t>(bit / 8)] &= static_cast<std::uint8_t>(~(0x80 >> bit % 8));
  }
  return bytes;
}

}  // namespace

Result<IpAddress> IpAddress::parse(std::string_view text) {
  const auto mark = text.find_first_of(".:%");
  if (mark == std::string_view::npos) return bad_address(text, "unable to parse IP");
  if (text[mark] == '%') return bad_address(text, "missing IPv6 address");
  if (text[mark] == ':') return read_v6(text);
  IpAddress a;
  a.v4 = true;
  if (auto error = read_v4(text, text, std::span(a.bytes).subspan(12))) return std::unexpected(*error);
  return a;
}

bool IpAddress::is_mapped() const {
  return !v4 && std::all_of(bytes.begin(), bytes.begin() + 10, [](auto b) { return b == 0; }) &&
         bytes[10] == 0xFF && bytes[11] == 0xFF;
}
bool IpAddress::is_unspecified() const {
  return zone.empty() && std::ranges::all_of(bytes, [](auto b) { return b == 0; });
}
bool IpAddress::is_loopback() const {
  if (v4) return bytes[12] == 127;
  return std::all_of(bytes.begin(), bytes.end() - 1, [](auto b) { return b == 0; }) && bytes[15] == 1;
}
bool IpAddress::is_link_local_multicast() const {
  if (v4) return bytes[12] == 224 && bytes[13] == 0 && bytes[14] == 0;
  return bytes[0] == 0xFF && (bytes[1] & 0x0F) == 0x02;
}
bool IpAddress::is_link_local_unicast() const {
  if (v4) return bytes[12] == 169 && bytes[13] == 254;
  return bytes[0] == 0xFE && (bytes[1] & 0xC0) == 0x80;
}
bool IpAddress::is_global_unicast() const {
  const bool broadcast = v4 && std::all_of(bytes.begin() + 12, bytes.end(), [](auto b) { return b == 255; });
  const bool multicast = v4 ? (bytes[12] & 0xF0) == 0xE0 : bytes[0] == 0xFF;
  return !broadcast && !multicast && !is_unspecified() && !is_loopback() && !is_link_local_unicast();
}

Result<IpPrefix> IpPrefix::parse(std::string_view text) {
  const auto slash = text.rfind('/');
  if (slash == std::string_view::npos) return bad_prefix(text, "no '/'");
  auto address = IpAddress::parse(text.substr(0, slash));
  if (!address) return bad_prefix(text, address.error().message);
  if (!address->zone.empty()) return bad_prefix(text, "IPv6 zones cannot be present in a prefix");
  const auto bits_text = text.substr(slash + 1);
  const bool odd = bits_text.size() > 1 && (bits_text[0] < '1' || bits_text[0] > '9');
  const auto bits = odd ? std::nullopt : go_parse_int(bits_text);
  if (!bits) return bad_prefix(text, "bad bits after slash: " + go_quote(bits_text));
  if (*bits < 0 || *bits > (address->v4 ? 32 : 128)) return bad_prefix(text, "prefix length out of range");
  return IpPrefix{std::move(*address), static_cast<int>(*bits)};
}

IpPrefix IpPrefix::masked() const {
  IpPrefix p = *this;
  p.address.bytes = keep_bits(address, bits);
  return p;
}
bool IpPrefix::contains(const IpAddress& a) const {
  return a.v4 == address.v4 && a.zone.empty() && keep_bits(a, bits) == keep_bits(address, bits);
}
bool IpPrefix::overlaps(const IpPrefix& o) const {
  if (o.address.v4 != address.v4) return false;
  const int shorter = std::min(bits, o.bits);
  return keep_bits(address, shorter) == keep_bits(o.address, shorter);
}

std::string to_string(const IpAddress& a) {
  if (a.v4) return fmt::format("{}.{}.{}.{}", a.bytes[12], a.bytes[13], a.bytes[14], a.bytes[15]);
  const auto group = [&](int i) {
    return a.bytes[static_cast<std::size_t>(2 * i)] << 8 | a.bytes[static_cast<std::size_t>(2 * i) + 1];
  };
  int zeros = 0, best = -1, best_length = 1;
  for (int i = 0; i < 8; ++i) {
    zeros = group(i) == 0 ? zeros + 1 : 0;
    if (zeros > best_length) best_length = zeros, best = i - zeros + 1;
  }
  std::string out;
  for (int i = 0; i < 8; ++i) {
    if (i == best) {
      out += "::";
      i += best_length - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    out += fmt::format("{:x}", group(i));
  }
  return a.zone.empty() ? out : out + "%" + a.zone;
}
std::string to_string(const IpPrefix& p) {
  return fmt::format("{}/{}", to_string(p.address), p.bits);
}

}  // namespace etiage::cel
