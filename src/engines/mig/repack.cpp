// The change with the fewest moves, as a small integer programme: for every kind of existing card, into which
// full card it is made and what of it stays; beside these, new cards.
//
//     columns  x(kind, card): so many cards of that kind become that card     least: cards, or moves
//              k(profile): so many instances stay where they are
//     rows     cards of a kind <= as many as there are
//              instances of a profile in all cards >= demand
//              k(profile) <= what the chosen cards keep, and <= demand

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

#include "engines/mig/layout.h"
#include "engines/mig/programme.h"

namespace etiage::mig {
namespace {

using Card = std::vector<Instance>;
using Counts = std::vector<int>;  ///< by index of profile

/// One way a card of a kind may end.
struct Way {
  std::size_t kind = 0;
  Card card;
  Counts holds, keeps;
};

bool covers(const Way& a, const Way& b) {
  return std::ranges::equal(a.holds, b.holds, std::greater_equal{}) &&
         std::ranges::equal(a.keeps, b.keeps, std::greater_equal{});
}

Counts counted_by_profile(const MigGeometry& g, const Card& instances) {
  Counts out(g.profiles.size());
  for (const auto& i : instances)
    for (std::size_t p = 0; p < out.size(); ++p) out[p] += g.profiles[p].name == i.profile;
  return out;
}

bool stays(const Card& existing, const Instance& instance) {
  return std::ranges::find(existing, instance) != existing.end();
}

/// The ways of one kind, without those that another beats in all it holds and keeps.
std::vector<Way> ways_of(const MigGeometry& g, std::size_t kind, const Card& existing,
                         const std::vector<Card>& cards) {
  std::vector<Way> all;
  for (const auto& card : cards) {
    Card kept;
    std::ranges::copy_if(card, std::back_inserter(kept),
                         [&](const Instance& i) { return stays(existing, i); });
    all.push_back({kind, card, counted_by_profile(g, card), counted_by_profile(g, kept)});
  }
  std::ranges::stable_sort(all, std::greater{}, [](const Way& w) { return std::tie(w.holds, w.keeps); });
  std::vector<Way> out;
  for (auto& w : all)
    if (std::ranges::none_of(out, [&](const Way& better) { return covers(better, w); }))
      out.push_back(std::move(w));
  return out;
}

/// What is known before anything is decided.
struct Task {
  MigGeometry wanted;         ///< profiles of the demand alone
  Counts demand, there;       ///< by profile: asked for, and existing
  std::vector<Layout> kinds;  ///< existing cards, equal ones counted
  std::vector<Way> ways;      ///< those of the last kind, behind all others, are new cards

