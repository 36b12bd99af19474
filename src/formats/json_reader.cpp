#include "formats/json_reader.h"

#include <fmt/format.h>

#include "base/utf8.h"
#include "formats/json_text.h"

namespace etiage::formats {
namespace {

using Kind = JsonToken::Kind;
using Fault = JsonFault::Kind;

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
         c == '.' || c == '_';
}

std::string shown(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte >= 0x7f ? fmt::format("byte 0x{:02x}", byte) : fmt::format("`{}`", c);
}

}  // namespace

std::string to_string(const JsonFault& fault) {
  return fmt::format("line {}, column {}: {}", fault.line, fault.column, fault.message);
}

Error as_error(const JsonFault& fault, const std::string& file) {
  Error error{fault.message, {file, fault.line, fault.column, ""}, ""};
  if (fault.kind == Fault::kTruncated) error.hint = "the file is cut off: fetch it again";
  if (fault.kind == Fault::kNotFinite) error.hint = "JSON has no such number: write null, or a string";
  return error;
}

JsonReader::JsonReader(JsonVisitor& visitor, JsonStart start)
    : visitor_(visitor),
      chunk_offset_(start.offset),
      offset_(start.offset),
      line_(start.line),
      line_begin_(start.offset) {}

void JsonReader::fail(Fault kind, std::string message) {
  if (!running()) return;
  faulty_ = true;
  fault_ = {kind, std::move(message), line_, static_cast<int>(offset_ - line_begin_) + 1, offset_};
}

void JsonReader::emit(Kind kind, std::string_view text) {
  const JsonToken token{kind,         text,   line_, static_cast<int>(token_begin_ - line_begin_) + 1,
                        token_begin_, offset_};
  if (running() && !visitor_.token(token)) stopped_ = true;
}

bool JsonReader::feed(std::string_view chunk) {
  std::size_t at = skip_mark(chunk);
  while (at < chunk.size() && running()) {
    offset_ = chunk_offset_ + at;
    switch (inside_) {
      case Inside::kNothing:
        begin_token(chunk, at);
        break;
      case Inside::kString:
        in_string(chunk, at);
        break;
      case Inside::kWord:
        in_word(chunk, at);
        break;
    }
  }
  chunk_offset_ += chunk.size();
  return running();
}

std::size_t JsonReader::skip_mark(std::string_view chunk) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  std::size_t at = 0;
  for (; at < chunk.size() && mark_ < kMark.size(); ++at) {
    if (chunk[at] == kMark[mark_]) {
      ++mark_;
      continue;
    }
    if (mark_ > 0) fail(Fault::kSyntax, "the text begins with a part of a byte order mark");
    mark_ = kMark.size();
    break;
  }
  return at;
}

bool JsonReader::finish() {
  offset_ = chunk_offset_;
  if (mark_ == 1 || mark_ == 2) fail(Fault::kSyntax, "the text ends inside a byte order mark");
  if (running() && inside_ == Inside::kWord && open_.empty()) {
    inside_ = Inside::kNothing;
    word_done(carry_);
    offset_ = chunk_offset_;
  }
  if (inside_ == Inside::kString) fail(Fault::kTruncated, "the text ends inside a string");
  if (!open_.empty())
    fail(Fault::kTruncated,
         fmt::format("the text ends inside an {}", open_.back() == '{' ? "object" : "array"));
  return !faulty_;
}

void JsonReader::skip_space(std::string_view chunk, std::size_t& at) {
  for (; at < chunk.size() && is_space(chunk[at]); ++at)
    if (chunk[at] == '\n') {
      ++line_;
      line_begin_ = chunk_offset_ + at + 1;
    }
  offset_ = chunk_offset_ + at;
}

void JsonReader::begin_token(std::string_view chunk, std::size_t& at) {
  skip_space(chunk, at);
  if (at == chunk.size()) return;
  const char c = chunk[at];
  token_begin_ = offset_;
  const bool key_due = expect_ == Expect::kKey || expect_ == Expect::kKeyOrEnd;
  if (c == '"' && (key_due || may_begin_value())) {
    inside_ = Inside::kString;
    carry_.clear();
    ++at;
  } else if (is_word(c) && may_begin_value()) {
    inside_ = Inside::kWord;
    carry_.clear();
  } else {
    punctuation(c);
    ++at;
  }
}

bool JsonReader::may_begin_value() const {
  return expect_ == Expect::kDocument || expect_ == Expect::kValue || expect_ == Expect::kValueOrEnd;
}

