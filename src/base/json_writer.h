#pragma once
// Writes JSON in the order it is told, the same bytes for the same calls.

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/money.h"

namespace etiage {

/// Text as a JSON string with quotes; bytes that are not UTF-8 become U+FFFD.
std::string json_quoted(std::string_view text);
/// The shortest text that reads back as the same double; `null` for NaN and infinities.
std::string json_number(double value);

/// A stream of tokens with the commas, and (if `indent` > 0) the line breaks, put in.
/// Misuse (a value where a key is due) is our own mistake and asserted.
class JsonWriter {
 public:
  explicit JsonWriter(int indent = 2) : indent_(indent) {}

  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(std::same_as<bool> auto flag) { return raw(flag ? "true" : "false"); }
  JsonWriter& value(std::integral auto number)
    requires(!std::same_as<decltype(number), bool>)
  {
    return raw(std::to_string(number));
  }
  JsonWriter& value(Money amount) { return raw(to_string(amount)); }
  JsonWriter& value(HourlyPrice price) { return raw(to_string(price)); }
  JsonWriter& value(Instant t) { return value(to_string(t)); }
  /// A list of them.
  JsonWriter& value(const std::vector<std::string>& texts);
  JsonWriter& null() { return raw("null"); }
  /// A token that is JSON already.
  JsonWriter& raw(std::string_view token);

  template <class T>
  JsonWriter& member(std::string_view name, const T& v) {
    return key(name).value(v);
  }

  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  struct Level {
    bool array;
    bool empty = true;
  };
  void before_value();
  void line_break();
  JsonWriter& close(char bracket);

  std::string out_;
  std::vector<Level> levels_;
  int indent_;
  bool after_key_ = false;
};

}  // namespace etiage
