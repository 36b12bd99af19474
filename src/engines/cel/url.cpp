#include "engines/cel/url.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/cel/go_text.h"
#include "engines/cel/net.h"

namespace etiage::cel {
namespace {

enum class Part { kPath, kHost, kZone, kUser, kQueryValue, kFragment };

bool alphanumeric(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool one_of(unsigned char c, std::string_view set) {
  return set.find(static_cast<char>(c)) != std::string_view::npos;
}

/// RFC 3986 with Go's latitude: which bytes are written as %XX in a part.
bool must_escape(unsigned char c, Part part) {
  if (alphanumeric(c) || one_of(c, "-_.~")) return false;
  switch (part) {
    case Part::kHost:
    case Part::kZone:
      return !one_of(c, "!$&'()*+,;=:[]<>\"");
    case Part::kPath:
      return !one_of(c, "$&+/:=@");
    case Part::kUser:
      return !one_of(c, "$&+,;=");
    case Part::kQueryValue:
      return true;
    case Part::kFragment:
      return !one_of(c, "$&+,/:;=?@!()*");
  }
  return true;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Result<std::string> unescape(std::string_view text, Part part) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%') {
      const auto triple = text.substr(i, 3);
      if (triple.size() < 3 || hex_value(triple[1]) < 0 || hex_value(triple[2]) < 0) {
        return failure("invalid URL escape " + go_quote(triple));
      }
      const auto value = static_cast<unsigned char>(hex_value(triple[1]) << 4 | hex_value(triple[2]));
      const bool bad_host = part == Part::kHost && hex_value(triple[1]) < 8 && triple != "%25";
      const bool bad_zone =
          part == Part::kZone && triple != "%25" && value != ' ' && must_escape(value, Part::kHost);
      if (bad_host || bad_zone) return failure("invalid URL escape " + go_quote(triple));
      out += static_cast<char>(value);
      i += 2;
    } else if (c == '+' && part == Part::kQueryValue) {
      out += ' ';
    } else {
      const auto byte = static_cast<unsigned char>(c);
      if ((part == Part::kHost || part == Part::kZone) && byte < 0x80 && must_escape(byte, part)) {
        return failure("invalid character " + go_quote(text.substr(i, 1)) + " in host name");
      }
      out += c;
    }
  }
  return out;
}

std::string escape(std::string_view text, Part part) {
  std::string out;
  for (const char c : text) {
    if (must_escape(static_cast<unsigned char>(c), part)) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

bool valid_port(std::string_view port) {
  return port.empty() || (port[0] == ':' && std::all_of(port.begin() + 1, port.end(),
                                                        [](char c) { return c >= '0' && c <= '9'; }));
}

Result<std::string> read_bracketed(std::string_view host) {
  const auto close = host.rfind(']');
  if (close == std::string_view::npos) return failure("missing ']' in host");
  const auto port = host.substr(close + 1);
  if (!valid_port(port)) return failure("invalid port " + go_quote(port) + " after host");
  const auto name = host.substr(1, close - 1);
  const auto zone = name.find("%25");
  auto address = unescape(name.substr(0, zone), Part::kHost);
  if (!address) return address;
  if (zone != std::string_view::npos) {
    const auto rest = unescape(name.substr(zone), Part::kZone);
    if (!rest) return rest;
    *address += *rest;
  }
  const auto ip = IpAddress::parse(*address);
  if (!ip) return failure("invalid host: " + ip.error().message);
  if (ip->v4) return failure("invalid IP-literal");
  return "[" + *address + "]" + std::string(port);
}

Result<std::string> read_host(std::string_view scheme, std::string_view host) {
  const auto bracket = host.rfind('[');
  if (bracket != std::string_view::npos && bracket > 0) return failure("invalid IP-literal");
  if (bracket == 0) return read_bracketed(host);
  auto colon = host.find(':');
  if (colon != std::string_view::npos) {
    if (scheme != "http" && scheme != "https") colon = host.rfind(':');
    if (const auto port = host.substr(colon); !valid_port(port)) {
      return failure("invalid port " + go_quote(port) + " after host");
    }
  }
  return unescape(host, Part::kHost);
}

std::optional<Error> read_authority(Url& url, std::string_view authority) {
  const auto at = authority.rfind('@');
  auto host = read_host(url.scheme, at == std::string_view::npos ? authority : authority.substr(at + 1));
  if (!host) return host.error();
  url.host = std::move(*host);
  if (at == std::string_view::npos) return std::nullopt;
  const auto user = authority.substr(0, at);
  const bool valid = std::ranges::all_of(user, [](char c) {
    return alphanumeric(static_cast<unsigned char>(c)) ||
           one_of(static_cast<unsigned char>(c), "-._:~!$&'()*+,;=%@");
  });
  if (!valid) return failure("net/url: invalid userinfo").error();
  const auto colon = user.find(':');
  const auto name = unescape(user.substr(0, colon), Part::kUser);
  if (!name) return name.error();
  url.user = Url::User{*name, {}};
  if (colon == std::string_view::npos) return std::nullopt;
  const auto password = unescape(user.substr(colon + 1), Part::kUser);
  if (!password) return password.error();
  url.user->password = *password;
  return std::nullopt;
}

std::optional<Error> read_scheme(Url& url, std::string_view& rest) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const auto c = static_cast<unsigned char>(rest[i]);
    const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    if (letter) continue;
    if (i == 0 && c == ':') return failure("missing protocol scheme").error();
    if (c == ':') {
      url.scheme = rest.substr(0, i);
      std::ranges::transform(url.scheme, url.scheme.begin(), [](char l) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(l)));
      });
      rest.remove_prefix(i + 1);
      return std::nullopt;
    }
    if (i == 0 || !(alphanumeric(c) || one_of(c, "+-."))) return std::nullopt;
  }
  return std::nullopt;
}

