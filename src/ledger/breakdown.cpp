#include "ledger/breakdown.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>

namespace etiage::ledger {
namespace {

using Kind = Dimension::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 12> kNames{{{"model", Kind::kModel},
                                                                    {"team", Kind::kTeam},
                                                                    {"namespace", Kind::kNamespace},
                                                                    {"workload", Kind::kWorkload},
                                                                    {"kind", Kind::kKind},
                                                                    {"pod", Kind::kPod},
                                                                    {"node", Kind::kNode},
                                                                    {"card", Kind::kCard},
                                                                    {"cluster", Kind::kCluster},
                                                                    {"hour", Kind::kHour},
                                                                    {"day", Kind::kDay},
                                                                    {"tenant", Kind::kTenant}}};

/// What a key is asked about.
struct Subject {
  const PodLife* pod;  ///< null: nobody
  const NodeLife* node;
  ModelId model;
  Instant time;
};

std::string value_of(const Evidence& evidence, const Dimension& d, const Subject& s) {
  switch (d.kind) {
    case Kind::kNode:
      return s.node ? s.node->name : "";
    case Kind::kCard:
      return s.node ? s.node->card : "";
    case Kind::kCluster:
      return s.node ? s.node->cluster : "";
    case Kind::kHour:
    case Kind::kDay:
      return time_key(d, s.time);
    default:
      break;
  }
  if (!s.pod) return "";
  switch (d.kind) {
    case Kind::kModel:
      return s.model.valid() ? evidence.models[s.model.index()].name : "";
    case Kind::kTeam:
      return s.pod->team;
    case Kind::kNamespace:
      return s.pod->ns;
    case Kind::kWorkload:
      return s.pod->workload;
    case Kind::kKind:
      return s.pod->workload_kind;
    case Kind::kPod:
      return s.pod->name;
    case Kind::kLabel: {
      const auto it = s.pod->labels.find(d.label);
      return it == s.pod->labels.end() ? "" : it->second;
    }
    default:
      return "";
  }
}

/// A subject as far as rows tell subjects apart: of a long window most come again and again.
struct Seen {
  const PodLife* pod;
  const NodeLife* node;
  ModelId model;
  std::int64_t hour;  ///< 0 where rows know no time

  bool operator==(const Seen&) const = default;
};

struct SeenHash {
  std::size_t operator()(const Seen& s) const {
    std::size_t out = std::hash<const void*>{}(s.pod);
    for (const std::size_t part :
         {std::hash<const void*>{}(s.node), std::size_t{s.model.value}, static_cast<std::size_t>(s.hour)})
      out = (out ^ part) * 0x9e3779b97f4a7c15;
    return out;
  }
};

/// Rows under construction.
class Rows {
 public:
  Rows(const Evidence& evidence, const std::vector<Dimension>& by, const PodFilter& wanted)
      : evidence_(evidence), by_(by), wanted_(wanted), weights_(model_weights(evidence)) {
    by_model_ = std::ranges::any_of(by, [](const Dimension& d) { return d.kind == Kind::kModel; });
    by_time_ = std::ranges::any_of(
        by, [](const Dimension& d) { return d.kind == Kind::kHour || d.kind == Kind::kDay; });
    told_.resize(evidence.pods.size());
    for (const Served& s : evidence.served)
      if (s.pod.valid()) told_[s.pod.index()] = true;
  }

  BreakdownRow& at(const Subject& s) {
    BreakdownRow*& row = seen_[{s.pod, s.node, s.model, by_time_ ? s.time.ns / Duration::hours(1).ns : 0}];
    if (row == nullptr) row = &named(s);
    return *row;
  }

