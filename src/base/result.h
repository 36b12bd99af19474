#pragma once
// Base: the words every other room is written in (money, times, quantities, errors, text trees).
// This header: how a function says that its input was wrong.

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace etiage {

/// Where in the input something stands. `line` and `column` count from 1; 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
  std::string path;  ///< inside an object, as in `spec.devices[0].name`

  bool operator==(const Place&) const = default;
};

/// `file:line:column: path`, leaving out what is unknown.
std::string to_string(const Place& place);

/// Why an input could not be used: what, where, and how to mend it.
struct Error {
  std::string message;
  Place place = {};
  std::string hint = {};

  bool operator==(const Error&) const = default;
};

/// One line for a person: `where: what (hint)`.
std::string to_string(const Error& error);

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> failure(std::string message, Place place = {}, std::string hint = {}) {
  return std::unexpected(Error{std::move(message), std::move(place), std::move(hint)});
}

}  // namespace etiage
