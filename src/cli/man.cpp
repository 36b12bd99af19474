#include <fmt/format.h>

#include "cli/help.h"

namespace etiage::cli {
namespace {

/// Text that roff prints as it stands.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_start = c == '\n';
  }
  return out;
}

/// Paragraphs filled, indented lines kept.
std::string paragraphs(const std::string& details) {
  std::string out, line;
  bool example = false;
  std::size_t at = 0;
  while (at < details.size()) {
    const std::size_t end = std::min(details.find('\n', at), details.size());
    line = details.substr(at, end - at);
    at = end + 1;
    const bool indented = line.starts_with("  ");
    if (indented != example) out += indented ? ".PP\n.nf\n" : ".fi\n";
    example = indented;
    out += line.empty() ? ".PP\n" : roff(line) + '\n';
  }
  return out + (example ? ".fi\n" : "");
}

std::string options(const std::vector<Option>& options) {
  std::string out;
  for (const Option& option : options)
    out += fmt::format(".TP\n.B {}\n{}\n", roff(option_words(option)), roff(option.help));
  return out;
}

}  // namespace

std::string man_page(const std::vector<Command>& commands) {
  std::string out = fmt::format(
      ".TH ETIAGE 1 \"\" \"etiage {}\" \"User Commands\"\n.SH NAME\netiage \\- what tokens served on "
      "Kubernetes GPUs cost\n"
      ".SH SYNOPSIS\n.B etiage\n.I COMMAND\n[\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n"
      "Reads Kubernetes objects, metrics and prices, as files or from a cluster, and tells what each token "
      "cost, where the money "
      "leaks and what to change. Nothing is written to a cluster.\n",
      ETIAGE_VERSION);
  std::string group;
  for (const Command& command : commands) {
    if (command.group != group) out += fmt::format(".SH \"{}\"\n", roff(command.group));
    group = command.group;
    out += fmt::format(".SS \"etiage {} {}\"\n{}.\n", roff(command.name), roff(command.positional),
                       roff(command.summary));
    if (!command.details.empty()) out += ".PP\n" + paragraphs(command.details);
    out += options(command.options);
  }
  return out + ".SH \"OPTIONS OF EVERY COMMAND\"\n" + options(common_options()) +
         ".SH \"EXIT STATUS\"\n.TP\n.B 0\ndone\n.TP\n.B 1\ncould not do it; one line on stderr says what, "
         "where and how to mend it\n"
         ".TP\n.B 2\nwrong usage\n.SH ENVIRONMENT\n.TP\n.B NO_COLOR\nset and not empty: no colours\n"
         ".SH \"SEE ALSO\"\n.BR kubectl (1),\n.BR promtool (1)\n";
}

}  // namespace etiage::cli
