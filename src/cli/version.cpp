#include "base/json_writer.h"
#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

std::string version_json() {
  return JsonWriter()
      .begin_object()
      .member("version", ETIAGE_VERSION)
      .member("compiler", "gcc " __VERSION__)
      .end_object()
      .take();
}

}  // namespace

Command version_command() {
  return {.name = "version",
          .summary = "Print the version",
          .options = {output_option()},
          .run = [](const Arguments& arguments, Streams& io) {
            return print(
                {version_json, [] { return std::vector{render::Table{.title = "etiage " ETIAGE_VERSION}}; }},
                arguments, io);
          }};
}

}  // namespace etiage::cli