void JsonReader::punctuation(char c) {
  ++offset_;  // tokens end after their bracket
  if ((c == '{' || c == '[') && may_begin_value()) return open(c);
  if (c == '}' && (expect_ == Expect::kKeyOrEnd || (expect_ == Expect::kCommaOrEnd && open_.back() == '{')))
    return close(c);
  if (c == ']' && (expect_ == Expect::kValueOrEnd || (expect_ == Expect::kCommaOrEnd && open_.back() == '[')))
    return close(c);
  if (c == ':' && expect_ == Expect::kColon) {
    expect_ = Expect::kValue;
    return;
  }
  if (c == ',' && expect_ == Expect::kCommaOrEnd) {
    expect_ = open_.back() == '{' ? Expect::kKey : Expect::kValue;
    return;
  }
  --offset_;
  const char* due = "a value";
  switch (expect_) {
    case Expect::kKey:
      due = "a key in double quotes";
      break;
    case Expect::kKeyOrEnd:
      due = "a key in double quotes or `}`";
      break;
    case Expect::kColon:
      due = "`:`";
      break;
    case Expect::kCommaOrEnd:
      due = open_.back() == '{' ? "`,` or `}`" : "`,` or `]`";
      break;
    case Expect::kValueOrEnd:
      due = "a value or `]`";
      break;
    case Expect::kDocument:
      due = "a JSON value";
      break;
    case Expect::kValue:
      break;
  }
  fail(Fault::kSyntax, fmt::format("{} where {} is due", shown(c), due));
}

void JsonReader::open(char bracket) {
  if (open_.size() == kMaxDepth)
    return fail(Fault::kTooDeep, fmt::format("nested deeper than {} levels", kMaxDepth));
  open_ += bracket;
  expect_ = bracket == '{' ? Expect::kKeyOrEnd : Expect::kValueOrEnd;
  emit(bracket == '{' ? Kind::kBeginObject : Kind::kBeginArray);
}

void JsonReader::close(char bracket) {
  open_.pop_back();
  after_value();
  emit(bracket == '}' ? Kind::kEndObject : Kind::kEndArray);
}

void JsonReader::after_value() {
  expect_ = open_.empty() ? Expect::kDocument : Expect::kCommaOrEnd;
}

void JsonReader::in_string(std::string_view chunk, std::size_t& at) {
  const std::size_t first = at;
  for (; at < chunk.size(); ++at) {
    const char c = chunk[at];
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      break;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      offset_ = chunk_offset_ + at;
      return fail(Fault::kSyntax,
                  c == '\n' ? "a line ends inside a string" : fmt::format("{} inside a string", shown(c)));
    }
  }
  const std::string_view part = chunk.substr(first, at - first);
  if (at == chunk.size()) {
    carry_ += part;
    return;
  }
  ++at;
  offset_ = chunk_offset_ + at;
  inside_ = Inside::kNothing;
  if (carry_.empty()) return string_done(part);
  carry_ += part;
  string_done(carry_);
}

void JsonReader::string_done(std::string_view raw) {
  const std::size_t end = offset_;
  if (!is_utf8(raw)) {
    offset_ = token_begin_;
    return fail(Fault::kEncoding, "a string that is not UTF-8");
  }
  std::string_view text = raw;
  if (raw.contains('\\')) {
    if (!unescape(raw)) return;
    text = decoded_;
  }
  offset_ = end;
  if (expect_ == Expect::kKey || expect_ == Expect::kKeyOrEnd) {
    expect_ = Expect::kColon;
    return emit(Kind::kKey, text);
  }
  after_value();
  emit(Kind::kString, text);
}

bool JsonReader::unescape(std::string_view raw) {
  const auto unknown = decode_json_string(raw, decoded_);
  if (!unknown) return true;
  offset_ = token_begin_;
  fail(Fault::kSyntax, fmt::format("unknown escape `\\{}` in a string",
                                   is_word(*unknown) ? std::string(1, *unknown) : shown(*unknown)));
  return false;
}

void JsonReader::in_word(std::string_view chunk, std::size_t& at) {
  const std::size_t first = at;
  while (at < chunk.size() && is_word(chunk[at])) ++at;
  const std::string_view part = chunk.substr(first, at - first);
  if (at == chunk.size()) {
    carry_ += part;  // the word may go on in the next chunk
    return;
  }
  offset_ = chunk_offset_ + at;
  inside_ = Inside::kNothing;
  if (carry_.empty()) return word_done(part);
  carry_ += part;
  word_done(carry_);
}

void JsonReader::word_done(std::string_view word) {
  const bool number = is_json_number(word);
  if (number || word == "true" || word == "false" || word == "null") {
    after_value();
    return emit(number            ? Kind::kNumber
                : word == "true"  ? Kind::kTrue
                : word == "false" ? Kind::kFalse
                                  : Kind::kNull,
                word);
  }
  offset_ = token_begin_;
  const std::string text(word.substr(0, 40));
  if (is_not_finite(word)) return fail(Fault::kNotFinite, fmt::format("`{}` is no JSON number", text));
  const bool meant_number =
      is_digit(word.front()) || word.front() == '-' || word.front() == '+' || word.front() == '.';
  fail(Fault::kSyntax,
       meant_number ? fmt::format("malformed number `{}`", text) : fmt::format("unknown word `{}`", text));
}

std::expected<void, JsonFault> read_json(std::string_view text, JsonVisitor& visitor) {
  JsonReader reader(visitor);
  reader.feed(text);
  reader.finish();
  if (const JsonFault* fault = reader.fault()) return std::unexpected(*fault);
  return {};
}

}  // namespace etiage::formats
