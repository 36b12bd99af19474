#include "app/scan.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/invoice.h"
#include "app/label_query.h"
#include "app/next_steps.h"
#include "catalog/prices.h"
#include "explain/doctor/prices.h"
#include "formats/kind.h"
#include "model/selector.h"

namespace etiage::app {
namespace {

/// A date is its first moment.
std::optional<Instant> moment(std::string_view text) {
  return parse_instant(text.size() == 10 ? std::string(text) + "T00:00:00Z" : std::string(text));
}

void add_diagnostic_checks(Reading& reading) {
  std::map<std::string, Check> by_code;
  for (const Diagnostic& d : reading.diagnostics) {
    if (d.severity == Severity::kInfo) continue;
    Check& check = by_code
                       .try_emplace("input-" + d.code, Check{"input-" + d.code,
                                                             d.severity,
                                                             "parts of the input could not be used",
                                                             "the rest was used",
                                                             d.hint,
                                                             {}})
                       .first->second;
    check.severity = std::max(check.severity, d.severity);
    if (check.subjects.size() < 20) check.subjects.push_back(to_string(d.place) + ": " + d.message);
  }
  for (auto& [code, check] : by_code) reading.checks.push_back(std::move(check));
}

/// The user's prices in the words of these nodes, and the list prices behind them.
PriceBook prices_of_nodes(PriceBook prices, const std::vector<NodeLife>& nodes) {
  std::vector<PricedNode> asked;
  for (const NodeLife& node : nodes) asked.push_back({node.name, node.instance_type, node.card, node.cards});
  return catalog::prices_for(std::move(prices), asked);
}

/// The worst grade of what the bill's split rests on.
Grade overall(const Reading& reading) {
  Grade worst = Grade::kMeasured;
  for (const Work& w : reading.evidence.work) worst = std::max(worst, w.grade);
  if (reading.ledger.buckets[ledger::Bucket::kUnmeasured].micro > 0) worst = std::max(worst, Grade::kDerived);
  if (reading.evidence.work.empty()) worst = std::max(worst, Grade::kDerived);
  for (const auto& n : reading.ledger.nodes)
    if (n.hourly) worst = std::max(worst, n.price_grade);
  return worst;
}

}  // namespace

Result<evidence::WindowRequest> parse_window(std::string_view text) {
  evidence::WindowRequest out;
  if (text.empty()) return out;
  if (text == "last-month") return out.last_month = true, out;
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) {
    const auto last = parse_duration(text);
    if (!last || last->ns <= 0)
      return failure("'" + std::string(text) + "' is no window", {},
                     "write A/B with two times, a span like 7d, or last-month");
    out.last = last;
    return out;
  }
  const auto start = moment(text.substr(0, slash)), end = moment(text.substr(slash + 1));
  if (!start || !end)
    return failure("'" + std::string(text) + "' is no window", {},
                   "write times as 2026-10-12T00:00:00Z/2026-10-13T00:00:00Z");
  if (*end == *start) return failure("the window is empty", {}, "give a later end");
  if (*end < *start) return failure("the window ends before it begins", {}, "write the earlier time first");
  out.absolute = Window{*start, *end};
  return out;
}

Result<ledger::IdleTo> parse_idle(std::string_view text) {
  if (text.empty() || text == "separate") return ledger::IdleTo::kSeparate;
  if (text == "proportional") return ledger::IdleTo::kProportional;
  if (text == "even") return ledger::IdleTo::kEven;
  return failure("'" + std::string(text) + "' says not who bears what is idle", {},
                 "separate, proportional or even");
}

Result<Loaded> load_inputs(const ReadOptions& options, bool queries_suffice) {
  auto loaded = load(options.paths, {options.prices, options.threads, options.now_ms, options.progress,
                                     options.cluster_labels});
  if (!loaded || !loaded->sources.clusters.empty() || !loaded->sources.series.all().empty()) return loaded;
  if (queries_suffice && !loaded->promql.empty()) return loaded;
  for (const Diagnostic& d : loaded->diagnostics)
    if (d.code == "foreign" || d.code == "damaged" || d.code == "unreadable" || d.code == "unused-text")
      return failure(d.message, d.place, d.hint);
  const bool one = loaded->files.size() == 1 && loaded->files[0].kind != "unknown";
  if (one && loaded->files[0].kind == to_string(formats::ContentKind::kEngineLog))
    return failure(
        "an engine's log tells nothing of a bill", {loaded->files[0].path},
        "etiage calibrate learns from it; give kubectl get nodes,pods,ns -o json and a dump of the metrics");
  if (one)
    return failure("nothing to bill in it alone: it reads as " + loaded->files[0].kind,
                   {loaded->files[0].path},
                   "give kubectl get nodes,pods,ns -o json and a dump of the metrics too");
  return failure("no objects and no samples in what was given", {},
                 "give kubectl get nodes,pods,ns -o json and a dump of the metrics; etiage inspect says "
                 "what each file is");
}

