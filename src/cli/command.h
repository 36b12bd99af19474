#pragma once
// Cli: one file per command; each is a table row of options and a function. Help, completion and the man page
// are made from the same rows.

#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etiage::cli {

/// One option of a command: `--name VALUE`, or a flag where `value` is empty.
struct Option {
  std::string name;   ///< without dashes; one letter makes a short option; `prices,p` gives both
  std::string value;  ///< what help calls its value, as `FILE`; empty: a flag
  std::string help;
  bool repeated = false;                  ///< may be given more than once
  std::vector<std::string> choices = {};  ///< where not empty, other values are refused
};

/// What the user gave, by option name (the long one).
class Arguments {
 public:
  bool has(std::string_view name) const { return values_.contains(name); }
  /// The last value given, or `fallback`.
  std::string get(std::string_view name, std::string_view fallback = "") const;
  std::vector<std::string> all(std::string_view name) const;
  const std::vector<std::string>& positional() const { return positional_; }
  bool operator==(const Arguments&) const = default;

  void add(const std::string& name, std::string value) { values_[name].push_back(std::move(value)); }
  void add_positional(std::string value) { positional_.push_back(std::move(value)); }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> positional_;
};

/// Where a command writes and what it is run in; tests give string streams.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool colour = false;             ///< out is a terminal and colours are wanted
  bool progress = false;           ///< err is a terminal
  int width = 0;                   ///< columns of the terminal; 0: unknown
  std::string program = "etiage";  ///< what it was called by, as help writes it
};

/// Exit statuses of CONTRACT.md.
inline constexpr int kDone = 0, kFailed = 1, kUsage = 2;

struct Command {
  std::string name;             ///< `scan`, `queue admit`
  std::string summary;          ///< one line, no full stop
  std::string positional = "";  ///< as help shows them: `CLAIM FILE...`, `[PATH...]`; in brackets: may be
                                ///< absent; empty: none taken
  std::vector<Option> options = {};
  std::string details = "";  ///< paragraphs for `help`, and lines `  $ etiage ...` with examples
  std::function<int(const Arguments&, Streams&)> run;
  std::string group = "";  ///< the heading it stands under in the help; set by `all_commands`
};

/// Every command, in the order of the help. Each file `NAME.cpp` beside this header defines one or a few of
/// the rows.
std::vector<Command> all_commands();

/// What every command takes besides its own.
std::vector<Option> common_options();
/// Options that several commands share.
Option output_option();  ///< `-o table|wide|json|yaml|csv|md`

}  // namespace etiage::cli
