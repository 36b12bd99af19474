#include "app/next_steps.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "base/ascii.h"
#include "base/counted.h"

namespace etiage::app {
namespace {

using ledger::Bucket;
using render::NextStep;

/// As a POSIX shell takes it for one word.
std::string quoted(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("/._-+:=,@%").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

std::string joined_aliases(const ReadOptions& options) {
  std::vector<std::string> out;
  for (const auto& [gateway, model] : options.model_aliases)
    out.push_back(fmt::format("{}={}", gateway, model));
  return joined(out);
}

/// `etiage COMMAND` over the same data, window and rows, reckoned the same way.
std::string command_line(const std::string& command, const ReadOptions& options) {
  std::string out = "etiage " + command;
  for (const std::string& path : options.paths) out += " " + quoted(path);
  for (const std::string& path : options.prices) out += " --prices " + quoted(path);
  if (!options.window.empty()) out += " --window " + quoted(options.window);
  if (!options.cluster_labels.empty()) out += " --cluster-label " + quoted(joined(options.cluster_labels));
  if (options.team_keys != ReadOptions().team_keys)
    out += " --team-label " + quoted(joined(options.team_keys));
  if (!options.ns.empty()) out += " --namespace " + quoted(options.ns);
  if (!options.selector.empty()) out += " --selector " + quoted(options.selector);
  if (options.idle == ledger::IdleTo::kProportional) out += " --idle proportional";
  if (options.idle == ledger::IdleTo::kEven) out += " --idle even";
  if (!options.model_aliases.empty()) out += " --model-alias " + quoted(joined_aliases(options));
  return out;
}

void add_unpriced(std::vector<NextStep>& out, const Reading& reading, const ReadOptions& options) {
  const auto unpriced = std::ranges::count_if(reading.ledger.nodes, [](const auto& n) { return !n.hourly; });
  if (unpriced > 0 && !reading.ledger.nodes.empty())
    out.push_back({"the money of " + counted(static_cast<std::size_t>(unpriced), "node") +
                       " without a price (a CSV with the line instanceType,hourly on top)",
                   command_line("scan", options) + " --prices prices.csv"});
}

/// Names of pods and workloads repeat from cluster to cluster.
std::string cluster_before(const Evidence& evidence, const std::string& cluster) {
  const auto other = [&](const NodeLife& n) { return n.cluster != cluster; };
  return !cluster.empty() && std::ranges::any_of(evidence.nodes, other) ? cluster + "/" : "";
}

/// The workload of `rows` that holds most without working.
void add_idlest(std::vector<NextStep>& out, const Reading& reading,
                const std::vector<ledger::WorkloadRow>& rows, const ReadOptions& options) {
  const auto idle = [](const ledger::WorkloadRow& w) { return w.buckets[Bucket::kHeldIdle]; };
  const auto most = std::ranges::max_element(rows, {}, idle);
  if (most == rows.end() || idle(*most).micro == 0) return;
  const std::string name = cluster_before(reading.evidence, most->cluster) + most->ns + "/" + most->name;
  out.push_back({"where the " + render::money(idle(*most)).shown + " " + reading.ledger.currency +
                     " come from that " + name + " held idle",
                 command_line("why " + quoted(lower_case(most->kind) + "/" + name), options)});
}

}  // namespace

std::vector<NextStep> next_after_scan(const Reading& reading, const std::vector<ledger::WorkloadRow>& listed,
                                      const ReadOptions& options) {
  std::vector<NextStep> out;
  add_unpriced(out, reading, options);
  if (reading.evidence.window.empty()) {
    out.push_back(
        {"a bill, once there are samples over time, from promtool tsdb dump-openmetrics DATA > day.om",
         command_line("scan", options) + " day.om"});
  } else {
    add_idlest(out, reading, listed, options);
    const bool teams =
        std::ranges::any_of(reading.evidence.pods, [](const auto& p) { return !p.team.empty(); });
    out.push_back({"who spent it",
                   command_line("cost", options) + (teams ? " --by team,model" : " --by namespace,model")});
    if (!reading.evidence.devices.empty())
      out.push_back({"what bought nothing, by owner and with its fix", command_line("waste", options)});
  }
  if (!reading.checks.empty())
    out.push_back(
        {"what the remarks above do to the figures, and how to mend them", command_line("doctor", options)});
  return out;
}

std::vector<NextStep> next_after_cost(const render::Cost& cost, const ReadOptions& options) {
  std::vector<NextStep> out;
  const auto explained = [](const std::string& key) {
    return key == "model" || key == "team" || key == "namespace" || key == "workload" || key == "node" ||
           key == "tenant";
  };
  const auto most = std::ranges::max_element(cost.rows, {}, [](const ledger::BreakdownRow& r) {
    return r.unattributed || r.key.front().empty() ? Money{} : r.unit.cost;
  });
  if (most != cost.rows.end() && most->unit.cost.micro > 0 && !most->unattributed &&
      !most->key.front().empty() && explained(cost.by.front()))
    out.push_back({"where the money of " + most->key.front() + " comes from",
                   command_line("why " + quoted(cost.by.front() + "/" + most->key.front()), options)});
  const bool by_time = std::ranges::any_of(cost.by, [](const auto& k) { return k == "hour" || k == "day"; });
  if (!by_time && cost.window.length() > Duration::hours(2))
    out.push_back({"how it went over time",
                   command_line("cost", options) +
                       (cost.window.length() > Duration::hours(48) ? " --by day" : " --by hour")});
  return out;
}

}  // namespace etiage::app
