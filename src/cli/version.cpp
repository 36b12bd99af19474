#include <ostream>

#include "cli/commands.h"

namespace etiage::cli {

Command version_command() {
  return {.name = "version", .summary = "Print the version", .run = [](const Arguments&, Streams& io) {
            io.out << "etiage 0.1.0\n";
            return kDone;
          }};
}

}  // namespace etiage::cli
