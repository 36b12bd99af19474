#include "formats/text/exposition_lexer.h"

namespace etiage::formats::text {
namespace {

constexpr bool is_letter(unsigned char c) {
  return (c | 0x20) >= 'a' && (c | 0x20) <= 'z' && c < 0x80;
}
constexpr bool is_digit(unsigned char c) {
  return c >= '0' && c <= '9';
}
constexpr bool starts_name(unsigned char c, bool colons) {
  return is_letter(c) || c == '_' || (colons && c == ':');
}
constexpr bool is_blank(unsigned char c) {
  return c == ' ' || c == '\t';
}

}  // namespace

std::string_view to_string(Token token) {
  switch (token) {
    case Token::kInvalid:
      return "something else";
    case Token::kEnd:
      return "the end";
    case Token::kEofWord:
      return "# EOF";
    case Token::kLinebreak:
      return "a line break";
    case Token::kBlank:
      return "a blank";
    case Token::kComment:
      return "a comment";
    case Token::kHelp:
      return "HELP";
    case Token::kType:
      return "TYPE";
    case Token::kUnit:
      return "UNIT";
    case Token::kMetricName:
      return "a metric name";
    case Token::kText:
      return "text";
    case Token::kBraceOpen:
      return "an opening brace";
    case Token::kBraceClose:
      return "a closing brace";
    case Token::kLabelName:
      return "a label name";
    case Token::kQuoted:
      return "a quoted text";
    case Token::kEqual:
      return "an equal sign";
    case Token::kLabelValue:
      return "a label value";
    case Token::kComma:
      return "a comma";
    case Token::kValue:
      return "a value";
    case Token::kTimestamp:
      return "a timestamp";
  }
  return "";
}

/// The next byte, 0 at the end. The scanners step over NUL bytes where those are allowed: in label values,
/// help texts and comments, also right behind a closing quote.
unsigned char ExpositionLexer::advance() {
  ++at_;
  if (state_ == State::kLabelValue || state_ == State::kMetaText || state_ == State::kComment)
    while (at_ < text_.size() && text_[at_] == '\0') ++at_;
  if (at_ >= text_.size()) at_ = text_.size();
  return current();
}

Token ExpositionLexer::single(Token token, State then) {
  advance();
  state_ = then;
  return token;
}

Token ExpositionLexer::blanks() {
  while (is_blank(current())) advance();
  return Token::kBlank;
}

Token ExpositionLexer::name(bool colons, Token token, State then) {
  while (starts_name(current(), colons) || is_digit(current())) advance();
  state_ = then;
  return token;
}

/// `"...\"..."`: a backslash takes one byte with it, never a line feed.
Token ExpositionLexer::quoted(Token token, State then, bool line_feeds) {
  for (unsigned char c = advance(); c != '"'; c = advance()) {
    if (c == '\\' && (c = advance()) == '\n') return Token::kInvalid;
    if (c == 0 || (c == '\n' && !line_feeds)) return Token::kInvalid;
  }
  return single(token, then);
}

/// Whether `rest` follows; stops at the byte that differs.
bool ExpositionLexer::word(std::string_view rest) {
  for (const char want : rest) {
    if (current() != static_cast<unsigned char>(want)) return false;
    advance();
  }
  return true;
}

Token ExpositionLexer::meta_name() {
  if (current() == '"') return quoted(Token::kMetricName, State::kMetaText, true);
  if (starts_name(current(), true)) return name(true, Token::kMetricName, State::kMetaText);
  return Token::kInvalid;
}

// The text format
// ------------------------------------------------------------------------------------------------

Token ExpositionLexer::next_of_text() {
  if (at_ >= text_.size()) return Token::kEnd;
  start_ = at_;
  switch (state_) {
    case State::kInit:
      return text_init();
    case State::kComment:
      return text_comment();
    case State::kMeta:
      return text_meta();
    case State::kMetaText:
      return text_meta_text();
    case State::kLabels:
      return text_labels();
    case State::kValue:
      return text_value();
    case State::kTimestamp:
      return text_timestamp();
    default:
      break;
  }
  if (is_blank(current())) return blanks();
  return current() == '"' ? quoted(Token::kLabelValue, State::kLabels, true) : Token::kInvalid;
}

Token ExpositionLexer::text_init() {
  const unsigned char c = current();
  if (c == '#') {
    if (!is_blank(advance())) return rest_of_comment();
    blanks();
    state_ = State::kComment;
    return text_comment();
  }
  if (starts_name(c, true)) return name(true, Token::kMetricName, State::kValue);
  if (c == '\n') return single(Token::kLinebreak, State::kInit);
  if (is_blank(c)) return blanks();
  if (c == '{') return single(Token::kBraceOpen, State::kLabels);
  if (c == 0) return single(Token::kEnd, State::kInit);  // a NUL byte between lines ends the text
  return Token::kInvalid;
}

Token ExpositionLexer::text_comment() {
  const bool help = current() == 'H';
  if ((help && word("HELP") && is_blank(current())) || (!help && word("TYPE") && is_blank(current()))) {
    blanks();
    state_ = State::kMeta;
    return help ? Token::kHelp : Token::kType;
  }
  return rest_of_comment();
}

Token ExpositionLexer::rest_of_comment() {
  for (unsigned char c = current();; c = advance()) {
    if (c == 0) return Token::kEnd;
    if (c == '\n') {
      state_ = State::kInit;
      return Token::kComment;
    }
  }
}

Token ExpositionLexer::text_meta() {
  return is_blank(current()) ? blanks() : meta_name();
}

Token ExpositionLexer::text_meta_text() {
  while (is_blank(current())) advance();
  if (at_ > start_ && (current() == '\n' || current() == 0)) return Token::kBlank;
  while (current() != '\n' && current() != 0) advance();
  state_ = State::kInit;
  return Token::kText;
}

Token ExpositionLexer::text_labels() {
  const unsigned char c = current();
  if (c == '"') return quoted(Token::kQuoted, State::kLabels, true);
  if (c == ',') return single(Token::kComma, State::kLabels);
  if (c == '=') return single(Token::kEqual, State::kLabelValue);
  if (c == '}') return single(Token::kBraceClose, State::kValue);
  if (is_blank(c)) return blanks();
  return starts_name(c, false) ? name(false, Token::kLabelName, State::kLabels) : Token::kInvalid;
}

Token ExpositionLexer::text_value() {
  if (is_blank(current())) return blanks();
  if (current() == '{') return single(Token::kBraceOpen, State::kLabels);
  if (current() == '\n' || current() == 0) return Token::kInvalid;
  for (unsigned char c = current(); c != 0 && c != '\n' && c != '{' && !is_blank(c);) c = advance();
  state_ = State::kTimestamp;
  return Token::kValue;
}

Token ExpositionLexer::text_timestamp() {
  if (current() == '\n') return single(Token::kLinebreak, State::kInit);
  if (is_blank(current())) return blanks();
  if (!is_digit(current())) return Token::kInvalid;
  while (is_digit(current())) advance();
  return Token::kTimestamp;
}

// OpenMetrics
// ----------------------------------------------------------------------------------------------------

Token ExpositionLexer::next_of_openmetrics() {
  if (at_ >= text_.size()) return Token::kEnd;
  start_ = at_;
  switch (state_) {
    case State::kInit:
      return om_init();
    case State::kComment:
      return om_comment();
    case State::kMeta:
      return meta_name();
    case State::kMetaText:
      return om_meta_text();
    case State::kLabels:
    case State::kExemplar:
      return om_labels();
    case State::kValue:
      return current() == '{' ? single(Token::kBraceOpen, State::kLabels)
                              : om_word_after_blank(Token::kValue, State::kTimestamp);
    case State::kTimestamp:
      return om_timestamp();
    case State::kExemplarValue:
      return om_exemplar_value();
    case State::kExemplarTimestamp:
      return om_exemplar_timestamp();
    case State::kLabelValue:
      break;
  }
  return current() == '"' ? quoted(Token::kLabelValue, State::kLabels, false) : Token::kInvalid;
}

Token ExpositionLexer::om_init() {
  const unsigned char c = current();
  if (c == '#') {
    if (advance() != ' ') return Token::kInvalid;
    advance();
    state_ = State::kComment;
    return om_comment();
  }
  if (starts_name(c, true)) return name(true, Token::kMetricName, State::kValue);
  return c == '{' ? single(Token::kBraceOpen, State::kLabels) : Token::kInvalid;
}

Token ExpositionLexer::om_comment() {
  switch (current()) {
    case 'E':
      if (!word("EOF")) return Token::kInvalid;
      if (current() == '\n') advance();
      state_ = State::kInit;
      return Token::kEofWord;
    case 'H':
      return om_keyword("HELP ", Token::kHelp);
    case 'T':
      return om_keyword("TYPE ", Token::kType);
    case 'U':
      return om_keyword("UNIT ", Token::kUnit);
    default:
      return Token::kInvalid;
  }
}

Token ExpositionLexer::om_keyword(std::string_view keyword, Token token) {
  if (!word(keyword)) return Token::kInvalid;
  state_ = State::kMeta;
  return token;
}

Token ExpositionLexer::om_meta_text() {
  if (current() != ' ') return Token::kInvalid;
  unsigned char c = advance();
  while (c != 0 && c != '\n') c = advance();
  return c == '\n' ? single(Token::kText, State::kInit) : Token::kInvalid;
}

Token ExpositionLexer::om_labels() {
  const bool exemplar = state_ == State::kExemplar;
  const unsigned char c = current();
  if (c == '"') return quoted(Token::kQuoted, state_, !exemplar);
  if (c == ',') return single(Token::kComma, state_);
  if (c == '=') return single(Token::kEqual, exemplar ? State::kExemplarValue : State::kLabelValue);
  if (c == '}') return single(Token::kBraceClose, exemplar ? State::kExemplarValue : State::kValue);
  return starts_name(c, false) ? name(false, Token::kLabelName, state_) : Token::kInvalid;
}

/// One blank and what follows it up to the next blank or the line's end.
Token ExpositionLexer::om_word_after_blank(Token token, State then) {
  if (current() != ' ') return Token::kInvalid;
  unsigned char c = advance();
  if (c == 0 || c == ' ' || c == '\n') return Token::kInvalid;
  while (c != 0 && c != ' ' && c != '\n') c = advance();
  state_ = then;
  return token;
}

Token ExpositionLexer::om_timestamp() {
  if (current() == '\n') return single(Token::kLinebreak, State::kInit);
  const Token token = om_word_after_blank(Token::kTimestamp, State::kTimestamp);
  if (token != Token::kTimestamp || this->token() != " #" || current() != ' ') return token;
  // ` # {` begins an exemplar.
  return advance() == '{' ? single(Token::kComment, State::kExemplar) : Token::kInvalid;
}

Token ExpositionLexer::om_exemplar_value() {
  if (current() == '"') return quoted(Token::kLabelValue, State::kExemplar, false);
  return om_word_after_blank(Token::kValue, State::kExemplarTimestamp);
}

Token ExpositionLexer::om_exemplar_timestamp() {
  if (current() == '\n') return single(Token::kLinebreak, State::kInit);
  return om_word_after_blank(Token::kTimestamp, State::kExemplarTimestamp);
}

}  // namespace etiage::formats::text
