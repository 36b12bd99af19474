#pragma once
// JSON as a stream of tokens (RFC 8259, strict): no tree, no recursion, input in chunks of any size.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace etiage::formats {

struct JsonToken {
  enum class Kind {
    kBeginObject,
    kEndObject,
    kBeginArray,
    kEndArray,
    kKey,
    kString,
    kNumber,
    kTrue,
    kFalse,
    kNull
  };

  Kind kind = Kind::kNull;
  std::string_view text;  ///< decoded string or key, or the number as written; lives only as long as the call
  int line = 0;           ///< from 1
  int column = 0;         ///< from 1, in bytes
  std::size_t begin = 0;  ///< byte range in the whole input
  std::size_t end = 0;
};

class JsonVisitor {
 public:
  virtual ~JsonVisitor() = default;
  /// False stops the reading: what follows is not looked at, and that is no fault.
  virtual bool token(const JsonToken& token) = 0;
};

/// Where a reader begins to count; for texts that are read from their middle.
struct JsonStart {
  std::size_t offset = 0;
  int line = 1;
};

/// Why and where the reading ended before its time.
struct JsonFault {
  enum class Kind { kSyntax, kTruncated, kEncoding, kNotFinite, kTooDeep };
  Kind kind = Kind::kSyntax;
  std::string message;
  int line = 0;
  int column = 0;
  std::size_t offset = 0;
};

std::string to_string(const JsonFault& fault);  ///< `line 3, column 7: message`
Error as_error(const JsonFault& fault, const std::string& file);

/// Reads one value, or any number of values one after another (JSON Lines, concatenated JSON). A string or
/// key must be UTF-8; a lone surrogate escape becomes U+FFFD, as in Go.
///
///     JsonReader reader(visitor);
///     for (chunk : chunks) if (!reader.feed(chunk)) break;
///     if (!reader.finish()) report(*reader.fault());
class JsonReader {
 public:
  static constexpr std::size_t kMaxDepth = 200;

  explicit JsonReader(JsonVisitor& visitor, JsonStart start = {});

  /// False where nothing more is wanted: a fault, or the visitor has had enough.
  bool feed(std::string_view chunk);
  /// The input ends here. False where there is a fault.
  bool finish();

  const JsonFault* fault() const { return faulty_ ? &fault_ : nullptr; }
  bool stopped() const { return stopped_; }
  /// Open objects and arrays.
  std::size_t depth() const { return open_.size(); }

 private:
  enum class Expect { kDocument, kValue, kValueOrEnd, kKey, kKeyOrEnd, kColon, kCommaOrEnd };
  enum class Inside { kNothing, kString, kWord };

  bool running() const { return !faulty_ && !stopped_; }
  void fail(JsonFault::Kind kind, std::string message);
  void emit(JsonToken::Kind kind, std::string_view text = {});
  /// How much of the chunk belongs to a byte order mark that the text begins with.
  std::size_t skip_mark(std::string_view chunk);
  void skip_space(std::string_view chunk, std::size_t& at);
  void begin_token(std::string_view chunk, std::size_t& at);
  void punctuation(char c);
  void open(char bracket);
  void close(char bracket);
  void after_value();
  bool may_begin_value() const;
  void in_string(std::string_view chunk, std::size_t& at);
  void in_word(std::string_view chunk, std::size_t& at);
  void string_done(std::string_view raw);
  void word_done(std::string_view word);
  bool unescape(std::string_view raw);

  JsonVisitor& visitor_;
  std::string open_;  ///< the brackets that are open
  Expect expect_ = Expect::kDocument;
  Inside inside_ = Inside::kNothing;
  bool escaped_ = false;  ///< inside a string, after a backslash
  bool faulty_ = false;
  bool stopped_ = false;
  std::size_t mark_ = 0;  ///< bytes of a byte order mark read at the start; all of them: it is over
  std::string carry_;     ///< the part of a token that came with earlier chunks
  std::string decoded_;
  std::size_t chunk_offset_;  ///< of the chunk's first byte in the input
  std::size_t offset_;        ///< of what is being looked at
  std::size_t token_begin_ = 0;
  int line_;
  std::size_t line_begin_;
  JsonFault fault_;
};

/// The whole text at once. Nothing: read to the end, or stopped by the visitor.
std::expected<void, JsonFault> read_json(std::string_view text, JsonVisitor& visitor);

}  // namespace etiage::formats
