// The types that Kubernetes adds: quantities, versions, URLs, addresses, named formats.

#include <fmt/format.h>

#include "engines/cel/go_text.h"
#include "engines/cel/library.h"
#include "engines/cel/named_format.h"
#include "engines/cel/quantity_form.h"

namespace etiage::cel {
namespace {

Value failed(const Error& error) {
  return Value::error(error.message);
}

// --- quantity
// -------------------------------------------------------------------------------------------------------

Value to_quantity(Args args) {
  const auto q = Quantity::parse(args[0].text());
  return q ? make_quantity(*q, form_of(args[0].text())) : failed(q.error());
}
Value is_quantity(Args args) {
  return Value::boolean(Quantity::parse(args[0].text()).has_value());
}

/// The whole number that it is, as apimachinery finds it: nothing where it was written with a fraction or
/// with more digits than its short form holds.
std::optional<std::int64_t> whole(const Value& v) {
  const QuantityForm form = form_of(v);
  if (form.wide || form.scale < 0) return std::nullopt;
  const Quantity::Nano units = v.as_quantity().nano() / 1'000'000'000;
  if (units > std::numeric_limits<std::int64_t>::max() || units < std::numeric_limits<std::int64_t>::min()) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(units);
}
Value quantity_sign(Args args) {
  return Value::integer(args[0].as_quantity().sign());
}
Value quantity_as_integer(Args args) {
  const auto n = whole(args[0]);
  return n ? Value::integer(*n) : Value::error("cannot convert value to integer");
}
Value quantity_is_integer(Args args) {
  return Value::boolean(whole(args[0]).has_value());
}
Value quantity_as_float(Args args) {
  return Value::number(args[0].as_quantity().as_double());
}
Value quantity_greater(Args args) {
  return Value::boolean(args[0].as_quantity() > args[1].as_quantity());
}
Value quantity_less(Args args) {
  return Value::boolean(args[0].as_quantity() < args[1].as_quantity());
}
Value quantity_compare(Args args) {
  const auto order = args[0].as_quantity() <=> args[1].as_quantity();
  return Value::integer(order < 0 ? -1 : order > 0 ? 1 : 0);
}
Quantity second_quantity(Args args) {
  return args[1].is(Kind::kInt) ? Quantity::units(args[1].as_int()) : args[1].as_quantity();
}

/// How apimachinery keeps a sum: in its short form as long as all three fit it at the finer of the scales.
QuantityForm form_of_sum(const Quantity& a, QuantityForm fa, const Quantity& b, QuantityForm fb,
                         const Quantity& sum) {
  if (fa.wide || fb.wide) return {0, true};
  if (b.is_zero()) return fa;
  if (a.is_zero()) return fb;
  const int scale = std::min(fa.scale, fb.scale);
  Quantity::Nano unit = 1;
  for (int i = -9; i < std::min(scale, 18); ++i) unit *= 10;
  const auto fits = [&](const Quantity& q) {
    const Quantity::Nano n = q.nano() / unit;
    return n <= std::numeric_limits<std::int64_t>::max() && n >= std::numeric_limits<std::int64_t>::min();
  };
  if (fits(a) && fits(b) && fits(sum)) return {scale, false};
  return {0, true};
}

/// In older releases a wide left side shares its digits with the sum.
template <bool shares, int sign>
Value quantity_sum(Args args) {
  const Quantity a = args[0].as_quantity(), b = second_quantity(args);
  const Quantity sum = sign > 0 ? a + b : a - b;
  const QuantityForm fa = form_of(args[0]);
  const QuantityForm form =
      form_of_sum(a, fa, b, args[1].is(Kind::kInt) ? QuantityForm() : form_of(args[1]), sum);
  return shares && fa.wide ? change_quantity(args[0], sum, form) : make_quantity(sum, form, true);
}

void declare_quantity(Declarations& d, bool shares) {
  d.function("quantity", {{"string_to_quantity", "(string) quantity", to_quantity}});
  d.function("isQuantity", {{"is_quantity_string", "(string) bool", is_quantity}});
  d.function("sign", {{"quantity_sign", "(quantity) int", quantity_sign}});
  d.function("isGreaterThan", {{"quantity_is_greater_than", "quantity.(quantity) bool", quantity_greater}});
  d.function("isLessThan", {{"quantity_is_less_than", "quantity.(quantity) bool", quantity_less}});
  d.function("compareTo", {{"quantity_compare_to", "quantity.(quantity) int", quantity_compare}});
  d.function("asApproximateFloat", {{"quantity_get_float", "quantity.() double", quantity_as_float}});
  d.function("asInteger", {{"quantity_get_int", "quantity.() int", quantity_as_integer}});
  d.function("isInteger", {{"quantity_is_integer", "quantity.() bool", quantity_is_integer}});
  const Compute add = shares ? quantity_sum<true, 1> : quantity_sum<false, 1>;
  const Compute subtract = shares ? quantity_sum<true, -1> : quantity_sum<false, -1>;
  d.function("add", {{"quantity_add", "quantity.(quantity) quantity", add},
                     {"quantity_add_int", "quantity.(int) quantity", add}});
  d.function("sub", {{"quantity_sub", "quantity.(quantity) quantity", subtract},
                     {"quantity_sub_int", "quantity.(int) quantity", subtract}});
}

// --- semver
// ---------------------------------------------------------------------------------------------------------

Result<Semver> parse_semver(Args args) {
  const bool normalize = args.size() == 2 && args[1].as_bool();
  return normalize ? Semver::parse_normalized(args[0].text()) : Semver::parse(args[0].text());
}
Value to_semver(Args args) {
  auto v = parse_semver(args);
  return v ? Value::semver(std::move(*v)) : failed(v.error());
}
Value is_semver(Args args) {
  return Value::boolean(parse_semver(args).has_value());
}
Value semver_major(Args args) {
  return Value::integer(static_cast<std::int64_t>(args[0].as_semver().major));
}
Value semver_minor(Args args) {
  return Value::integer(static_cast<std::int64_t>(args[0].as_semver().minor));
}
Value semver_patch(Args args) {
  return Value::integer(static_cast<std::int64_t>(args[0].as_semver().patch));
}
Value semver_greater(Args args) {
  return Value::boolean(args[0].as_semver().order(args[1].as_semver()) > 0);
}
Value semver_less(Args args) {
  return Value::boolean(args[0].as_semver().order(args[1].as_semver()) < 0);
}
Value semver_compare(Args args) {
  const auto order = args[0].as_semver().order(args[1].as_semver());
  return Value::integer(order < 0 ? -1 : order > 0 ? 1 : 0);
}

void declare_semver(Declarations& d) {
  d.function("semver", {{"string_to_semver", "(string) semver", to_semver},
                        {"string_bool_to_semver", "(string, bool) semver", to_semver}});
  d.function("isSemver", {{"is_semver_string", "(string) bool", is_semver},
                          {"is_semver_string_bool", "(string, bool) bool", is_semver}});
  d.function("isGreaterThan", {{"semver_is_greater_than", "semver.(semver) bool", semver_greater}});
  d.function("isLessThan", {{"semver_is_less_than", "semver.(semver) bool", semver_less}});
  d.function("compareTo", {{"semver_compare_to", "semver.(semver) int", semver_compare}});
  d.function("major", {{"semver_major", "semver.() int", semver_major}});
  d.function("minor", {{"semver_minor", "semver.() int", semver_minor}});
  d.function("patch", {{"semver_patch", "semver.() int", semver_patch}});
}

// --- URL
// ------------------------------------------------------------------------------------------------------------

Value to_url(Args args) {
  auto u = Url::parse(args[0].text());
  return u ? Value::url(std::move(*u))
           : Value::error("URL parse error during conversion from string: " + u.error().message);
}
Value is_url(Args args) {
  return Value::boolean(!Url::check_request(args[0].text()));
}
Value url_scheme(Args args) {
  return Value::string(args[0].as_url().scheme);
}
Value url_host(Args args) {
  return Value::string(args[0].as_url().host);
}
Value url_hostname(Args args) {
  return Value::string(args[0].as_url().hostname());
}
Value url_port(Args args) {
  return Value::string(args[0].as_url().port());
}
Value url_path(Args args) {
  return Value::string(args[0].as_url().escaped_path());
}
Value url_query(Args args) {
  auto map = std::make_unique<MapObject>();
  for (const auto& [name, values] : args[0].as_url().parameters()) {
    std::vector<Value> list;
    for (const auto& v : values) list.push_back(Value::string(v));
    map->put(Value::string(name), Value::list(std::move(list)));
  }
  return make_map(std::move(map));
}

void declare_urls(Declarations& d) {
  d.function("url", {{"string_to_url", "(string) url", to_url}});
  d.function("getScheme", {{"url_get_scheme", "url.() string", url_scheme}});
  d.function("getHost", {{"url_get_host", "url.() string", url_host}});
  d.function("getHostname", {{"url_get_hostname", "url.() string", url_hostname}});
  d.function("getPort", {{"url_get_port", "url.() string", url_port}});
  d.function("getEscapedPath", {{"url_get_escaped_path", "url.() string", url_path}});
  d.function("getQuery", {{"url_get_query", "url.() map(string, list(string))", url_query}});
  d.function("isURL", {{"is_url_string", "(string) bool", is_url}});
}

// --- addresses
// ------------------------------------------------------------------------------------------------------

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
  return a ? Value::ip(*a) : failed(a.error());
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
  return a ? Value::boolean(to_string(*a) == args[0].text()) : failed(a.error());
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

// --- named formats
// --------------------------------------------------------------------------------------------------

template <std::size_t index>
Value format_constant(Args) {
  return Value::format(&named_formats()[index]);
}
template <std::size_t... index>
void declare_format_constants(Declarations& d, std::index_sequence<index...>) {
  (d.function("format." + std::string(named_formats()[index].function),
              std::vector<Declarations::Line>{{"format." + std::string(named_formats()[index].function),
                                               "() format", format_constant<index>}}),
   ...);
}
Value format_named(Args args) {
  const NamedFormat* f = find_named_format(args[0].text());
  return f != nullptr ? Value::optional(Value::format(f)) : Value::optional_none();
}
Value format_validate(Args args) {
  std::vector<Value> faults;
  for (auto& fault : args[0].as_format().faults(args[1].text()))
    faults.push_back(Value::string(std::move(fault)));
  return faults.empty() ? Value::optional_none() : Value::optional(Value::list(std::move(faults)));
}

/// Declared where no authorizer is, so that only that is an error.
void declare_authorization(Declarations& d) {
  d.function("path", {{"authorizer_path", "authorizer.(string) path_check"}});
  d.function("group", {{"authorizer_group", "authorizer.(string) group_check"}});
  d.function("serviceAccount", {{"authorizer_serviceaccount", "authorizer.(string, string) authorizer"}});
  d.function("resource", {{"groupcheck_resource", "group_check.(string) resource_check"}});
  d.function("subresource", {{"resourcecheck_subresource", "resource_check.(string) resource_check"}});
  d.function("namespace", {{"resourcecheck_namespace", "resource_check.(string) resource_check"}});
  d.function("name", {{"resourcecheck_name", "resource_check.(string) resource_check"}});
  d.function("check", {{"pathcheck_check", "path_check.(string) decision"},
                       {"resourcecheck_check", "resource_check.(string) decision"}});
  d.function("errored", {{"decision_errored", "decision.() bool"}});
  d.function("error", {{"decision_error", "decision.() string"}});
  d.function("allowed", {{"decision_allowed", "decision.() bool"}});
  d.function("reason", {{"decision_reason", "decision.() string"}});
  d.function("fieldSelector", {{"authorizer_fieldselector", "resource_check.(string) resource_check"}});
  d.function("labelSelector", {{"authorizer_labelselector", "resource_check.(string) resource_check"}});
}

}  // namespace

void declare_kubernetes(Declarations& d, const LibraryOptions& options) {
  // The releases that share digits are those with this.
  declare_quantity(d, options.int_to_duration);
  declare_authorization(d);
  declare_urls(d);
  declare_addresses(d);
  declare_semver(d);
  declare_format_constants(d, std::make_index_sequence<13>());
  d.function("validate", {{"format-validate", "format.(string) optional(list(string))", format_validate}});
  d.function("format.named", {{"format-named", "(string) optional(format)", format_named}});
}

}  // namespace etiage::cel
