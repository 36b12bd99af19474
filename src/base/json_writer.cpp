#include "base/json_writer.h"

#include <cassert>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "base/utf8.h"

namespace etiage {

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t n = utf8_length(text);
    const char c = text.front();
    if (n == 0) {
      out += "\\ufffd";
    } else if (n > 1) {
      out += text.substr(0, n);
    } else if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
    text.remove_prefix(n == 0 ? 1 : n);
  }
  return out += '"';
}

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  assert(error == std::errc{});
  return {buffer, end};
}

void JsonWriter::line_break() {
  if (indent_ <= 0) return;
  out_ += '\n';
  out_.append(levels_.size() * static_cast<std::size_t>(indent_), ' ');
}

void JsonWriter::before_value() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (levels_.empty()) return;
  assert(levels_.back().array && "a key is due");
  if (!levels_.back().empty) out_ += ',';
  levels_.back().empty = false;
  line_break();
}

JsonWriter& JsonWriter::key(std::string_view name) {
  assert(!levels_.empty() && !levels_.back().array && !after_key_);
  if (!levels_.back().empty) out_ += ',';
  levels_.back().empty = false;
  line_break();
  out_ += json_quoted(name);
  out_ += indent_ > 0 ? ": " : ":";
  after_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::begin_object() {
  before_value();
  out_ += '{';
  levels_.push_back({false});
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  before_value();
  out_ += '[';
  levels_.push_back({true});
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  assert(!levels_.empty() && !after_key_);
  const bool empty = levels_.back().empty;
  levels_.pop_back();
  if (!empty) line_break();
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  return close('}');
}
JsonWriter& JsonWriter::end_array() {
  return close(']');
}
JsonWriter& JsonWriter::value(std::string_view text) {
  return raw(json_quoted(text));
}
JsonWriter& JsonWriter::value(double number) {
  return raw(json_number(number));
}

JsonWriter& JsonWriter::value(const std::vector<std::string>& texts) {
  begin_array();
  for (const std::string& text : texts) value(text);
  return end_array();
}

JsonWriter& JsonWriter::raw(std::string_view token) {
  before_value();
  out_ += token;
  return *this;
}

}  // namespace etiage