  /// Calls `f(row, i, weights)` for each model of the pod, or once where models do not matter.
  template <class F>
  void for_each_part(PodId pod, NodeId node, Instant t, F&& f) {
    static const ModelWeights kOne{{ModelId{}, 1}};
    if (!lists(&evidence_.pods[pod.index()])) return;
    const ModelWeights& own = weights_[pod.index()];
    const ModelWeights& weights = by_model_ && !own.empty() ? own : kOne;
    for (std::size_t i = 0; i < weights.size(); ++i)
      f(at({&evidence_.pods[pod.index()], node.valid() ? &evidence_.nodes[node.index()] : nullptr,
            weights[i].first, t}),
        i, weights);
  }

  /// Null: what nobody held.
  bool lists(const PodLife* pod) const { return !wanted_ || (pod && wanted_(*pod)); }
  bool by_time() const { return by_time_; }
  /// Adds to the money that tokens are priced by, where the pod serves.
  void charge(UnitCost& unit, PodId pod, Money amount) const {
    if (!weights_[pod.index()].empty()) unit.serving += amount, unit.charged = true;
    if (told_[pod.index()]) unit.with_tokens += amount;
  }
  bool serves(PodId pod) const { return !weights_[pod.index()].empty(); }
  std::vector<BreakdownRow> take() {
    std::vector<BreakdownRow> out;
    for (auto& [key, row] : rows_) {
      row.key = key.second;
      row.unit.cost = row.buckets.total() + row.borne;
      out.push_back(std::move(row));
    }
    return out;
  }

 private:
  BreakdownRow& named(const Subject& s) {
    std::vector<std::string> key;
    for (const Dimension& d : by_) key.push_back(value_of(evidence_, d, s));
    BreakdownRow& row = rows_[{s.pod == nullptr, std::move(key)}];
    row.unattributed = s.pod == nullptr;
    return row;
  }

