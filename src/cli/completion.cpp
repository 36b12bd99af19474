#include "cli/completion.h"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>
#include <sstream>

#include "cli/arguments.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

void keep_matching(std::vector<Candidate>& candidates, const std::string& begun) {
  std::erase_if(candidates, [&](const Candidate& c) { return !c.word.starts_with(begun); });
}

/// First words, or the second words of a group.
Completion command_words(const std::vector<Command>& commands, const std::string& group) {
  Completion out;
  for (const Command& command : commands) {
    const std::size_t space = command.name.find(' ');
    const bool in_group = !group.empty() && command.name.starts_with(group + ' ');
    if (!group.empty() && !in_group) continue;
    const Candidate word = in_group ? Candidate{command.name.substr(space + 1), command.summary}
                           : space == std::string::npos
                               ? Candidate{command.name, command.summary}
                               : Candidate{command.name.substr(0, space), "several commands"};
    if (std::ranges::none_of(out.candidates, [&](const Candidate& c) { return c.word == word.word; }))
      out.candidates.push_back(word);
  }
  return out;
}

bool is_file_value(const std::string& value) {
  return value.find("FILE") != std::string::npos || value.find("PATH") != std::string::npos ||
         value.find("DIR") != std::string::npos || value.find(".yaml") != std::string::npos ||
         value.find(".json") != std::string::npos || value.find("CSV") != std::string::npos;
}

Completion value_words(const Option& option, const std::string& prefix) {
  Completion out{{}, is_file_value(option.value)};
  for (const std::string& choice : option.choices) out.candidates.push_back({prefix + choice, ""});
  return out;
}

Completion argument_words(const Command& command, const std::vector<std::string>& words,
                          const std::string& begun) {
  std::vector<Option> options = command.options;
  for (const Option& option : common_options()) options.push_back(option);
  if (!words.empty()) {
    const Option* before = find_option(options, words.back());
    if (before && !before->value.empty()) return value_words(*before, "");
  }
  if (const std::size_t equals = begun.find('='); begun.starts_with("--") && equals != std::string::npos) {
    const Option* option = find_option(options, begun.substr(0, equals));
    return option ? value_words(*option, begun.substr(0, equals + 1)) : Completion{};
  }
  Completion out{{}, !begun.starts_with('-') && !command.positional.empty()};
  if (begun.starts_with('-'))
    for (const Option& option : options) out.candidates.push_back({"--" + long_name(option), option.help});
  if (command.name == "completion")
    for (const char* shell : {"bash", "zsh", "fish"}) out.candidates.push_back({shell, ""});
  return out;
}

constexpr std::string_view kBash = R"(# bash completion of etiage
_etiage() {
  local line=${COMP_LINE:0:COMP_POINT} words reply=() directive word
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  mapfile -t reply < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
  directive=${reply[-1]:-:0}
  unset 'reply[-1]'
  COMPREPLY=()
  # The shell breaks words at = and : and wants only what stands behind the last of them.
  local begun=${words[-1]} kept
  kept=${begun%"${begun##*[=:]}"}
  for word in "${reply[@]}"; do word=${word%%$'\t'*}; COMPREPLY+=("${word#"$kept"}"); done
  [[ $directive == :4 ]] && compopt +o default
}
complete -o default -F _etiage etiage kubectl-etiage
)";

constexpr std::string_view kZsh = R"(#compdef etiage kubectl-etiage
_etiage() {
  local -a reply candidates
  local directive line
  reply=("${(@f)$("${words[1]}" __complete "${(@)words[2,$CURRENT]}" 2>/dev/null)}")
  directive=${reply[-1]}
  for line in "${(@)reply[1,-2]}"; do
    candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  (( ${#candidates} )) && _describe -t values 'etiage' candidates
  [[ $directive == :4 ]] || _files
}
if [ "$funcstack[1]" = _etiage ]; then _etiage "$@"; else compdef _etiage etiage kubectl-etiage; fi
)";

constexpr std::string_view kFish = R"(# fish completion of etiage
function __etiage_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l reply ($words[1] __complete $words[2..-1] 2>/dev/null)
  set -q reply[1]; or return
  string join \n -- $reply[1..-2]
  test "$reply[-1]" = ":0"; and __fish_complete_path (commandline -ct)
end
complete -c etiage -f -a '(__etiage_complete)'
complete -c kubectl-etiage -f -a '(__etiage_complete)'
)";

}  // namespace

Completion complete(const std::vector<Command>& commands, const std::vector<std::string>& all) {
  std::vector<std::string> words = all;
  const std::string begun = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  const Named named = find_command(commands, words);
  Completion out;
  if (named.command && named.command->name == "help") {
    out = command_words(commands, words.size() > 1 ? words[1] : "");
  } else if (named.command) {
    out = argument_words(*named.command,
                         {words.begin() + static_cast<std::ptrdiff_t>(named.words), words.end()}, begun);
    // `sim` is a command and a group.
    if (words.size() == 1 && is_group(commands, words[0])) {
      auto second = command_words(commands, words[0]).candidates;
      out.candidates.insert(out.candidates.end(), second.begin(), second.end());
    }
  } else if (words.empty() || (words.size() == 1 && is_group(commands, words[0]))) {
    out = command_words(commands, words.empty() ? "" : words[0]);
  }
  keep_matching(out.candidates, begun);
  return out;
}

std::string completion_lines(const Completion& completion) {
  std::string out;
  for (const auto& [word, help] : completion.candidates)
    out += help.empty() ? word + '\n' : fmt::format("{}\t{}\n", word, help);
  return out + (completion.files ? ":0\n" : ":4\n");
}

Command completion_command() {
  return {.name = "completion",
          .summary = "Print a shell's completion script",
          .positional = "bash|zsh|fish",
          .details =
              "  $ source <(etiage completion bash)\n  $ etiage completion zsh > \"${fpath[1]}/_etiage\"\n"
              "  $ etiage completion fish > ~/.config/fish/completions/etiage.fish",
          .run = [](const Arguments& arguments, Streams& io) {
            const std::string& shell = arguments.positional().front();
            if (shell != "bash" && shell != "zsh" && shell != "fish") {
              io.err << fmt::format("etiage: no completion for '{}': bash, zsh or fish\n", shell);
              return kUsage;
            }
            io.out << (shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish);
            return kDone;
          }};
}

}  // namespace etiage::cli
