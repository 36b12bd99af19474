#include "formats/gateway/json_words.h"

namespace etiage::formats {

using Kind = JsonToken::Kind;

bool JsonWords::token(const JsonToken& t) {
  switch (t.kind) {
    case Kind::kBeginObject:
    case Kind::kBeginArray:
      levels_.push_back(path_.size());
      break;
    case Kind::kEndObject:
    case Kind::kEndArray:
      path_.resize(levels_.back());
      levels_.pop_back();
      break;
    case Kind::kKey:
      path_.resize(levels_.back());
      if (!says_nothing(t.text)) path_ += plain_name(t.text);
      break;
    case Kind::kString:
    case Kind::kNumber:
      scalar(t.text);
      break;
    case Kind::kTrue:
      scalar("true");
      break;
    case Kind::kFalse:
    case Kind::kNull:
      break;
  }
  return true;
}

void JsonWords::scalar(std::string_view text) {
  if (path_ == "metadata" && text.starts_with('{')) {
    read_words(text, path_, words_);
  } else if (const auto name = gateway_name(path_)) {
    words_.set(*name, text);
  }
}

void read_words(std::string_view json, std::string around, GatewayWords& words) {
  JsonWords visitor(words, std::move(around));
  static_cast<void>(read_json(json, visitor));
}

}  // namespace etiage::formats
