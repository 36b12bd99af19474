#pragma once
// URLs as Go's net/url reads and writes them.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace etiage::cel {

struct Url {
  struct User {
    std::string name;
    std::optional<std::string> password;
  };
  std::string scheme, opaque, host, path, raw_path, query, fragment;
  std::optional<User> user;
  bool omit_host = false;
  bool force_query = false;

  /// url.ParseRequestURI, then url.Parse; the error of whichever refuses.
  static Result<Url> parse(std::string_view text);
  /// Whether url.ParseRequestURI takes it, or its error.
  static std::optional<Error> check_request(std::string_view text);

  std::string hostname() const;
  std::string port() const;
  std::string escaped_path() const;
  std::map<std::string, std::vector<std::string>> parameters() const;
};

std::string to_string(const Url& u);

}  // namespace etiage::cel
