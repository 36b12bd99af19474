#pragma once
// What may stand where the cursor is, from the command table.

#include <string>
#include <vector>

#include "cli/command.h"

namespace etiage::cli {

struct Candidate {
  std::string word, help;

  bool operator==(const Candidate&) const = default;
};

struct Completion {
  std::vector<Candidate> candidates;
  bool files = false;  ///< names of files fit here too

  bool operator==(const Completion&) const = default;
};

/// `words` are those behind the program's name, the last one begun (perhaps empty).
Completion complete(const std::vector<Command>& commands, const std::vector<std::string>& words);

/// As kubectl and Cobra's scripts expect it: `word<TAB>help` lines, then `:0` where files fit too, else `:4`.
std::string completion_lines(const Completion& completion);

}  // namespace etiage::cli
