#pragma once
// One row of a gateway's log: its words gathered field by field, then checked and turned into a request.

#include <array>
#include <string>
#include <string_view>

#include "base/result.h"
#include "formats/gateway/fields.h"
#include "model/gateway.h"

namespace etiage::formats {

/// The best word for each field. An empty word, or one that means nothing (`null`, `None`, `-`), does not
/// count; neither does a number that is none, so that a prompt's text in a column `input` is passed over.
class GatewayWords {
 public:
  void clear();
  void set(GatewayName name, std::string_view value);
  std::string_view operator[](GatewayField field) const { return words_[index(field)]; }
  bool empty() const { return !any_; }

 private:
  static std::size_t index(GatewayField f) { return static_cast<std::size_t>(f); }

  std::array<std::string, kGatewayFieldCount> words_;
  std::array<std::uint8_t, kGatewayFieldCount> ranks_{};
  bool any_ = false;
};

struct GatewayRow {
  GatewayCaller caller;
  GatewayModelName model;
  GatewayRequest request;
};

/// An error says why the row cannot be used; the words are the same for all rows with that fault, so that
/// they can be counted.
Result<GatewayRow> read_row(const GatewayWords& words);

}  // namespace etiage::formats
