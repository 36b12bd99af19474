#pragma once
// IP addresses and prefixes as Go's net/netip reads and writes them.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace etiage::cel {

struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};  ///< an IPv4 address in the last four
  bool v4 = false;
  std::string zone;  ///< of IPv6; Kubernetes refuses addresses that have one

  /// netip.ParseAddr with its errors.
  static Result<IpAddress> parse(std::string_view text);

  bool operator==(const IpAddress&) const = default;
  bool is_mapped() const;  ///< IPv4 written as IPv6
  bool is_unspecified() const;
  bool is_loopback() const;
  bool is_link_local_multicast() const;
  bool is_link_local_unicast() const;
  bool is_global_unicast() const;
};

struct IpPrefix {
  IpAddress address;
  int bits = 0;

  /// netip.ParsePrefix with its errors.
  static Result<IpPrefix> parse(std::string_view text);

  bool operator==(const IpPrefix&) const = default;
  IpPrefix masked() const;
  bool contains(const IpAddress& a) const;
  bool overlaps(const IpPrefix& o) const;
};

std::string to_string(const IpAddress& a);
std::string to_string(const IpPrefix& p);

}  // namespace etiage::cel