  int columns() const { return static_cast<int>(ways.size()); }
  int most_kept() const {
    int n = 0;
    for (std::size_t p = 0; p < demand.size(); ++p) n += std::min(demand[p], there[p]);
    return n;
  }
};

Task task_of(const MigGeometry& g, const std::vector<Card>& existing, const Demand& demand) {
  Task t{.wanted = only_wanted(g, demand), .demand = {}, .there = {}, .kinds = counted(existing), .ways = {}};
  const auto cards = full_cards(t.wanted);
  t.there.resize(t.wanted.profiles.size());
  for (const auto& p : t.wanted.profiles) t.demand.push_back(demand.at(p.name));
  for (std::size_t k = 0; k <= t.kinds.size(); ++k) {
    const Card none;
    const auto& card = k < t.kinds.size() ? t.kinds[k].instances : none;
    const auto counts = counted_by_profile(t.wanted, card);
    for (std::size_t p = 0; p < counts.size(); ++p)
      t.there[p] += k < t.kinds.size() ? counts[p] * t.kinds[k].count : 0;
    std::ranges::move(ways_of(t.wanted, k, card, cards), std::back_inserter(t.ways));
  }
  return t;
}

Programme programme_of(const Task& t) {
  Programme out{.columns = std::vector<Programme::Column>(t.ways.size()), .rows = {}};
  for (std::size_t k = 0; k < t.kinds.size(); ++k) {
    Programme::Row row{.terms = {}, .least = -kNoLimit, .most = static_cast<double>(t.kinds[k].count)};
    for (int j = 0; j < t.columns(); ++j)
      if (t.ways[static_cast<std::size_t>(j)].kind == k) row.terms.emplace_back(j, 1);
    out.rows.push_back(std::move(row));
  }
  for (std::size_t p = 0; p < t.demand.size(); ++p) {
    Programme::Row holds{.terms = {}, .least = static_cast<double>(t.demand[p])},
        keeps{.terms = {{t.columns() + static_cast<int>(p), -1}}, .least = 0};
    for (int j = 0; j < t.columns(); ++j) {
      const auto& w = t.ways[static_cast<std::size_t>(j)];
      if (w.holds[p] > 0) holds.terms.emplace_back(j, w.holds[p]);
      if (w.keeps[p] > 0) keeps.terms.emplace_back(j, w.keeps[p]);
    }
    out.rows.push_back(std::move(holds));
    out.rows.push_back(std::move(keeps));
    out.columns.push_back({.cost = 0, .most = static_cast<double>(t.demand[p])});
  }
  return out;
}

Programme::Row all_cards(const Task& t) {
  Programme::Row row;
  for (int j = 0; j < t.columns(); ++j) row.terms.emplace_back(j, 1);
  return row;
}

Programme::Row all_kept(const Task& t) {
  Programme::Row row;
  for (std::size_t p = 0; p < t.demand.size(); ++p)
    row.terms.emplace_back(t.columns() + static_cast<int>(p), 1);
  return row;
}

/// Fewest cards within the moves allowed, then fewest moves with so many cards.
std::optional<Whole> decide(const Task& t, int fewest_cards, std::optional<int> most_moves) {
  auto programme = programme_of(t);
  auto cards = all_cards(t);
  if (most_moves) {
    auto kept = all_kept(t);
    kept.least = std::max(0, t.most_kept() - *most_moves);
    programme.rows.push_back(std::move(kept));
    for (int j = 0; j < t.columns(); ++j) programme.columns[static_cast<std::size_t>(j)].cost = 1;
    const auto least = solve_whole(programme);
    if (!least) return least;
    fewest_cards = std::accumulate(least->values.begin(), least->values.begin() + t.columns(), 0);
  }
  for (std::size_t j = 0; j < programme.columns.size(); ++j)
    programme.columns[j].cost = static_cast<int>(j) < t.columns() ? 0 : -1;
  cards.most = fewest_cards;
  programme.rows.push_back(std::move(cards));
  return solve_whole(programme);
}

/// Takes as many instances of each profile as are left of `wanted`.
bool take(const MigGeometry& g, Counts& wanted, const Instance& i) {
  for (std::size_t p = 0; p < wanted.size(); ++p)
    if (g.profiles[p].name == i.profile && wanted[p] > 0) return --wanted[p], true;
  return false;
}

Change change_of(const Task& t, const Whole& decided) {
  std::vector<std::pair<const Way*, int>> chosen;
  Counts stay(t.demand.size());
  for (std::size_t j = 0; j < t.ways.size(); ++j) {
    if (decided.values[j] <= 0) continue;
    chosen.emplace_back(&t.ways[j], decided.values[j]);
    for (std::size_t p = 0; p < stay.size(); ++p) stay[p] += t.ways[j].keeps[p] * decided.values[j];
  }
  Counts create = t.demand;
  for (std::size_t p = 0; p < stay.size(); ++p)
    stay[p] = std::min(stay[p], t.demand[p]), create[p] -= stay[p];
  Change out{.kept = std::accumulate(stay.begin(), stay.end(), 0),
             .created = std::accumulate(create.begin(), create.end(), 0),
             .proven_fewest = decided.proven};
  out.moved = t.most_kept() - out.kept;
  for (const auto& k : t.kinds) out.removed += k.count * static_cast<int>(k.instances.size());
  out.removed -= out.kept;
  std::vector<Card> cards;
  for (const auto& [way, count] : chosen)
    for (int n = 0; n < count; ++n) {
      const Card none;
      const auto& before = way->kind < t.kinds.size() ? t.kinds[way->kind].instances : none;
      Card card;
      for (const auto& i : way->card)
        if (take(t.wanted, stays(before, i) ? stay : create, i)) card.push_back(i);
      cards.push_back(std::move(card));
    }
  out.packing.layouts = counted(cards);
  return out;
}

Result<void> check_existing(const MigGeometry& g, const std::vector<Card>& existing) {
  for (std::size_t c = 0; c < existing.size(); ++c) {
    Card placed;
    for (const auto& i : existing[c]) {
      const auto* p = g.find(i.profile);
      if (p == nullptr)
        return failure(fmt::format("card {} holds a profile \"{}\" that it cannot have", c, i.profile));
      const unsigned body = ((1U << p->memory) - 1) << i.start;
      if (std::ranges::find(p->starts, i.start) == p->starts.end() || (slices(g, placed) & body) != 0)
        return failure(fmt::format("card {} cannot hold a {} at slice {}", c, i.profile, i.start));
      if (free_start(g, placed, *p) < 0)
        return failure(fmt::format("card {} cannot hold one more {}", c, i.profile));
      placed.push_back(i);
    }
  }
  return {};
}

}  // namespace

Result<Change> repack(const MigGeometry& g, const std::vector<Card>& existing, const Demand& demand,
                      std::optional<int> most_moves) {
  if (auto ok = check(g, demand); !ok) return std::unexpected(ok.error());
  if (auto ok = check_existing(g, existing); !ok) return std::unexpected(ok.error());
  if (most_moves && *most_moves < 0) return failure(fmt::format("{} moves make no sense", *most_moves));
  const auto fewest = pack(g, demand);
  if (!fewest) return std::unexpected(fewest.error());
  const auto task = task_of(g, existing, demand);
  const auto decided = decide(task, fewest->gpus, most_moves);
  if (!decided)
    return failure("no change was found in the time allowed", {},
                   "leave out --existing, or allow more moves");
  auto change = change_of(task, *decided);
  count_rest(g, change.packing);
  change.packing.lower_bound = fewest->lower_bound;
  return change;
}

}  // namespace etiage::mig