  const Evidence& evidence_;
  const std::vector<Dimension>& by_;
  const PodFilter& wanted_;
  std::vector<ModelWeights> weights_;
  std::vector<bool> told_;  ///< by pod: it has token evidence
  bool by_model_ = false, by_time_ = false;
  std::map<std::pair<bool, std::vector<std::string>>, BreakdownRow> rows_;  // what nobody held comes last
  std::unordered_map<Seen, BreakdownRow*, SeenHash> seen_;
};

/// Card types whose idle money pods bear.
std::set<std::string> borne_cards(const Evidence& evidence, const std::vector<Money>& borne) {
  std::set<std::string> out;
  for (std::size_t i = 0; i < borne.size(); ++i)
    if (borne[i].micro != 0) out.insert(evidence.nodes[evidence.pods[i].node.index()].card);
  return out;
}

void add_money(Rows& rows, const Evidence& evidence, const Ledger& ledger,
               const std::set<std::string>& borne) {
  for (const Cell& cell : ledger.cells)
    for (const Leaf& leaf : cell.leaves) {
      if (!leaf.pod.valid()) {
        if (!rows.lists(nullptr) || borne.contains(evidence.nodes[cell.node.index()].card)) continue;
        rows.at({nullptr, &evidence.nodes[cell.node.index()], {}, cell.span.start}).buckets[leaf.bucket] +=
            leaf.amount;
        continue;
      }
      rows.for_each_part(leaf.pod, cell.node, cell.span.start,
                         [&](BreakdownRow& row, std::size_t i, const ModelWeights& weights) {
                           const Money part = part_of(leaf.amount, weights, i);
                           row.buckets[leaf.bucket] += part;
                           rows.charge(row.unit, leaf.pod, part);
                           if (rows.serves(leaf.pod) && leaf.bucket == Bucket::kBusy) row.unit.busy += part;
                         });
    }
}

void add_hours(Rows& rows, const Evidence& evidence) {
  for (const Holding& h : evidence.holdings) {
    const Window held = overlap(h.time, evidence.window);
    constexpr std::int64_t hour = Duration::hours(1).ns;
    for (Instant t = held.start; t < held.end;) {
      const Instant end = rows.by_time() ? std::min(held.end, Instant{(t.ns / hour + 1) * hour}) : held.end;
      rows.for_each_part(
          h.pod, h.node, t, [&](BreakdownRow& row, std::size_t i, const ModelWeights& weights) {
            row.unit.gpu_hours += h.share * (end - t).as_hours() * static_cast<double>(weights[i].second);
          });
      t = end;
    }
  }
}

/// Of `lone` servers, which nothing but their own series show, or of all others. Tokens without money would
/// make those of a row that has money look cheap.
void add_tokens(Rows& rows, const Evidence& evidence, bool lone) {
  for (const Served& s : evidence.served) {
    if (!s.pod.valid()) continue;
    const PodLife& pod = evidence.pods[s.pod.index()];
    if (!rows.lists(&pod) || (pod.source == PodSource::kEngineSeries) != lone) continue;
    BreakdownRow& row = rows.at(
        {&pod, pod.node.valid() ? &evidence.nodes[pod.node.index()] : nullptr, s.model, s.span.start});
    if (lone && row.unit.serving.micro > 0) continue;
    row.unit.tokens += {s.input, s.cached_input, s.output};
    row.unit.images += s.images;
    row.unit.prefill_seconds += s.prefill_seconds;
    row.unit.decode_seconds += s.decode_seconds;
  }
}

void add_grades(Rows& rows, const Evidence& evidence) {
  for (const Work& w : evidence.work) {
    const Holding& h = evidence.holdings[w.holding.index()];
    rows.for_each_part(h.pod, h.node, w.span.start, [&](BreakdownRow& row, std::size_t, const ModelWeights&) {
      row.unit.grade = std::max(row.unit.grade, w.grade);
    });
  }
}

}  // namespace

std::string time_key(const Dimension& dimension, Instant t) {
  if (dimension.kind == Kind::kDay) return to_string(t).substr(0, 10);
  return to_string(Instant{t.ns / Duration::hours(1).ns * Duration::hours(1).ns});
}

std::string Dimension::name() const {
  if (kind == Kind::kLabel) return "label:" + label;
  for (const auto& [name, k] : kNames)
    if (k == kind) return std::string(name);
  return "";
}

Result<std::vector<Dimension>> parse_dimensions(std::string_view text) {
  std::vector<Dimension> out;
  if (text.empty())
    return failure("no key to divide the bill by", {}, "use --by namespace, model, team, ...");
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    Dimension key;
    if (word.starts_with("label:") && word.size() > 6) {
      key = {Kind::kLabel, std::string(word.substr(6))};
    } else {
      const auto it = std::ranges::find(kNames, word, [](const auto& n) { return n.first; });
      if (it == kNames.end())
        return failure("unknown key '" + std::string(word) + "'", {},
                       "use model, team, namespace, workload, kind, pod, node, card, cluster, tenant, "
                       "hour, day or label:KEY");
      key.kind = it->second;
    }
    if (std::ranges::find(out, key) != out.end())
      return failure("the key '" + std::string(word) + "' is given twice", {}, "name each key once");
    out.push_back(std::move(key));
  }
  return out;
}

std::vector<BreakdownRow> breakdown(const Evidence& evidence, const Ledger& ledger,
                                    const std::vector<Dimension>& by, const std::vector<Money>& borne,
                                    const PodFilter& wanted) {
  Rows rows(evidence, by, wanted);
  add_money(rows, evidence, ledger, borne_cards(evidence, borne));
  add_hours(rows, evidence);
  add_tokens(rows, evidence, false);
  add_grades(rows, evidence);
  for (std::uint32_t i = 0; i < borne.size(); ++i)
    if (borne[i].micro != 0)
      rows.for_each_part({i}, evidence.pods[i].node, evidence.window.start,
                         [&](BreakdownRow& row, std::size_t m, const ModelWeights& w) {
                           const Money part = part_of(borne[i], w, m);
                           row.borne += part;
                           rows.charge(row.unit, {i}, part);
                         });
  add_tokens(rows, evidence, true);
  return rows.take();
}

}  // namespace etiage::ledger
