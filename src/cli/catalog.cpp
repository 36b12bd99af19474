#include "app/catalog.h"

#include <ostream>

#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

int catalog(const Arguments& arguments, Streams& io) {
  if (arguments.positional().size() != 1) {
    io.err << "etiage catalog: name one of cards, models, mig, prices\n";
    return kUsage;
  }
  const auto& which = arguments.positional().front();
  const auto table = app::catalog_table(which, arguments.all("catalog"));
  if (!table) return fail(table.error(), io);
  return print({[&] { return app::catalog_json(which, *table); }, [&] { return std::vector{*table}; }},
               arguments, io);
}

}  // namespace

Command catalog_command() {
  return {.name = "catalog",
          .summary = "The built-in facts: cards, models, MIG slices, list prices",
          .positional = "cards|models|mig|prices",
          .options = {output_option(),
                      {"catalog", "FILE", "rows of your own over ours: cards, models, mig", true}},
          .run = catalog};
}

}  // namespace etiage::cli
