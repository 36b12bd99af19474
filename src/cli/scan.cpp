#include "app/scan.h"

#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/reading.h"
#include "render/scan.h"

namespace etiage::cli {
namespace {

int scan(const Arguments& arguments, Streams& io) {
  const auto options = reading_of(arguments, io);
  if (!options) return fail(options.error(), io), kUsage;
  const auto reading = app::read_cluster(*options);
  if (!reading) return fail(reading.error(), io);
  print(reading->diagnostics, io);
  const auto view = app::scan_view(*reading, *options);
  if (!view) return fail(view.error(), io), kUsage;
  return print({[&] { return render::scan_json(*view); }, [&] { return render::scan_tables(*view); }},
               arguments, io);
}

}  // namespace

Command scan_command() {
  return {.name = "scan",
          .summary = "One page: the bill, who held what, what each token cost",
          .positional = "[PATH...]",
          .options = reading_options(),
          .details =
              "Reads Kubernetes objects, metrics and prices, whatever the files are called, and settles them "
              "to a bill that closes.\n"
              "  $ etiage scan cluster.json metrics.om.gz --prices prices.csv\n"
              "  $ etiage scan dump/ --window 7d -o json\n"
              "  $ etiage scan dump/ --invoice focus.csv.gz",
          .run = scan};
}

}  // namespace etiage::cli
