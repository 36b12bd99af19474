#include "cli/answer.h"

#include <ostream>

#include "formats/document.h"
#include "render/width.h"
#include "render/yaml.h"

namespace etiage::cli {
namespace {

constexpr int kUnknownWidth = 80;  // what fits a mail, a log and half a screen

std::string as_yaml(const std::string& json) {
  Diagnostics none;
  const auto documents = formats::read_documents(json, "output", none);
  return documents.empty() ? "" : render::to_yaml(documents.front());
}

/// Tables below each other, an empty line between them.
template <class Print>
std::string stacked(const std::vector<render::Table>& tables, Print print) {
  std::string out;
  for (const render::Table& table : tables) out += (out.empty() ? "" : "\n") + print(table);
  return out;
}

}  // namespace

int print(const Answer& answer, const Arguments& arguments, Streams& io) {
  const std::string form = arguments.get("output", "table");
  if (form == "json") {
    const std::string json = answer.json();
    io.out << json << (json.ends_with('\n') ? "" : "\n");
  } else if (form == "yaml") {
    io.out << as_yaml(answer.json());
  } else if (form == "csv") {
    const auto tables = answer.tables();
    if (!tables.empty()) io.out << render::to_csv(tables.front());
  } else if (form == "md") {
    io.out << stacked(answer.tables(), render::to_markdown);
  } else {
    const render::Paper paper{.width = io.width > 0 ? io.width : kUnknownWidth,
                              .terminal = io.width > 0,
                              .wide = form == "wide",
                              .colour = io.colour};
    io.out << stacked(answer.tables(),
                      [&](const render::Table& table) { return render::to_text(table, paper); });
  }
  return kDone;
}

int fail(const Error& error, Streams& io) {
  io.err << "etiage: " << render::printable(to_string(error)) << '\n';
  return kFailed;
}

void print(const Diagnostics& diagnostics, Streams& io) {
  for (const Diagnostic& diagnostic : diagnostics) io.err << render::printable(to_string(diagnostic)) << '\n';
}

}  // namespace etiage::cli
