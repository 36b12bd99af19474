#include "app/bundle.h"

#include <charconv>
#include <ostream>

#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/reading.h"

namespace etiage::cli {
namespace {

Result<std::uint64_t> seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc{} || end != text.data() + text.size())
    return failure("'" + text + "' is no seed", {}, "give a whole number");
  return seed;
}

int bundle(const Arguments& arguments, Streams& io) {
  const auto seed = seed_of(arguments.get("seed", "0"));
  if (!seed) return fail(seed.error(), io), kUsage;
  app::BundleOptions options{.paths = arguments.positional(),
                             .prices = arguments.all("prices"),
                             .invoices = arguments.all("invoice"),
                             .out = arguments.get("output"),
                             .map = arguments.get("map"),
                             .kept_keys = comma_separated(arguments.get("keep-label")),
                             .seed = *seed,
                             .now_ms = now_ms(),
                             .progress = progress_line(io)};
  if (options.out.empty())
    return fail({"nowhere to write the bundle", {}, "give -o bundle.tar.gz"}, io), kUsage;
  const auto made = app::bundle(options);
  if (!made) return fail(made.error(), io);
  print(made->diagnostics, io);
  for (const std::string& what : made->left_out) io.err << "left out: " << what << '\n';
  for (const app::BundledFile& f : made->files)
    io.out << f.from << " -> " << f.name << ": " << f.kind << ", " << f.rows << " rows\n";
  io.out << options.out << ": " << made->files.size() << " files, " << made->names << " names replaced\n";
  return kDone;
}

}  // namespace

Command bundle_command() {
  return {.name = "bundle",
          .summary = "Write the inputs with other names, so that a fault can be shared",
          .positional = "PATH...",
          .options = {{"output,o", "FILE", "bundle.tar.gz, bundle.tar, or an empty folder (folder/)"},
                      {"prices,p", "FILE", "a price list, where PATH does not hold it", true},
                      {"invoice", "FILE", "an invoice, where PATH does not hold it", true},
                      {"map", "FILE", "write which name became which word; never goes into the bundle"},
                      {"keep-label", "KEY,...", "keys of labels that stay, beside the well-known ones"},
                      {"seed", "N", "other words for the same names"}},
          .details =
              "Every command reads the bundle as it reads the originals, and the ledger's numbers are the "
              "same to the micro-unit. A README inside says what was replaced and what was left out.\n"
              "  $ etiage bundle cluster.json metrics.om prices.csv -o bundle.tar.gz --map names.json\n"
              "  $ etiage scan bundle.tar.gz",
          .run = bundle};
}

}  // namespace etiage::cli