Result<Reading> settle(const Loaded& inputs, const ReadOptions& options, const std::string& window) {
  const auto wanted = parse_window(window);
  if (!wanted) return std::unexpected(wanted.error());
  Reading out;
  out.prices = inputs.prices;
  const evidence::Request request{*wanted, price_changes(out.prices, {Instant::min(), Instant::max()}),
                                  options.team_keys, options.model_aliases, options.threads};
  out.evidence = evidence::build_evidence(inputs.sources, request);
  out.prices = prices_of_nodes(std::move(out.prices), out.evidence.nodes);
  out.ledger = ledger::settle(out.evidence, out.prices, options.threads);
  out.provenance = inputs.files;
  out.diagnostics = inputs.diagnostics;
  out.checks = out.evidence.checks;
  if (!options.invoices.empty()) {
    auto invoice = read_invoices(options.invoices, out.evidence, out.ledger, out.provenance, out.diagnostics);
    if (!invoice) return std::unexpected(invoice.error());
    out.invoice = std::move(*invoice);
    std::ranges::move(ledger::invoice_checks(*out.invoice, out.ledger), std::back_inserter(out.checks));
  }
  auto prices = explain::price_checks(out.evidence, out.ledger, inputs.prices);
  std::ranges::move(prices, std::back_inserter(out.checks));
  add_diagnostic_checks(out);
  std::ranges::stable_sort(out.checks, std::ranges::greater{}, &Check::severity);
  out.grade = overall(out);
  out.borne = ledger::borne_idle(out.evidence, out.ledger, options.idle);
  return out;
}

Result<Reading> read_cluster(const ReadOptions& options) {
  const auto inputs = load_inputs(options);
  if (!inputs) return std::unexpected(inputs.error());
  return settle(*inputs, options, options.window);
}

Result<ledger::PodFilter> listed_pods(const ReadOptions& options) {
  auto selector = parse_label_query(options.selector);
  if (!selector) return std::unexpected(selector.error());
  if (options.ns.empty() && options.selector.empty()) return ledger::PodFilter{};
  return [ns = options.ns, selector = std::move(*selector)](const PodLife& pod) {
    return (ns.empty() || pod.ns == ns) && matches(selector, pod.labels);
  };
}

std::string listed_in_words(const Evidence& evidence, const ReadOptions& options) {
  std::string out;
  if (!options.ns.empty()) out = "namespace " + options.ns;
  if (!options.selector.empty()) out += (out.empty() ? "" : " and ") + ("selector " + options.selector);
  const auto wanted = listed_pods(options);
  if (out.empty() || !wanted || std::ranges::any_of(evidence.pods, *wanted)) return out;
  std::set<std::string> known;
  for (const PodLife& pod : evidence.pods) known.insert(pod.ns);
  std::string names;
  for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
  return out + " (no pod of the data; namespaces: " + (names.empty() ? "none" : names) + ")";
}

Result<render::Scan> scan_view(const Reading& reading, const ReadOptions& options) {
  const auto wanted = listed_pods(options);
  if (!wanted) return std::unexpected(wanted.error());
  auto workloads = ledger::workload_rows(reading.evidence, reading.ledger, reading.borne, *wanted);
  auto next = next_after_scan(reading, workloads, options);
  render::Scan out{reading.evidence,
                   reading.ledger,
                   ledger::model_rows(reading.evidence, reading.ledger, reading.borne, *wanted),
                   std::move(workloads),
                   reading.provenance,
                   reading.checks,
                   reading.grade,
                   listed_in_words(reading.evidence, options),
                   std::move(next)};
  if (reading.invoice) out.invoice = &*reading.invoice;
  return out;
}

}  // namespace etiage::app
