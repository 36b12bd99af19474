#include "cli/main.h"

#include <cstdlib>
#include <exception>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/completion.h"
#include "cli/help.h"

namespace etiage::cli {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

int columns_of(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/// Colours and progress are for people at a terminal that can show them.
Streams standard_streams() {
  const char* term = std::getenv("TERM");
  const bool dumb = term && std::string_view(term) == "dumb";
  return {.out = std::cout,
          .err = std::cerr,
          .colour = isatty(STDOUT_FILENO) == 1 && !dumb && !is_set("NO_COLOR"),
          .progress = isatty(STDERR_FILENO) == 1 && !dumb && !is_set("CI"),
          .width = columns_of(STDOUT_FILENO)};
}

/// The name it was called by: kubectl starts its plug-ins as `kubectl-etiage`, and asks
/// `kubectl_complete-etiage` to complete.
std::string called_as(const char* argv0) {
  const std::string_view path = argv0 ? argv0 : "etiage";
  return std::string(path.substr(path.rfind('/') + 1));
}

int refuse(const WrongUsage& wrong, const std::vector<Command>& commands, const std::string& program,
           Streams& io) {
  if (wrong.message.empty()) {
    io.err << help_text(commands, wrong.see, program);
    return kUsage;
  }
  io.err << "etiage: " << wrong.message << "\nSee '" << program << (wrong.see.empty() ? "" : " " + wrong.see)
         << " --help'.\n";
  return kUsage;
}

int run_command(const Parsed& parsed, Streams& io) {
  if (parsed.arguments.has("no-color")) io.colour = false;
  if (parsed.arguments.has("quiet")) io.progress = false;
  try {
    const int status = parsed.command->run(parsed.arguments, io);
    io.out.flush();
    if (io.out) return status;
    io.err << "etiage: could not write the output\n";
  } catch (const std::bad_alloc&) {
    io.err << "etiage: out of memory\n";
  } catch (const std::exception& e) {
    io.err << "etiage: " << e.what() << " (this is a fault of etiage; please report it)\n";
  }
  return kFailed;
}

}  // namespace

int run(const std::string& called, const std::vector<std::string>& words, Streams& io) {
  const auto commands = all_commands();
  const bool completes =
      called == "kubectl_complete-etiage" || (!words.empty() && words.front() == "__complete");
  if (completes) {
    const bool hidden_word = called != "kubectl_complete-etiage";
    io.out << completion_lines(complete(commands, {words.begin() + (hidden_word ? 1 : 0), words.end()}));
    return kDone;
  }
  const std::string program = called == "kubectl-etiage" ? "kubectl etiage" : "etiage";
  io.program = program;
  const bool asks_version = !words.empty() && (words.front() == "--version" || words.front() == "-V");
  const auto parsed = parse(commands, asks_version ? std::vector<std::string>{"version"} : words);
  if (const auto* help = std::get_if<HelpWanted>(&parsed)) {
    io.out << help_text(commands, help->command, program);
    return kDone;
  }
  if (const auto* wrong = std::get_if<WrongUsage>(&parsed)) return refuse(*wrong, commands, program, io);
  return run_command(std::get<Parsed>(parsed), io);
}

int run(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  Streams io = standard_streams();
  return run(called_as(argc > 0 ? argv[0] : nullptr),
             std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), io);
}

}  // namespace etiage::cli
