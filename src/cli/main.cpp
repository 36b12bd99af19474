#include "cli/main.h"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <unistd.h>

#include "cli/arguments.h"

namespace etiage::cli {

int run(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const char* no_colour = std::getenv("NO_COLOR");
  Streams io{std::cout, std::cerr, isatty(STDOUT_FILENO) == 1 && !(no_colour && *no_colour),
             isatty(STDERR_FILENO) == 1, 0};
  const auto commands = all_commands();
  const auto parsed = parse(commands, argc, argv, io);
  if (const int* status = std::get_if<int>(&parsed)) return *status;
  const auto& [command, arguments] = std::get<Parsed>(parsed);
  if (arguments.has("no-color")) io.colour = false;
  try {
    const int status = command->run(arguments, io);
    std::cout.flush();
    return std::cout ? status : kFailed;
  } catch (const std::exception& e) {
    std::cerr << "etiage: " << e.what() << " (this is a fault of etiage; please report it)\n";
    return kFailed;
  }
}

}  // namespace etiage::cli
