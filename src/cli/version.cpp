#include <ostream>

#include "cli/commands.h"

namespace etiage::cli {

Command version_command() {
  return {.name = "version", .summary = "Print the version", .run = [](const Arguments&, Streams& io) {
            io.out << "etiage " ETIAGE_VERSION "\n";
            return kDone;
          }};
}

}  // namespace etiage::cli
