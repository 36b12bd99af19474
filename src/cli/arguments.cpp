#include "cli/arguments.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

#include "base/nearest.h"

namespace etiage::cli {

std::string Arguments::get(std::string_view name, std::string_view fallback) const {
  const auto it = values_.find(name);
  return it == values_.end() || it->second.empty() ? std::string(fallback) : it->second.back();
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  const auto it = values_.find(name);
  return it == values_.end() ? std::vector<std::string>{} : it->second;
}

std::string long_name(const Option& option) {
  return option.name.substr(0, option.name.find(','));
}

const Option* find_option(const std::vector<Option>& options, std::string_view word) {
  for (const Option& option : options) {
    std::string name;
    for (std::istringstream names(option.name); std::getline(names, name, ',');)
      if (word == (name.size() == 1 ? "-" : "--") + name) return &option;
  }
  return nullptr;
}

bool is_group(const std::vector<Command>& commands, std::string_view word) {
  return std::ranges::any_of(commands,
                             [&](const Command& c) { return c.name.starts_with(std::string(word) + ' '); });
}

Named find_command(const std::vector<Command>& commands, const std::vector<std::string>& words) {
  for (std::size_t n = std::min<std::size_t>(2, words.size()); n > 0; --n) {
    const std::string name = n == 2 ? words[0] + ' ' + words[1] : words[0];
    const auto found = std::ranges::find(commands, name, &Command::name);
    if (found != commands.end()) return {&*found, n};
  }
  return {};
}

namespace {

/// How many positional arguments a row's `positional` allows.
struct Arity {
  std::size_t least = 0;
  std::size_t most = 0;
};

Arity arity_of(const std::string& positional) {
  Arity out;
  std::string word;
  for (std::istringstream words(positional); words >> word;) {
    if (!word.starts_with('[')) ++out.least;
    out.most = word.find("...") != std::string::npos || out.most == std::string::npos ? std::string::npos
                                                                                      : out.most + 1;
  }
  return out;
}

/// Reads the words behind a command's name one after the other.
class ArgumentReader {
 public:
  ArgumentReader(const Command& command, std::vector<std::string> words)
      : command_(command), words_(std::move(words)) {
    for (const Option& option : common_options()) options_.push_back(option);
    options_.insert(options_.end(), command.options.begin(), command.options.end());
  }

  /// Empty: all was right; else what was wrong.
  std::string read() {
    bool only_positional = false;
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      std::string fault;
      if (only_positional || !word.starts_with('-') || word == "-")
        out_.add_positional(word);
      else if (word == "--")
        only_positional = true;
      else
        fault = word.starts_with("--") ? read_long(word) : read_short(word);
      if (!fault.empty()) return fault;
    }
    return check_arity();
  }

  bool help() const { return help_; }
  Arguments take() { return std::move(out_); }

 private:
  std::string read_long(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const Option* option = find_option(options_, name);
    if (!option) return unknown(name);
    if (equals == std::string::npos) return take_value(*option, name);
    const std::string value = word.substr(equals + 1);
    if (!option->value.empty()) return keep(*option, name, value);
    if (value == "true") return keep(*option, name, "");
    return value == "false" ? "" : fmt::format("{} takes no value", name);
  }

  /// `-A`, `-n VALUE`, `-nVALUE`, `-n=VALUE`, and flags run together, `-Aq`.
  std::string read_short(const std::string& word) {
    for (std::size_t i = 1; i < word.size(); ++i) {
      const std::string name = {'-', word[i]};
      const Option* option = find_option(options_, name);
      if (!option) return unknown(name);
      const bool last = i + 1 == word.size();
      if (option->value.empty() || last) {
        const std::string fault = take_value(*option, name);
        if (!fault.empty()) return fault;
        continue;
      }
      return keep(*option, name, word.substr(word[i + 1] == '=' ? i + 2 : i + 1));
    }
    return "";
  }

  std::string take_value(const Option& option, const std::string& name) {
    if (option.value.empty()) return keep(option, name, "");
    if (at_ == words_.size()) return fmt::format("{} needs a value: {} {}", name, name, option.value);
    return keep(option, name, words_[at_++]);
  }

  std::string keep(const Option& option, const std::string& name, const std::string& value) {
    if (!option.choices.empty() && std::ranges::find(option.choices, value) == option.choices.end())
      return fmt::format("{} is one of {}, not '{}'", name, fmt::join(option.choices, ", "), value);
    if (long_name(option) == "help") help_ = true;
    out_.add(long_name(option), value);
    return "";
  }

  std::string unknown(const std::string& name) const {
    std::vector<std::string> names;
    for (const Option& option : options_) names.push_back("--" + long_name(option));
    return fmt::format("unknown option {}{}", name, did_you_mean(name, names));
  }

  std::string check_arity() const {
    if (help_) return "";
    const Arity arity = arity_of(command_.positional);
    const std::size_t given = out_.positional().size();
    if (given < arity.least) return fmt::format("{} needs {}", command_.name, command_.positional);
    if (given <= arity.most) return "";
    const std::string& first_too_many = out_.positional()[arity.most];
    return arity.most == 0
               ? fmt::format("{} takes no arguments, but was given '{}'", command_.name, first_too_many)
               : fmt::format("{} takes {}, and no '{}' after it", command_.name, command_.positional,
                             first_too_many);
  }

  const Command& command_;
  std::vector<Option> options_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  bool help_ = false;
  Arguments out_;
};

std::variant<Parsed, WrongUsage, HelpWanted> no_command(const std::vector<Command>& commands,
                                                        const std::vector<std::string>& words) {
  if (words.empty()) return WrongUsage{};
  const bool group = is_group(commands, words[0]);
  const bool second_named = group && words.size() > 1 && !words[1].starts_with('-');
  const std::string given = second_named ? words[0] + ' ' + words[1] : words[0];
  if (group && !second_named) return WrongUsage{"", words[0]};
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return WrongUsage{fmt::format("unknown command '{}'{}", given, did_you_mean(given, names)),
                    group ? words[0] : ""};
}

}  // namespace

std::variant<Parsed, WrongUsage, HelpWanted> parse(const std::vector<Command>& commands,
                                                   const std::vector<std::string>& all) {
  // Options of every command may stand before its name too.
  std::size_t leading = 0;
  while (leading < all.size() && find_option(common_options(), all[leading])) ++leading;
  std::vector<std::string> words(all.begin() + static_cast<std::ptrdiff_t>(leading), all.end());
  const Named named = find_command(commands, words);
  const auto asks_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
  if (!named.command) {
    if (std::ranges::any_of(all, asks_help))
      return HelpWanted{!words.empty() && is_group(commands, words[0]) ? words[0] : ""};
    return no_command(commands, words);
  }
  std::vector<std::string> rest(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(leading));
  rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(named.words), words.end());
  ArgumentReader reader(*named.command, std::move(rest));
  const std::string fault = reader.read();
  if (reader.help()) return HelpWanted{named.command->name};
  if (!fault.empty()) return WrongUsage{fault, named.command->name};
  return Parsed{named.command, reader.take()};
}

}  // namespace etiage::cli
