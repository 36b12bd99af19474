#pragma once
// The tokens of exposition text as Prometheus's own scanners cut them (model/textparse of v0.316), with their
// habits: what they take for a comment, where they pass over NUL bytes, where a blank is allowed. Only for
// strict reading.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace etiage::formats::text {

enum class ExpositionFormat : std::uint8_t { kText, kOpenMetrics };

enum class Token : std::uint8_t {
  kInvalid,
  kEnd,
  kEofWord,
  kLinebreak,
  kBlank,
  kComment,
  kHelp,
  kType,
  kUnit,
  kMetricName,
  kText,
  kBraceOpen,
  kBraceClose,
  kLabelName,
  kQuoted,
  kEqual,
  kLabelValue,
  kComma,
  kValue,
  kTimestamp,
};

std::string_view to_string(Token token);

/// Both scanners are machines of a few states; `text` of the text format must end with a line feed.
class ExpositionLexer {
 public:
  ExpositionLexer(std::string_view text, ExpositionFormat format) : text_(text), format_(format) {}

  Token next() { return format_ == ExpositionFormat::kText ? next_of_text() : next_of_openmetrics(); }

  /// The bytes of the last token; after kInvalid, what was looked at before giving up.
  std::string_view token() const { return text_.substr(start_, at_ - start_); }
  std::size_t start() const { return start_; }
  std::size_t end() const { return at_; }

 private:
  enum class State : std::uint8_t {
    kInit,
    kComment,
    kMeta,
    kMetaText,
    kLabels,
    kLabelValue,
    kValue,
    kTimestamp,
    kExemplar,
    kExemplarValue,
    kExemplarTimestamp,
  };

  Token next_of_text();
  Token text_init();
  Token text_comment();
  Token text_meta();
  Token text_meta_text();
  Token text_labels();
  Token text_value();
  Token text_timestamp();
  Token rest_of_comment();

  Token next_of_openmetrics();
  Token om_init();
  Token om_comment();
  Token om_keyword(std::string_view word, Token token);
  Token om_meta_text();
  Token om_labels();
  Token om_word_after_blank(Token token, State then);
  Token om_timestamp();
  Token om_exemplar_value();
  Token om_exemplar_timestamp();

  Token meta_name();
  Token quoted(Token token, State then, bool line_feeds);
  Token single(Token token, State then);
  Token blanks();
  Token name(bool colons, Token token, State then);
  bool word(std::string_view rest);
  unsigned char current() const { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : 0; }
  unsigned char advance();

  std::string_view text_;
  ExpositionFormat format_;
  State state_ = State::kInit;
  std::size_t start_ = 0;
  std::size_t at_ = 0;
};

}  // namespace etiage::formats::text
