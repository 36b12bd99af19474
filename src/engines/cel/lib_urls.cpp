// URLs as values of expressions.

#include "engines/cel/library.h"

namespace etiage::cel {
namespace {

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

}  // namespace

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

}  // namespace etiage::cel
