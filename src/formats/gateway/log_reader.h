#pragma once
// Logs of gateways: LiteLLM's spend log and OpenAI-style access logs, as JSON (an array, a list under a key,
// one object after another, a line each; with comments too) or as CSV. Names of fields are told by a table
// (fields.h), so other gateways read as well.

#include <memory>
#include <string_view>

#include "formats/read_report.h"
#include "model/gateway.h"

namespace etiage::formats {

/// Takes a log in chunks of any size; keeps the rows and nothing of the text. A row that cannot be used is
/// counted with its reason, and the rest is read; so is a damaged line of a log that has one object a line.
class GatewayLogReader {
 public:
  explicit GatewayLogReader(GatewayLog& log);
  ~GatewayLogReader();

  void feed(std::string_view chunk);
  /// `samples` counts rows that were used; times are those of the rows.
  ReadReport finish();

  class Rows;
  class Syntax;

 private:
  /// Chooses the syntax by what has come.
  void begin();

  std::unique_ptr<Rows> rows_;
  std::unique_ptr<Syntax> syntax_;  ///< known from the first byte that is no blank
  std::string ahead_;               ///< what came before its first line was whole
};

}  // namespace etiage::formats