Result<Url> read(std::string_view text, bool via_request) {
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; })) {
    return failure("net/url: invalid control character in URL");
  }
  if (text.empty() && via_request) return failure("empty url");
  Url url;
  if (text == "*") {
    url.path = "*";
    return url;
  }
  std::string_view rest = text;
  if (auto error = read_scheme(url, rest)) return std::unexpected(*error);
  if (rest.ends_with('?') && std::ranges::count(rest, '?') == 1) {
    url.force_query = true;
    rest.remove_suffix(1);
  } else if (const auto mark = rest.find('?'); mark != std::string_view::npos) {
    url.query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  if (!rest.starts_with('/')) {
    if (!url.scheme.empty()) {
      url.opaque = rest;
      return url;
    }
    if (via_request) return failure("invalid URI for request");
    if (rest.substr(0, rest.find('/')).find(':') != std::string_view::npos) {
      return failure("first path segment in URL cannot contain colon");
    }
  }
  const bool has_authority = !url.scheme.empty() || (!via_request && !rest.starts_with("///"));
  if (has_authority && rest.starts_with("//")) {
    std::string_view authority = rest.substr(2);
    const auto slash = authority.find('/');
    rest = slash == std::string_view::npos ? std::string_view{} : authority.substr(slash);
    if (auto error = read_authority(url, authority.substr(0, slash))) return std::unexpected(*error);
  } else if (!url.scheme.empty() && rest.starts_with('/')) {
    url.omit_host = true;
  }
  auto path = unescape(rest, Part::kPath);
  if (!path) return std::unexpected(path.error());
  url.path = std::move(*path);
  if (escape(url.path, Part::kPath) != rest) url.raw_path = rest;
  return url;
}

std::unexpected<Error> parse_error(std::string_view text, const Error& error) {
  return failure(fmt::format("parse {}: {}", go_quote(text), error.message));
}

std::pair<std::string_view, std::string_view> split_port(std::string_view host) {
  std::string_view port;
  if (const auto colon = host.rfind(':'); colon != std::string_view::npos && valid_port(host.substr(colon))) {
    port = host.substr(colon + 1);
    host = host.substr(0, colon);
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {host, port};
}

}  // namespace

std::optional<Error> Url::check_request(std::string_view text) {
  if (auto url = read(text, true); !url) return parse_error(text, url.error()).error();
  return std::nullopt;
}

Result<Url> Url::parse(std::string_view text) {
  if (auto error = check_request(text)) return std::unexpected(*error);
  const auto hash = text.find('#');
  const auto before = text.substr(0, hash);
  auto url = read(before, false);
  if (!url) return parse_error(before, url.error());
  if (hash != std::string_view::npos) {
    auto fragment = unescape(text.substr(hash + 1), Part::kFragment);
    if (!fragment) return parse_error(text, fragment.error());
    url->fragment = std::move(*fragment);
  }
  return url;
}

std::string Url::hostname() const {
  return std::string(split_port(host).first);
}
std::string Url::port() const {
  return std::string(split_port(host).second);
}

std::string Url::escaped_path() const {
  const bool keeps = !raw_path.empty() && std::ranges::all_of(raw_path, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return one_of(byte, "!$&'()*+,;=:@[]%") || !must_escape(byte, Part::kPath);
  });
  if (keeps && unescape(raw_path, Part::kPath) == path) return raw_path;
  return path == "*" ? "*" : escape(path, Part::kPath);
}

std::map<std::string, std::vector<std::string>> Url::parameters() const {
  std::map<std::string, std::vector<std::string>> out;
  std::string_view rest = query;
  while (!rest.empty()) {
    const auto amp = rest.find('&');
    const auto pair = rest.substr(0, amp);
    rest = amp == std::string_view::npos ? std::string_view{} : rest.substr(amp + 1);
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    const auto equals = pair.find('=');
    const auto key = unescape(pair.substr(0, equals), Part::kQueryValue);
    const auto value = unescape(
        equals == std::string_view::npos ? std::string_view{} : pair.substr(equals + 1), Part::kQueryValue);
    if (key && value) out[*key].push_back(*value);
  }
  return out;
}

std::string to_string(const Url& u) {
  std::string out;
  if (!u.scheme.empty()) out = u.scheme + ":";
  if (!u.opaque.empty()) {
    out += u.opaque;
  } else {
    const bool authority = !u.scheme.empty() || !u.host.empty() || u.user;
    if (authority && !(u.omit_host && u.host.empty() && !u.user)) {
      if (!u.host.empty() || !u.path.empty() || u.user) out += "//";
      if (u.user) {
        out += escape(u.user->name, Part::kUser);
        if (u.user->password) out += ":" + escape(*u.user->password, Part::kUser);
        out += "@";
      }
      out += escape(u.host, Part::kHost);
    }
    const std::string path = u.escaped_path();
    if (!path.empty() && path[0] != '/' && !u.host.empty()) out += "/";
    if (out.empty() && path.substr(0, path.find('/')).find(':') != std::string::npos) out += "./";
    out += path;
  }
  if (u.force_query || !u.query.empty()) out += "?" + u.query;
  if (!u.fragment.empty()) out += "#" + escape(u.fragment, Part::kFragment);
  return out;
}

}  // namespace etiage::cel
