#pragma once
// The head of a sample's line: `name{label="value",...}`, or `{"name",label="value"}` where a name is UTF-8.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/samples.h"

namespace etiage::formats::text {

/// Reads heads one after another; names and values point into the text unless an escape had to be resolved.
/// Takes more than Prometheus does (blanks anywhere between tokens); `# HELP` lines and times are not its
/// business.
class SeriesHead {
 public:
  /// The bare metric name that stands at `p`, empty where there is none (`{"name"...}`).
  static std::string_view bare_name(const char* p, const char* end);

  /// Reads the head that begins at `p`. Returns the byte after it, or null: `fault` says why. Labels stay
  /// valid until the next call, and as long as the text.
  const char* read(const char* p, const char* end);

  /// The same for a head whose label names are those of the last one that `read` took, in their order, and
  /// whose values are plain ASCII: most lines of an exposition. Null where it is not so, and nothing is said
  /// against the line. May be given more text than the line. `metric` is the bare name at `p`.
  const char* read_alike(const char* p, const char* end, std::string_view metric);

  Labels labels() const { return labels_; }
  std::string_view metric() const { return metric_; }
  std::string_view fault() const { return fault_; }

 private:
  const char* read_labels(const char* p, const char* end);
  const char* read_label(const char* p, const char* end);
  const char* read_quoted(const char* p, const char* end, std::string_view& text);
  const char* unescape(const char* begin, const char* p, const char* end, std::string_view& text);
  bool put_name(std::string_view name);
  bool finish();
  void learn(std::vector<std::string_view> names);
  std::nullptr_t refuse(std::string_view why);

  /// A label of the layout: where its `name="` stands in `layout_text_`, and its place among the sorted
  /// labels.
  struct LayoutLabel {
    std::uint32_t begin, size, slot;
  };

  std::vector<Label> labels_;
  std::string_view metric_;
  std::string_view fault_;
  std::string unescaped_;
  bool plain_ = false;  ///< of the head being read: no quoted names, escapes or empty values
  std::vector<LayoutLabel> layout_;
  std::string layout_text_;
  std::size_t metric_slot_ = 0;
};

}  // namespace etiage::formats::text
