#include "cli/reading.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <ostream>
#include <sstream>
#include <thread>

namespace etiage::cli {

namespace {

std::string progress_text(std::string_view phase, std::uint64_t done, std::uint64_t total) {
  std::ostringstream line;
  line << phase << ": ";
  if (total > 0)
    line << done * 100 / total << " %";
  else
    line << done / 1'000'000 << " MB";
  return line.str();
}

}  // namespace

Progress progress_line(Streams& io, bool asked) {
  if (!io.progress && !asked) return {};
  auto shown = std::make_shared<std::atomic<std::int64_t>>(0);
  const bool terminal = io.progress;
  return [shown, terminal, &io](std::string_view phase, std::uint64_t done, std::uint64_t total) {
    using namespace std::chrono;
    const std::int64_t now = duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
    const bool over = total > 0 && done >= total;
    std::int64_t last = shown->load();
    const bool soon = now - last < (terminal ? 100 : 1000) || !shown->compare_exchange_strong(last, now);
    if (soon && !(over && terminal)) return;
    const std::string text = progress_text(phase, done, total);
    if (terminal)
      io.err << (over ? "\r                                \r" : '\r' + text + "  ") << std::flush;
    else
      io.err << text + '\n' << std::flush;
  };
}

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

std::vector<std::string> comma_separated(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  for (std::istringstream in(text); std::getline(in, word, ',');)
    if (!word.empty()) out.push_back(word);
  return out;
}

std::vector<Option> reading_options() {
  return {
      output_option(),
      {"window,w", "A/B|7d|last-month",
       "the time the report is about; without it, from the first device sample to the last"},
      {"prices,p", "FILE", "a price list: CSV instanceType|name|card,hourly or YAML", true},
      {"invoice", "FILE", "what was invoiced, to set beside the bill: FOCUS or AWS CUR as CSV", true},
      {"namespace,n", "NAMESPACE", "list only this namespace"},
      {"selector,l", "SELECTOR", "list only pods with these labels"},
      {"idle", "HOW", "who bears what nobody held", false, {"separate", "proportional", "even"}},
      {"model-alias", "GATEWAY=MODEL,...", "what a gateway calls a model that is served under another name"},
      {"progress", "", "tell on standard error how far it is, also where that is no terminal"},
      {"team-label", "KEY,...", "labels that name a team, of a pod or else of its namespace (team)"},
      {"cluster-label", "KEY,...",
       "labels by which series name their cluster (cluster, cluster_name, cluster_id, ...)"},
  };
}

Result<app::ReadOptions> reading_of(const Arguments& arguments, Streams& io, bool paths_needed) {
  app::ReadOptions out;
  out.paths = arguments.positional();
  out.prices = arguments.all("prices");
  out.invoices = arguments.all("invoice");
  out.window = arguments.get("window");
  out.ns = arguments.get("namespace");
  out.selector = arguments.get("selector");
  if (const auto window = app::parse_window(out.window); !window) return std::unexpected(window.error());
  if (const auto wanted = app::listed_pods(out); !wanted) return std::unexpected(wanted.error());
  const auto idle = app::parse_idle(arguments.get("idle"));
  if (!idle) return std::unexpected(idle.error());
  out.idle = *idle;
  for (const std::string& alias : comma_separated(arguments.get("model-alias"))) {
    const auto equals = alias.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == alias.size())
      return failure("'" + alias + "' is no alias", {}, "write --model-alias GATEWAY=MODEL");
    out.model_aliases.emplace_back(alias.substr(0, equals), alias.substr(equals + 1));
  }
  if (arguments.has("team-label")) out.team_keys = comma_separated(arguments.get("team-label"));
  if (arguments.has("cluster-label")) out.cluster_labels = comma_separated(arguments.get("cluster-label"));
  out.threads = std::max(1u, std::thread::hardware_concurrency());
  out.now_ms = now_ms();
  out.progress = progress_line(io, arguments.has("progress"));
  if (out.paths.empty() && paths_needed)
    return failure("nothing to read", {},
                   "give files or folders: etiage scan cluster.json metrics.om --prices prices.csv");
  return out;
}

}  // namespace etiage::cli
