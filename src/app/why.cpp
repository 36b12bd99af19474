#include <algorithm>
#include <set>

#include "app/cost.h"
#include "evidence/dialects.h"

namespace etiage::app {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

struct Subject {
  std::string kind, ns, name;
};

std::optional<Subject> parse_subject(const std::string& text) {
  const auto first = text.find('/');
  if (first == std::string::npos || first == 0 || first + 1 == text.size()) return {};
  Subject out{lower(text.substr(0, first)), "", text.substr(first + 1)};
  // Models and namespaces may themselves hold a slash; only pods and workloads carry a namespace in front.
  const auto second = out.name.find('/');
  if (second != std::string::npos && out.kind != "model" && out.kind != "node" && out.kind != "device") {
    out.ns = out.name.substr(0, second);
    out.name = out.name.substr(second + 1);
  }
  return out;
}

/// Which model of a pod's the subject names; nothing where it serves no such model.
std::optional<std::size_t> served(const Evidence& evidence, const ledger::ModelWeights& weights,
                                  const std::string& name) {
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (evidence.models[weights[i].first.index()].name == name) return i;
  return {};
}

/// The pods that the subject stands for.
std::vector<PodId> pods_of(const Evidence& evidence, const std::vector<ledger::ModelWeights>& weights,
                           const Subject& s) {
  std::vector<PodId> out;
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i) {
    const PodLife& p = evidence.pods[i];
    if (!s.ns.empty() && p.ns != s.ns) continue;
    const bool hit = s.kind == "pod"         ? p.name == s.name
                     : s.kind == "namespace" ? p.ns == s.name
                     : s.kind == "team"      ? p.team == s.name
                     : s.kind == "model"
                         ? served(evidence, weights[i], s.name).has_value()
                         : p.workload == s.name && (s.kind == "workload" || lower(p.workload_kind) == s.kind);
    if (hit) out.push_back({i});
  }
  return out;
}

/// Of pods that serve several models, only the model's part of each piece: the parts sum to its part of the
/// pod.
void keep_part(std::vector<ledger::Piece>& pieces, PodId pod, const ledger::ModelWeights& weights,
               std::size_t model) {
  std::vector<ledger::Piece*> mine;
  std::vector<long double> amounts;
  Money total;
  for (ledger::Piece& p : pieces) {
    if (p.entry.pod != pod) continue;
    mine.push_back(&p);
    amounts.push_back(static_cast<long double>(p.amount.micro));
    total += p.amount;
  }
  const auto parts = split(ledger::part_of(total, weights, model), amounts);
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i]->amount = parts[i];
}

std::string source_of(const Evidence& evidence, const ledger::Piece& p) {
  if (!p.entry.pod.valid()) return "node " + evidence.nodes[p.node.index()].name;
  const PodLife& pod = evidence.pods[p.entry.pod.index()];
  const std::string held = "pod " + pod.ns + "/" + pod.name + " (" + std::string(to_string(pod.source)) + ")";
  if (!p.entry.signal || !p.entry.holding.valid()) return held;
  const DeviceId device = evidence.holdings[p.entry.holding.index()].device;
  return device.valid() ? evidence::series_of(*p.entry.signal, evidence.devices[device.index()], pod) : held;
}

std::string statement(const std::string& subject, const std::vector<ledger::Piece>& pieces,
                      const std::string& currency) {
  Money total;
  ledger::Buckets buckets;
  for (const auto& p : pieces) total += p.amount, buckets[p.entry.bucket] += p.amount;
  std::string out = subject + " cost " + to_string(total) + " " + currency;
  std::string parts;
  for (std::size_t b = 0; b < ledger::kBucketCount; ++b)
    if (buckets.of[b].micro != 0)
      parts += (parts.empty() ? "" : ", ") + std::string(to_string(static_cast<ledger::Bucket>(b))) + " " +
               to_string(buckets.of[b]);
  return parts.empty() ? out : out + ": " + parts;
}

std::optional<Error> unknown(const Evidence& evidence, const Subject& s) {
  const std::string what = (s.ns.empty() ? "" : s.ns + "/") + s.name;
  std::set<std::string> near;
  for (const PodLife& p : evidence.pods)
    if (p.name.starts_with(s.name) || p.workload.starts_with(s.name))
      near.insert(p.workload_kind + "/" + p.ns + "/" + p.workload);
  return Error{
      "no " + s.kind + " '" + what + "' in the data",
      {},
      near.empty() ? "etiage scan lists workloads, nodes and models" : "did you mean " + *near.begin() + "?"};
}

}  // namespace

Result<render::Why> why(const Reading& reading, const std::string& text) {
  const auto subject = parse_subject(text);
  if (!subject)
    return failure("'" + text + "' is no KIND/NAME", {},
                   "pod/NAMESPACE/NAME, node/NAME, model/NAME, namespace/NAME, team/NAME, device/UUID or "
                   "deployment/NAMESPACE/NAME");
  const Evidence& evidence = reading.evidence;
  const auto weights = ledger::model_weights(evidence);
  std::vector<PodId> pods;
  ledger::PieceFilter filter;
  if (subject->kind == "node") {
    const auto it = std::ranges::find(evidence.nodes, subject->name, &NodeLife::name);
    if (it == evidence.nodes.end()) return std::unexpected(*unknown(evidence, *subject));
    const NodeId id{static_cast<std::uint32_t>(it - evidence.nodes.begin())};
    filter = [id](NodeId node, const ledger::Entry&) { return node == id; };
  } else if (subject->kind == "device") {
    const auto known = std::ranges::find(evidence.devices, subject->name, &DeviceLife::uuid);
    if (known == evidence.devices.end()) return std::unexpected(*unknown(evidence, *subject));
    filter = [&evidence, name = subject->name](NodeId, const ledger::Entry& e) {
      if (!e.holding.valid()) return false;
      const DeviceId d = evidence.holdings[e.holding.index()].device;
      return d.valid() && evidence.devices[d.index()].uuid == name;
    };
  } else {
    pods = pods_of(evidence, weights, *subject);
    if (pods.empty()) return std::unexpected(*unknown(evidence, *subject));
    filter = [set = std::set<PodId>(pods.begin(), pods.end())](NodeId, const ledger::Entry& e) {
      return set.contains(e.pod);
    };
  }
  render::Why out{text, "",       ledger::pieces(evidence, reading.ledger, reading.prices, filter),
                  {},   evidence, reading.ledger.currency};
  if (subject->kind == "model")
    for (PodId pod : pods)
      if (weights[pod.index()].size() > 1)
        keep_part(out.pieces, pod, weights[pod.index()],
                  *served(evidence, weights[pod.index()], subject->name));
  out.statement = statement(text, out.pieces, out.currency);
  for (const auto& p : out.pieces) out.sources.push_back(source_of(evidence, p));
  return out;
}

}  // namespace etiage::app
