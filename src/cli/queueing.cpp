#include "cli/queueing.h"

#include <algorithm>

namespace etiage::cli {
namespace {

/// `A=true,B=false`, as Kueue's own flag takes it.
Result<std::map<std::string, bool, std::less<>>> read_gates(const std::vector<std::string>& texts) {
  std::map<std::string, bool, std::less<>> out;
  for (std::string_view rest : texts) {
    while (!rest.empty()) {
      const std::string_view item = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), item.size() + 1));
      const std::size_t equals = item.find('=');
      const std::string_view value = equals == std::string_view::npos ? "" : item.substr(equals + 1);
      if (value != "true" && value != "false")
        return failure("--feature-gates: '" + std::string(item) + "' is not NAME=true or NAME=false");
      out.insert_or_assign(std::string(item.substr(0, equals)), value == "true");
    }
  }
  return out;
}

}  // namespace

std::vector<Option> queueing_options() {
  return {
      {"kueue-version",
       "VERSION",
       "the release whose behaviour is wanted (0.19)",
       false,
       {"0.16", "0.17", "0.18", "0.19", "0.20"}},
      {"configuration", "FILE", "Kueue's Configuration: fair sharing, waitForPodsReady, resources, gates"},
      {"feature-gates", "GATES", "as NAME=true,NAME=false", true},
      {"now", "TIME", "the time of the first cycle, as 2026-01-01T12:00:00Z (the latest in the files)"}};
}

Result<app::QueueQuestion> queue_question(const Arguments& arguments, std::vector<std::string> paths) {
  app::QueueQuestion out{.paths = std::move(paths),
                         .kueue_version = arguments.get("kueue-version", quota::kLatestRelease),
                         .configuration = arguments.get("configuration")};
  auto gates = read_gates(arguments.all("feature-gates"));
  if (!gates) return std::unexpected(gates.error());
  out.feature_gates = std::move(*gates);
  if (arguments.has("now")) {
    out.now = parse_instant(arguments.get("now"));
    if (!out.now)
      return failure("--now: '" + arguments.get("now") + "' is not a time as 2026-01-01T12:00:00Z");
  }
  return out;
}

}  // namespace etiage::cli
