#include "app/size.h"

#include <ostream>

#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

int rows(const Arguments& arguments, Streams& io) {
  const auto form = arguments.get("output", "csv");
  if (form != "csv" && form != "json") {
    io.err << "etiage size: --rows is answered as csv or json\n";
    return kUsage;
  }
  const auto done =
      app::size_rows(arguments.get("rows"), form == "json" ? app::RowsFormat::kJson : app::RowsFormat::kCsv,
                     arguments.has("terms"), io.out);
  return done ? kDone : fail(done.error(), io);
}

int size(const Arguments& arguments, Streams& io) {
  if (arguments.has("rows")) return rows(arguments, io);
  io.err << "etiage size: name a model, or give --rows FILE.csv\n";
  return kUsage;
}

}  // namespace

Command size_command() {
  return {.name = "size",
          .summary = "Which cards a model fits on, how fast, how many, and at what price",
          .positional = "[MODEL]",
          .options = {output_option(),
                      {"rows", "FILE", "a table with one question a row, columns named as the options"},
                      {"terms", "", "with --rows: also the terms behind the times"}},
          .run = size};
}

}  // namespace etiage::cli
