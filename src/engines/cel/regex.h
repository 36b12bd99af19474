#pragma once
// Regular expressions by RE2, with the words of Go's regexp package for what is wrong with one.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engines/cel/value.h"

namespace re2 {
class RE2;
}

namespace etiage::cel {

/// A compiled pattern; may be used from many threads.
class Regex {
 public:
  explicit Regex(std::string_view pattern);
  ~Regex();

  /// Empty: the pattern is fine. Otherwise `error parsing regexp: ...`.
  const std::string& error() const { return error_; }
  bool search(std::string_view text) const;
  /// The leftmost match, or an empty text.
  std::string find(std::string_view text) const;
  /// At most `limit` matches; negative: all.
  std::vector<std::string> find_all(std::string_view text, std::int64_t limit) const;

 private:
  std::unique_ptr<re2::RE2> re_;
  /// Plain words of which one must occur, where the pattern is no more than that.
  std::vector<std::string> words_;
  std::string error_;
};

Value regex_matches(const std::string& text, const std::string& pattern);

}  // namespace etiage::cel
