#pragma once
// The inside of one JSON object as words for the fields of a gateway's row.

#include <string>
#include <string_view>
#include <vector>

#include "formats/gateway/row.h"
#include "formats/json_reader.h"

namespace etiage::formats {

/// Follows keys down into objects: `{"usage": {"prompt_tokens": 7}}` sets what `usage.prompt_tokens` names. A
/// `metadata` that is JSON in a string (as databases export it) is read as what it holds.
class JsonWords final : public JsonVisitor {
 public:
  /// `around`: the plain path that the object stands at.
  explicit JsonWords(GatewayWords& words, std::string around = "")
      : words_(words), path_(std::move(around)) {}

  bool token(const JsonToken& token) override;

 private:
  void scalar(std::string_view text);

  GatewayWords& words_;
  std::string path_;                 ///< plain, to where the reading is
  std::vector<std::size_t> levels_;  ///< its length outside each open bracket
};

/// JSON in a cell or a string, at that path; what is no JSON is passed over.
void read_words(std::string_view json, std::string around, GatewayWords& words);

}  // namespace etiage::formats
