#include "formats/gateway/jsonc.h"

#include <utility>

namespace etiage::formats {

void JsoncFilter::code(char c) {
  const bool space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
  if (c == '#') {
    state_ = State::kLineComment;
    return;
  }
  if (c == '/') {
    state_ = State::kSlash;
    return;
  }
  if (c == ',' && !comma_) {
    comma_ = true;
    return;
  }
  if (!space && std::exchange(comma_, false) && c != '}' && c != ']') out_ += ',';
  out_ += c;
  if (c == '"') state_ = State::kString;
}

std::string_view JsoncFilter::pass(std::string_view chunk) {
  out_.clear();
  for (const char c : chunk) {
    switch (state_) {
      case State::kCode:
        code(c);
        break;
      case State::kString:
      case State::kEscape:
        out_ += c;
        if (state_ == State::kEscape || c == '\\')
          state_ = state_ == State::kEscape ? State::kString : State::kEscape;
        else if (c == '"')
          state_ = State::kCode;
        break;
      case State::kSlash:
        if (c == '/' || c == '*') {
          state_ = c == '/' ? State::kLineComment : State::kBlockComment;
        } else {
          out_ += '/';  // no JSON: the reader will say so
          state_ = State::kCode;
          code(c);
        }
        break;
      case State::kLineComment:
        if (c == '\n') out_ += c, state_ = State::kCode;
        break;
      case State::kBlockComment:
      case State::kStar:
        if (c == '\n') out_ += c;
        if (c == '/' && state_ == State::kStar)
          state_ = State::kCode;
        else
          state_ = c == '*' ? State::kStar : State::kBlockComment;
        break;
    }
  }
  return out_;
}

}  // namespace etiage::formats
