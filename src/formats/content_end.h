#pragma once
// Several contents one after another in one stream (`cat cluster.json metrics.om | etiage scan -`): where
// each of them ends.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "formats/kind.h"

namespace etiage::formats {

/// Watches one content go by. It ends before a line that can only begin a content of another family: behind
/// a finished JSON value anything but a further value, behind `# EOF` anything, elsewhere a JSON object at
/// the margin, `apiVersion:`, `# HELP`, `# TYPE`, or the header of a price list or an invoice.
class ContentEnd {
 public:
  explicit ContentEnd(ContentKind kind);

  static constexpr std::size_t kNowhere = std::string_view::npos;
  /// Where in `lines`, the next whole lines of the stream, another content begins.
  std::size_t find(std::string_view lines);

 private:
  enum class Family : std::uint8_t { kOther, kSamples, kApi, kJson, kYaml, kTable };

  static Family family_of(ContentKind kind, std::string_view line);
  static Family begun_by(std::string_view line);
  bool begins_another(std::string_view line) const;
  std::size_t pass_json(std::string_view line);

  ContentKind kind_;
  Family family_ = Family::kOther;
  bool begun_ = false;  ///< a line of it was seen
  bool ended_ = false;  ///< `# EOF`
  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace etiage::formats
