// IP addresses and networks as values of expressions.

#include <fmt/format.h>

#include "engines/cel/go_text.h"
#include "engines/cel/library.h"

namespace etiage::cel {
namespace {

Result<IpAddress> parse_ip(const std::string& text) {
  auto a = IpAddress::parse(text);
  if (!a) {
    return failure(fmt::format("IP Address {} parse error during conversion from string: {}", go_quote(text),
                               a.error().message));
  }
  if (!a->zone.empty())
    return failure(fmt::format("IP address {} with zone value is not allowed", go_quote(text)));
  if (a->is_mapped())
    return failure(fmt::format("IPv4-mapped IPv6 address {} is not allowed", go_quote(text)));
  return a;
}
Result<IpPrefix> parse_cidr(const std::string& text) {
  auto p = IpPrefix::parse(text);
  if (!p) return failure("network address parse error during conversion from string: " + p.error().message);
  if (p->address.is_mapped()) {
    return failure(fmt::format("IPv4-mapped IPv6 address {} is not allowed", go_quote(text)));
  }
  return p;
}

Value to_ip(Args args) {
  const auto a = parse_ip(args[0].text());
  return a ? Value::ip(*a) : Value::error(a.error().message);
}
Value is_ip(Args args) {
  return Value::boolean(parse_ip(args[0].text()).has_value());
}
Value ip_text(Args args) {
  return Value::string(to_string(args[0].as_ip()));
}
Value ip_family(Args args) {
  return Value::integer(args[0].as_ip().v4 ? 4 : 6);
}
Value ip_is_canonical(Args args) {
  const auto a = parse_ip(args[0].text());
  return a ? Value::boolean(to_string(*a) == args[0].text()) : Value::error(a.error().message);
}
template <bool (IpAddress::*test)() const>
Value ip_test(Args args) {
  return Value::boolean((args[0].as_ip().*test)());
}

Value to_cidr(Args args) {
  const auto p = parse_cidr(args[0].text());
  return p ? Value::cidr(*p)
           : Value::error("network address parse error during conversion from string: " + p.error().message);
}
Value is_cidr(Args args) {
  return Value::boolean(parse_cidr(args[0].text()).has_value());
}
Value cidr_text(Args args) {
  return Value::string(to_string(args[0].as_cidr()));
}
Value cidr_ip(Args args) {
  return Value::ip(args[0].as_cidr().address);
}
Value cidr_length(Args args) {
  return Value::integer(args[0].as_cidr().bits);
}
Value cidr_masked(Args args) {
  return Value::cidr(args[0].as_cidr().masked());
}
Value cidr_contains_ip(Args args) {
  if (args[1].is(Kind::kIp)) return Value::boolean(args[0].as_cidr().contains(args[1].as_ip()));
  const auto a = parse_ip(args[1].text());
  return a ? Value::boolean(args[0].as_cidr().contains(*a)) : no_such_overload();
}
Value cidr_contains_cidr(Args args) {
  const auto holds = [&](const IpPrefix& p) {
    const IpPrefix& whole = args[0].as_cidr();
    return Value::boolean(whole.overlaps(p) && whole.bits <= p.bits);
  };
  if (args[1].is(Kind::kCidr)) return holds(args[1].as_cidr());
  const auto p = parse_cidr(args[1].text());
  if (p) return holds(*p);
  return Value::error("network address parse error during conversion from string: " + p.error().message);
}

}  // namespace

void declare_addresses(Declarations& d) {
  d.function("ip", {{"string_to_ip", "(string) ip", to_ip}});
  d.function("family", {{"ip_family", "ip.() int", ip_family}});
  d.function("ip.isCanonical", {{"ip_is_canonical", "(string) bool", ip_is_canonical}});
  d.function("isUnspecified", {{"ip_is_unspecified", "ip.() bool", ip_test<&IpAddress::is_unspecified>}});
  d.function("isLoopback", {{"ip_is_loopback", "ip.() bool", ip_test<&IpAddress::is_loopback>}});
  d.function("isLinkLocalMulticast",
             {{"ip_is_link_local_multicast", "ip.() bool", ip_test<&IpAddress::is_link_local_multicast>}});
  d.function("isLinkLocalUnicast",
             {{"ip_is_link_local_unicast", "ip.() bool", ip_test<&IpAddress::is_link_local_unicast>}});
  d.function("isGlobalUnicast",
             {{"ip_is_global_unicast", "ip.() bool", ip_test<&IpAddress::is_global_unicast>}});
  d.function("isIP", {{"is_ip", "(string) bool", is_ip}});
  d.function("string", {{"ip_to_string", "(ip) string", ip_text}});
  d.function("cidr", {{"string_to_cidr", "(string) cidr", to_cidr}});
  d.function("containsIP", {{"cidr_contains_ip_string", "cidr.(string) bool", cidr_contains_ip},
                            {"cidr_contains_ip_ip", "cidr.(ip) bool", cidr_contains_ip}});
  d.function("containsCIDR", {{"cidr_contains_cidr_string", "cidr.(string) bool", cidr_contains_cidr},
                              {"cidr_contains_cidr", "cidr.(cidr) bool", cidr_contains_cidr}});
  d.function("ip", {{"cidr_ip", "cidr.() ip", cidr_ip}});
  d.function("prefixLength", {{"cidr_prefix_length", "cidr.() int", cidr_length}});
  d.function("masked", {{"cidr_masked", "cidr.() cidr", cidr_masked}});
  d.function("isCIDR", {{"is_cidr", "(string) bool", is_cidr}});
  d.function("string", {{"cidr_to_string", "(cidr) string", cidr_text}});
}

}  // namespace etiage::cel
