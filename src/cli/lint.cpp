#include "app/lint.h"

#include <algorithm>
#include <ostream>

#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

bool reaches(const Diagnostics& diagnostics, const std::string& severity) {
  return std::ranges::any_of(diagnostics, [&](const Diagnostic& d) {
    return d.severity == Severity::kError || (severity == "warning" && d.severity == Severity::kWarning);
  });
}

int lint(const Arguments& arguments, Streams& io) {
  Diagnostics fatal;
  const Diagnostics found = app::lint_files(arguments.positional(), arguments.get("kubernetes-version"),
                                            arguments.get("feature-gates"), fatal);
  if (!fatal.empty()) return fail({fatal.front().message, {}, fatal.front().hint}, io);
  if (arguments.get("output", "table") == "table") {
    for (const Diagnostic& remark : found) io.out << to_string(remark) << '\n';
  } else {
    print({[&] { return app::to_json(found); }, [&] { return std::vector{app::to_table(found)}; }}, arguments,
          io);
  }
  return arguments.has("exit-on") && reaches(found, arguments.get("exit-on")) ? kFailed : kDone;
}

}  // namespace

Command lint_command() {
  return {
      .name = "lint",
      .summary = "Say what in manifests will not do what was meant",
      .positional = "PATH...",
      .options = {output_option(),
                  {"exit-on",
                   "SEVERITY",
                   "exit status 1 where there is a remark of this severity or above",
                   false,
                   {"error", "warning"}},
                  {"kubernetes-version", "VERSION",
                   "judge for this release: 1.34, 1.35, 1.36 or 1.37 (the default)"},
                  {"feature-gates", "A=true,...", "gates that differ from the release's defaults"}},
      .details = "Remarks are sharper where the files also hold the ResourceSlices and nodes of the cluster.",
      .run = lint};
}

}  // namespace etiage::cli
