#include "cli/help.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

#include "cli/arguments.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

constexpr std::size_t kWidth = 80, kLeftColumn = 26;

/// `text` wrapped at 80 columns; it begins at column `indent`, and so do its further lines.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out, word;
  std::size_t column = indent;
  for (std::istringstream words(text); words >> word; column += word.size()) {
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
  }
  return out;
}

/// `left` padded to the column where `right` begins, on the next line where it is too long.
std::string two_columns(const std::string& left, const std::string& right) {
  const std::string head = "  " + left;
  const bool fits = head.size() < kLeftColumn;
  const std::string gap =
      fits ? std::string(kLeftColumn - head.size(), ' ') : '\n' + std::string(kLeftColumn, ' ');
  return head + gap + wrapped(right, kLeftColumn) + '\n';
}

/// Paragraphs filled; indented lines (examples) stay as they are.
std::string filled(const std::string& details) {
  std::string out, line;
  for (std::istringstream lines(details); std::getline(lines, line);)
    out += (line.starts_with("  ") ? line : wrapped(line, 0)) + '\n';
  return out;
}

/// The summaries of `commands` under their headings, a group of two-word commands as its own lines.
std::string command_lines(const std::vector<Command>& commands, const std::string& first_word) {
  std::string out, group;
  for (const Command& command : commands) {
    if (!first_word.empty() && !command.name.starts_with(first_word + ' ') && command.name != first_word)
      continue;
    if (command.group != group && first_word.empty()) out += fmt::format("\n{}:\n", command.group);
    group = command.group;
    out += two_columns(command.name, command.summary);
  }
  return out;
}

std::string help_of_all(const std::vector<Command>& commands, const std::string& program) {
  return fmt::format(
             "Étiage tells people who serve models on Kubernetes GPUs what the token they just\n"
             "served cost, where the money leaks and what to change.\n\n"
             "Usage: {} COMMAND [ARGUMENTS] [OPTIONS]\n",
             program) +
         command_lines(commands, "") + "\nOptions of every command:\n" + option_lines(common_options()) +
         fmt::format(
             "\nPATH is any mix of files and folders: kubectl's JSON or YAML, dumps of Prometheus, prices.\n"
             "Exit status: 0 done, 1 could not do it, 2 wrong usage.\n"
             "'{} help COMMAND' tells more of one.\n",
             program);
}

std::string help_of(const Command& command, const std::string& program) {
  std::string out = fmt::format("{}.\n\nUsage: {} {}{}{}\n", command.summary, program, command.name,
                                command.positional.empty() ? "" : " " + command.positional,
                                command.options.empty() ? "" : " [OPTIONS]");
  if (!command.details.empty()) out += '\n' + filled(command.details);
  if (!command.options.empty()) out += "\nOptions:\n" + option_lines(command.options);
  return out + "\nOptions of every command:\n" + option_lines(common_options());
}

}  // namespace

std::string option_words(const Option& option) {
  std::string name;
  std::vector<std::string> names;
  for (std::istringstream parts(option.name); std::getline(parts, name, ',');)
    names.push_back((name.size() == 1 ? "-" : "--") + name);
  std::ranges::stable_sort(names, {}, &std::string::size);
  return fmt::format("{}{}{}", fmt::join(names, ", "), option.value.empty() ? "" : " ", option.value);
}

std::string option_lines(const std::vector<Option>& options) {
  std::string out;
  for (const Option& option : options) {
    const std::string words = option_words(option);
    const bool spelled = option.choices.empty() || option.value.find('|') != std::string::npos;
    const std::string choices = spelled ? "" : fmt::format(": {}", fmt::join(option.choices, ", "));
    out += two_columns((words.starts_with("--") ? "    " : "") + words,
                       option.help + choices + (option.repeated ? " (may be repeated)" : ""));
  }
  return out;
}

std::string help_text(const std::vector<Command>& commands, const std::string& name,
                      const std::string& program) {
  if (name.empty()) return help_of_all(commands, program);
  const auto command = std::ranges::find(commands, name, &Command::name);
  std::string out = command == commands.end() ? fmt::format("Usage: {} {} COMMAND\n\n", program, name)
                                              : help_of(*command, program);
  if (!is_group(commands, name)) return out;
  if (command != commands.end()) out += "\nCommands:\n";
  return out + command_lines(commands, name);
}

Command help_command() {
  return {.name = "help",
          .summary = "Tell how a command is used",
          .positional = "[COMMAND...]",
          .options = {{"man", "", "print the man page, for man(1)"}},
          .details = "  $ etiage help scan\n  $ etiage help --man | man -l -",
          .run = [](const Arguments& arguments, Streams& io) {
            const auto commands = all_commands();
            if (arguments.has("man")) {
              io.out << man_page(commands);
              return kDone;
            }
            const auto& words = arguments.positional();
            const Named named = find_command(commands, words);
            const bool known = words.empty() || named.words == words.size() ||
                               (words.size() == 1 && is_group(commands, words[0]));
            if (!known) io.err << fmt::format("etiage: no command '{}'\n", fmt::join(words, " "));
            io.out << help_text(commands, known ? fmt::format("{}", fmt::join(words, " ")) : "", io.program);
            return known ? kDone : kUsage;
          }};
}

}  // namespace etiage::cli
