#include <algorithm>
#include <set>

#include "app/cost.h"
#include "app/why_tenant.h"
#include "base/ascii.h"
#include "base/counted.h"
#include "base/nearest.h"
#include "evidence/dialects.h"

namespace etiage::app {
namespace {

struct Subject {
  std::string kind, ns, name;
  std::string cluster;  ///< only in this one; empty: in all
};

std::optional<Subject> parse_subject(const std::string& text) {
  const auto first = text.find('/');
  if (first == std::string::npos || first == 0 || first + 1 == text.size()) return {};
  Subject out{lower_case(text.substr(0, first)), "", text.substr(first + 1)};
  // Models and tenants may themselves hold a slash; only pods and workloads carry a namespace in front.
  const auto second = out.name.find('/');
  if (second != std::string::npos && out.kind != "model" && out.kind != "node" && out.kind != "device" &&
      out.kind != "tenant") {
    out.ns = out.name.substr(0, second);
    out.name = out.name.substr(second + 1);
  }
  return out;
}

/// `pod/us/shop/web` as `pod/shop/web` of the cluster `us`, where there is one of that name.
std::optional<Subject> in_a_cluster(const Evidence& evidence, const std::string& text) {
  const auto first = text.find('/'), second = text.find('/', first + 1);
  if (first == std::string::npos || second == std::string::npos) return {};
  const std::string cluster = text.substr(first + 1, second - first - 1);
  if (std::ranges::none_of(evidence.nodes, [&](const NodeLife& n) { return n.cluster == cluster; }))
    return {};
  auto out = parse_subject(text.substr(0, first) + text.substr(second));
  if (out) out->cluster = cluster;
  return out;
}

/// The pods that the subject stands for.
std::vector<PodId> pods_of(const Evidence& evidence, const std::vector<ledger::ModelWeights>& weights,
                           const Subject& s) {
  std::vector<PodId> out;
  for (std::uint32_t i = 0; i < evidence.pods.size(); ++i) {
    const PodLife& p = evidence.pods[i];
    if ((!s.ns.empty() && p.ns != s.ns) || (!s.cluster.empty() && p.cluster != s.cluster)) continue;
    const bool hit = s.kind == "pod"         ? p.name == s.name
                     : s.kind == "namespace" ? p.ns == s.name
                     : s.kind == "team"      ? p.team == s.name
                     : s.kind == "model"     ? served(evidence, weights[i], s.name).has_value()
                                             : p.workload == s.name && (s.kind == "workload" ||
                                                                    lower_case(p.workload_kind) == s.kind);
    if (hit) out.push_back({i});
  }
  return out;
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
                      const Reading& reading) {
  Money total;
  ledger::Buckets buckets;
  for (const auto& p : pieces) total += p.amount, buckets[p.entry.bucket] += p.amount;
  std::vector<std::pair<Money, std::string_view>> parts;
  for (std::size_t b = 0; b < ledger::kBucketCount; ++b)
    if (buckets.of[b].micro != 0)
      parts.emplace_back(buckets.of[b], to_string(static_cast<ledger::Bucket>(b)));
  std::ranges::stable_sort(parts, std::ranges::greater{}, &std::pair<Money, std::string_view>::first);
  std::set<std::string> clusters;
  for (const auto& p : pieces) clusters.insert(reading.evidence.nodes[p.node.index()].cluster);
  std::string out = subject + " cost " + render::money(total).shown + " " + reading.ledger.currency;
  if (clusters.size() > 1) out += " in " + counted(clusters.size(), "cluster");
  for (std::size_t i = 0; i < parts.size(); ++i)
    out += (i == 0 ? ": " : ", ") + render::percent(parts[i].first.units() / total.units()).shown + " " +
           std::string(parts[i].second);
  return out;
}

/// Why the pieces are none.
std::string reason_for_nothing(const Reading& reading, const std::vector<PodId>& pods) {
  const auto unpriced = [&](PodId p) {
    const NodeId node = reading.evidence.pods[p.index()].node;
    return node.valid() && !reading.ledger.nodes[node.index()].hourly;
  };
  if (reading.evidence.window.empty()) return "One sample has no window, so there is no money to explain";
  if (std::ranges::any_of(pods, unpriced)) return "Its nodes have no price: give --prices";
  if (std::ranges::none_of(pods, [&](PodId p) { return reading.evidence.pods[p.index()].node.valid(); }) &&
      !pods.empty())
    return "It was on no node that the data show";
  return "It held nothing that has a price inside the window";
}

/// What can be asked for, of one kind.
std::vector<std::string> subjects(const Evidence& evidence, const std::string& kind) {
  std::set<std::string> out;
  if (kind == "node")
    for (const NodeLife& n : evidence.nodes) out.insert(n.name);
  else if (kind == "device")
    for (const DeviceLife& d : evidence.devices) out.insert(d.uuid);
  else if (kind == "model")
    for (const ServedModel& m : evidence.models) out.insert(m.name);
  else if (kind == "tenant")
    out.insert(evidence.tenants.begin(), evidence.tenants.end());
  else
    for (const PodLife& p : evidence.pods) {
      if (kind == "namespace")
        out.insert(p.ns);
      else if (kind == "team")
        out.insert(p.team);
      else if (kind == "pod")
        out.insert(p.ns + "/" + p.name);
      else if (kind == "workload" || lower_case(p.workload_kind) == kind)
        out.insert(p.ns + "/" + p.workload);
    }
  out.erase("");
  return {out.begin(), out.end()};
}

/// The kinds that the data have.
std::string kinds(const Evidence& evidence) {
  std::set<std::string> out{"pod", "workload"};
  for (const PodLife& p : evidence.pods) out.insert(lower_case(p.workload_kind));
  std::string text = "node, namespace, team, model, device";
  if (!evidence.tenants.empty()) text += ", tenant";
  for (const std::string& kind : out) text += ", " + kind;
  return text;
}

/// Its nearest names, and a few of those that there are.
std::string hint(const Evidence& evidence, const Subject& s, const std::string& what) {
  const auto known = subjects(evidence, s.kind);
  if (known.empty()) return "kinds of these data: " + kinds(evidence);
  std::vector<std::string> near;
  for (const std::string& name : known)
    if (name.find(s.name) != std::string::npos || s.name.find(name) != std::string::npos)
      near.push_back(name);
  if (near.empty())
    if (const std::string one = did_you_mean(what, known); !one.empty()) return one.substr(2);
  constexpr std::size_t kNamed = 8;
  const auto& list = near.empty() ? known : near;
  std::string out = near.empty() ? "there are " : "did you mean ";
  for (std::size_t i = 0; i < std::min(list.size(), kNamed); ++i) out += (i ? ", " : "") + list[i];
  if (list.size() > kNamed) out += " and " + std::to_string(list.size() - kNamed) + " more";
  return out + (near.empty() ? "" : "?");
}

Error unknown(const Evidence& evidence, const Subject& s) {
  const std::string what = (s.ns.empty() ? "" : s.ns + "/") + s.name;
  return {"no " + s.kind + " '" + what + "' in the data", {}, hint(evidence, s, what)};
}

/// In several clusters there may be several of a name.
std::set<NodeId> nodes_of(const Evidence& evidence, const Subject& s) {
  std::set<NodeId> out;
  for (std::uint32_t i = 0; i < evidence.nodes.size(); ++i)
    if (const NodeLife& n = evidence.nodes[i];
        n.name == s.name && (s.cluster.empty() || n.cluster == s.cluster))
      out.insert(NodeId{i});
  return out;
}

std::set<DeviceId> devices_of(const Evidence& evidence, const Subject& s) {
  std::set<DeviceId> out;
  for (std::uint32_t i = 0; i < evidence.devices.size(); ++i)
    if (const DeviceLife& d = evidence.devices[i];
        d.uuid == s.name && (s.cluster.empty() || evidence.nodes[d.node.index()].cluster == s.cluster))
      out.insert(DeviceId{i});
  return out;
}

/// Which entries the subject stands for, and the pods among it.
struct Chosen {
  ledger::PieceFilter filter;
  std::vector<PodId> pods;
};

Result<Chosen> choose(const Evidence& evidence, const std::vector<ledger::ModelWeights>& weights,
                      const Subject& subject) {
  if (subject.kind == "node") {
    auto nodes = nodes_of(evidence, subject);
    if (nodes.empty()) return std::unexpected(unknown(evidence, subject));
    return Chosen{
        [nodes = std::move(nodes)](NodeId node, const ledger::Entry&) { return nodes.contains(node); }, {}};
  }
  if (subject.kind == "device") {
    auto devices = devices_of(evidence, subject);
    if (devices.empty()) return std::unexpected(unknown(evidence, subject));
    return Chosen{[&evidence, devices = std::move(devices)](NodeId, const ledger::Entry& e) {
                    return e.holding.valid() && devices.contains(evidence.holdings[e.holding.index()].device);
                  },
                  {}};
  }
  auto pods = pods_of(evidence, weights, subject);
  if (pods.empty()) return std::unexpected(unknown(evidence, subject));
  return Chosen{[set = std::set<PodId>(pods.begin(), pods.end())](NodeId, const ledger::Entry& e) {
                  return set.contains(e.pod);
                },
                std::move(pods)};
}

Result<render::Why> tenant_why(const Reading& reading, const Subject& subject, const std::string& text) {
  auto part = tenant_pieces(reading, subject.name);
  if (!part) return std::unexpected(unknown(reading.evidence, subject));
  render::Why out{text, "", "", std::move(part->pieces), {}, reading.evidence, reading.ledger.currency};
  out.statement = statement(text, out.pieces, reading);
  if (out.pieces.empty()) out.reason = "The models that it asked have no money in the window";
  for (std::size_t i = 0; i < out.pieces.size(); ++i)
    out.sources.push_back(source_of(reading.evidence, out.pieces[i]) + part->of[i]);
  return out;
}

}  // namespace

Result<render::Why> why(const Reading& reading, const std::string& text) {
  const auto subject = parse_subject(text);
  if (!subject)
    return failure(
        "'" + text + "' is no KIND/NAME", {},
        "pod/NAMESPACE/NAME, node/NAME, model/NAME, namespace/NAME, team/NAME, tenant/NAME, device/UUID "
        "or deployment/NAMESPACE/NAME");
  if (subject->kind == "tenant") return tenant_why(reading, *subject, text);
  const Evidence& evidence = reading.evidence;
  const auto weights = ledger::model_weights(evidence);
  auto chosen = choose(evidence, weights, *subject);
  if (const auto inside = chosen ? std::nullopt : in_a_cluster(evidence, text))
    if (auto there = choose(evidence, weights, *inside)) chosen = std::move(there);
  if (!chosen) return std::unexpected(chosen.error());
  render::Why out{text,
                  "",
                  "",
                  ledger::pieces(evidence, reading.ledger, reading.prices, chosen->filter),
                  {},
                  evidence,
                  reading.ledger.currency};
  if (subject->kind == "model")
    for (PodId pod : chosen->pods)
      if (weights[pod.index()].size() > 1)
        keep_part(out.pieces, pod, weights[pod.index()],
                  *served(evidence, weights[pod.index()], subject->name));
  out.statement = statement(text, out.pieces, reading);
  if (out.pieces.empty()) out.reason = reason_for_nothing(reading, chosen->pods);
  for (const auto& p : out.pieces) out.sources.push_back(source_of(evidence, p));
  return out;
}

}  // namespace etiage::app
