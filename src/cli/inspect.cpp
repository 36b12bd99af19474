#include <ostream>

#include "app/quantity.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

int inspect(const Arguments& arguments, Streams& io) {
  if (!arguments.has("quantity")) {
    io.err << "etiage inspect: nothing to look at (give --quantity S)\n";
    return kUsage;
  }
  const app::QuantityAnswer answer = app::inspect_quantity(arguments.get("quantity"));
  if (arguments.get("output", "json") == "json") {
    io.out << app::to_json(answer);
  } else if (answer.ok) {
    io.out << answer.canonical << '\n';
  }
  if (!answer.ok) io.err << "etiage inspect: " << answer.error << '\n';
  return answer.ok ? kDone : kFailed;
}

}  // namespace

Command inspect_command() {
  return {.name = "inspect",
          .summary = "Say what a file or a quantity is taken for",
          .options = {{"quantity", "S", "a Kubernetes quantity, as 500m or 1.5Gi"}, output_option()},
          .run = inspect};
}

}  // namespace etiage::cli
