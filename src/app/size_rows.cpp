#include <ostream>

#include "adapters/input_file.h"
#include "app/facts.h"
#include "app/size.h"
#include "base/csv.h"
#include "base/json_writer.h"
#include "sizing/rows.h"

namespace etiage::app {
namespace {

using Cells = std::vector<std::string>;

void write_csv(std::string& out, const Cells& cells, const Cells& added) {
  bool first = true;
  for (const auto* part : {&cells, &added})
    for (const auto& cell : *part) {
      if (!first) out += ',';
      append_csv_cell(out, cell);
      first = false;
    }
  out += '\n';
}

/// Cells that are numbers stay numbers, the two answers yes and no become booleans, empty ones null.
void write_json_cell(JsonWriter& json, const std::string& cell, bool ours) {
  if (ours && cell.empty())
    json.null();
  else if (ours && (cell == "true" || cell == "false"))
    json.raw(cell);
  else if (ours && cell.find_first_not_of("0123456789.e+-") == std::string::npos)
    json.raw(cell);
  else
    json.value(cell);
}

class JsonRows {
 public:
  JsonRows() : json_(0) { json_.begin_array(); }

  void row(const Cells& header, const Cells& cells, const Cells& names, const Cells& added) {
    json_.begin_object();
    for (std::size_t i = 0; i < header.size(); ++i) write_json_cell(json_.key(header[i]), cells[i], false);
    for (std::size_t i = 0; i < names.size(); ++i) write_json_cell(json_.key(names[i]), added[i], true);
    json_.end_object();
  }
  std::string take() { return json_.end_array().take(); }

 private:
  JsonWriter json_;
};

}  // namespace

Result<void> size_rows(const std::string& path, RowsFormat format, bool with_terms,
                       const std::vector<std::string>& catalogs, std::ostream& out) {
  const auto facts = facts_of(catalogs);
  if (!facts) return std::unexpected(facts.error());
  auto file = adapters::InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  const auto whole = file->whole();
  if (whole.damage) return std::unexpected(*whole.damage);
  const sizing::Sources sources{facts->models, facts->cards, facts->mig_slices,
                                &serving::builtin_coefficients()};
  const auto names = sizing::answer_columns(with_terms);
  const auto header = read_csv_header(whole.bytes, path);
  if (!header) return std::unexpected(header.error());
  const auto carried = sizing::carried_columns(*header, path, with_terms);
  if (!carried) return std::unexpected(carried.error());
  Cells kept;
  for (const auto i : *carried) kept.push_back((*header)[i]);
  JsonRows json;
  std::string text;
  write_csv(text, kept, names);
  auto done = sizing::answer_rows(whole.bytes, path, sources, with_terms,
                                  [&](const Cells& cells, const Cells& added) {
                                    if (format == RowsFormat::kJson)
                                      return json.row(kept, cells, names, added);
                                    write_csv(text, cells, added);
                                  });
  if (!done) return done;
  out << (format == RowsFormat::kJson ? json.take() + "\n" : text);
  return {};
}

}  // namespace etiage::app
