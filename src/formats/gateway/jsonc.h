#pragma once
// JSON as people and documentation write it, made strict: comments (`#`, `//`, `/* */`) and commas before a
// closing bracket are taken out. Strict JSON passes unchanged; lines keep their numbers.

#include <string>
#include <string_view>

namespace etiage::formats {

/// For input in chunks of any size; what is left at the end is of no use to a JSON reader.
class JsoncFilter {
 public:
  /// What can be passed on by now; lives until the next call.
  std::string_view pass(std::string_view chunk);

 private:
  enum class State { kCode, kString, kEscape, kSlash, kLineComment, kBlockComment, kStar };

  void code(char c);

  State state_ = State::kCode;
  bool comma_ = false;  ///< read, but not yet known to be followed by a value
  std::string out_;
};

}  // namespace etiage::formats
