#pragma once
// The text of an expression by code points, and the faults found in it, displayed as cel-go displays them.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etiage::cel {

/// Lines count from 1, columns from 0, both in code points; line -1: nowhere in particular.
struct Location {
  int line = -1;
  int column = -1;

  auto operator<=>(const Location&) const = default;
};

/// An expression as code points. Bytes that are no UTF-8 become U+FFFD, as Go decodes them.
class Source {
 public:
  explicit Source(std::string_view text);

  std::size_t size() const { return points_.size(); }
  char32_t operator[](std::size_t i) const { return points_[i]; }
  Location location(std::size_t offset) const;
  /// The inverse of `location` within the text.
  std::size_t offset(Location location) const;
  /// Byte position in the text of a code point; the end of the text for size().
  std::size_t byte_offset(std::size_t point) const { return bytes_[point]; }
  /// Code points [begin, end) as UTF-8, cut to the text.
  std::string slice(std::size_t begin, std::size_t end) const;
  /// The line without its end; empty where there is none.
  std::u32string_view line(int number) const;

 private:
  std::u32string points_;
  std::vector<std::size_t> bytes_;
  std::vector<std::size_t> line_starts_;
};

struct Issue {
  Location location;
  std::string message;
};

/// What was found, at most `kMaxIssues` of it told.
class Issues {
 public:
  static constexpr std::size_t kMaxIssues = 100;

  void report(Location location, std::string message);
  bool empty() const { return count_ == 0; }
  std::size_t count() const { return list_.size(); }
  /// All issues by place, each with its line and a pointer to the column.
  std::string display(const Source& source) const;

 private:
  std::vector<Issue> list_;
  std::size_t count_ = 0;
};

/// The UTF-8 of one code point.
void append_utf8(std::string& out, char32_t c);
/// Code points of UTF-8; each bad byte is U+FFFD.
std::u32string decode_utf8(std::string_view text);
std::size_t count_points(std::string_view text);

}  // namespace etiage::cel
