// The search: to make room for a pod on a node, some of those there have to leave, each to a node where it
// fits or where room is made for it in the same way. A plan is a tree of such wishes, carried out from its
// leaves on; no pod moves twice. Trees are searched by the number of moves, fewest first. Every plan of one
// or two moves is such a tree (a second move of the same pod, or one that makes room for nobody, could be
// left out), so that three moves, or none found before, are proven to be the fewest; beyond that only the
// floor proves.

#include <algorithm>
#include <numeric>
#include <tuple>

#include "engines/placement/share/repack_board.h"

namespace etiage::placement {
namespace {

/// Trees are all there is to search for plans of so many moves.
constexpr int kComplete = 2;

/// The ways to take devices for a pod that fits: for a share one device of each room, tightest first.
std::vector<DeviceSet> device_choices(const NodeState& node, const PodClass& pod, DeviceSet except = 0) {
  if (pod.gpus == 0) return {0};
  if (!pod.shares()) return {tightest_devices(node, pod)};
  std::vector<std::pair<std::int16_t, DeviceSet>> rooms;
  for (std::size_t d = 0; d < static_cast<std::size_t>(node.gpus); ++d)
    if (node.device_free[d] >= pod.gpu_milli && !(except >> d & 1))
      rooms.emplace_back(node.device_free[d], static_cast<DeviceSet>(1u << d));
  std::ranges::sort(rooms);
  rooms.erase(std::ranges::unique(rooms, {}, [](const auto& r) { return r.first; }).begin(), rooms.end());
  std::vector<DeviceSet> out;
  for (const auto& [room, devices] : rooms) out.push_back(devices);
  return out;
}

/// A pod is wanted on a node.
struct Wish {
  std::optional<std::uint32_t> running;  ///< nothing: the pending one
  std::uint32_t pod_class = 0, node = 0;
};

class Search {
 public:
  Search(Board& board, std::int64_t tries) : board_(board), tries_(tries) {}

  bool cut_short() const { return tries_ <= 0; }

  /// Starts the pending pod after at most `moves` moves.
  bool start(std::uint32_t pending, std::uint32_t pod_class, int moves) {
    pending_ = pending;
    settled_.assign(board_.cluster().running.size() + 1, false);
    for (const std::uint32_t n : roots(pod_class, moves)) {
      wishes_ = {{{}, pod_class, n}};
      if (fulfil(moves)) return true;
    }
    return false;
  }

  /// Moves every pod of a node to others that are in use.
  bool empty(std::uint32_t node) {
    auto pods = board_.there(node);
    std::ranges::stable_sort(pods, std::greater(), [&](std::uint32_t r) { return size(r); });
    return scatter(pods, 0);
  }

 private:
  std::tuple<std::int64_t, std::int64_t> size(std::uint32_t running) const {
    const PodClass& p = board_.pod(board_.cluster().running[running].pod_class);
    return {p.total_gpu_milli(), p.cpu_milli};
  }

  /// Nodes on which the pod could be after so many moves, the fewest to leave first, then the fullest.
  std::vector<std::uint32_t> roots(std::uint32_t pod_class, int moves) {
    std::vector<std::tuple<int, std::int32_t, std::uint32_t>> order;
    for (std::uint32_t n = 0; n < board_.cluster().nodes.size(); ++n) {
      if (const int leave = board_.floor(n, pod_class); leave <= moves)
        order.emplace_back(leave, board_.node(n).gpu_free(), n);
    }
    std::ranges::sort(order);
    std::vector<std::uint32_t> out;
    for (const auto& [leave, free, n] : order) out.push_back(n);
    return out;
  }

  /// The last wish first: it was made for the sake of those before it. `moves`: what may be wished beyond.
  bool fulfil(int moves) {
    if (wishes_.empty()) return true;
    if (--tries_ <= 0) return false;
    const Wish wish = wishes_.back();
    const int leave = board_.floor(wish.node, wish.pod_class);
    if (leave == 0) return grant(wish, moves);
    return leave <= moves && let_leave(wish, moves - 1);
  }

  bool grant(const Wish& wish, int moves) {
    wishes_.pop_back();
    for (const DeviceSet devices : device_choices(board_.node(wish.node), board_.pod(wish.pod_class))) {
      const RunningPod at{wish.pod_class, wish.node, devices};
      wish.running ? board_.move(*wish.running, at) : board_.start(pending_, at);
      if (fulfil(moves)) return true;
      board_.take_back();
    }
    wishes_.push_back(wish);
    return false;
  }

  /// Some pod of the node has to go; the smallest is tried first.
  bool let_leave(const Wish& wish, int moves) {
    auto pods = board_.there(wish.node);
    std::ranges::stable_sort(pods, {}, [&](std::uint32_t r) { return size(r); });
    std::vector<RunningPod> tried;
    for (const std::uint32_t r : pods) {
      const RunningPod where = board_.cluster().running[r];
      const bool alike = std::ranges::any_of(tried, [&](const RunningPod& t) {
        return t.pod_class == where.pod_class && t.devices == where.devices;
      });
      if (r >= settled_.size() - 1 || settled_[r] || alike) continue;
      tried.push_back(where);
      if (board_.floor_without(r, wish.pod_class) > moves) continue;
      settled_[r] = true;
      if (go_elsewhere(r, moves) || change_device(r, moves)) return true;
      settled_[r] = false;
    }
    return false;
  }

  bool go_elsewhere(std::uint32_t r, int moves) {
    const RunningPod from = board_.cluster().running[r];
    for (const std::uint32_t n : targets(from, moves)) {
      wishes_.push_back({r, from.pod_class, n});
      if (fulfil(moves)) return true;
      wishes_.pop_back();
    }
    return false;
  }

  bool change_device(std::uint32_t r, int moves) {
    const RunningPod from = board_.cluster().running[r];
    if (!board_.pod(from.pod_class).shares()) return false;
    for (const DeviceSet devices :
         device_choices(board_.node(from.node), board_.pod(from.pod_class), from.devices)) {
      board_.move(r, {from.pod_class, from.node, devices});
      if (fulfil(moves)) return true;
      board_.take_back();
    }
    return false;
  }

  /// Where a pod could go: nodes where it fits, the fullest first (one of equal ones if nobody else need
  /// leave), then those where room can be made.
  std::vector<std::uint32_t> targets(const RunningPod& pod, int moves) {
    std::vector<std::tuple<std::int32_t, std::int64_t, std::uint32_t>> fit, tight;
    --tries_;
    for (std::uint32_t n = 0; n < board_.cluster().nodes.size(); ++n) {
      const int leave = board_.floor(n, pod.pod_class);
      if (n == pod.node || leave > moves) continue;
      const NodeState& node = board_.node(n);
      if (leave == 0) {
        fit.emplace_back(node.gpu_free(), node.cpu_free, n);
      } else {
        tight.emplace_back(leave, node.gpu_free(), n);
      }
    }
    std::ranges::sort(fit);
    std::ranges::sort(tight);
    std::vector<std::uint32_t> out;
    for (const auto& [gpu, cpu, n] : fit)
      if (out.empty() || moves > 0 || wished(n) || wished(out.back()) ||
          board_.node(out.back()) != board_.node(n))
        out.push_back(n);
    for (const auto& [leave, gpu, n] : tight) out.push_back(n);
    return out;
  }

  /// Room there is spoken for, so that an equal node is not as good.
  bool wished(std::uint32_t n) const {
    return std::ranges::any_of(wishes_, [n](const Wish& w) { return w.node == n; });
  }

  bool scatter(const std::vector<std::uint32_t>& pods, std::size_t next) {
    if (next == pods.size()) return true;
    const RunningPod from = board_.cluster().running[pods[next]];
    for (const std::uint32_t n : targets(from, 0)) {
      if (board_.there(n).empty()) continue;
      for (const DeviceSet devices : device_choices(board_.node(n), board_.pod(from.pod_class))) {
        board_.move(pods[next], {from.pod_class, n, devices});
        if (scatter(pods, next + 1)) return true;
        board_.take_back();
        if (cut_short()) return false;
      }
    }
    return false;
  }

  Board& board_;
  std::int64_t tries_;
  std::uint32_t pending_ = 0;
  std::vector<bool> settled_;  ///< by running pod; those that start are never moved
  std::vector<Wish> wishes_;
};

RepackPlan finished(const Board& board, RepackPlan plan) {
  plan.steps = board.steps();
  plan.after = board.cluster();
  plan.moves = static_cast<int>(
      std::ranges::count_if(plan.steps, [](const RepackStep& s) { return std::holds_alternative<Move>(s); }));
  plan.lower_bound = std::min(plan.lower_bound, plan.moves);
  return plan;
}

/// The fewest pods that have to leave any one node for it.
int lowest_floor(const Board& board, std::uint32_t pod_class) {
  int lowest = kNever;
  for (std::uint32_t n = 0; n < board.cluster().nodes.size(); ++n)
    lowest = std::min(lowest, board.floor(n, pod_class));
  return lowest;
}

struct Found {
  std::optional<int> moves;
  int fewest = 0;  ///< proven
  bool cut_short = false;
};

/// Starts one pending pod with as few moves as the search finds.
Found start_one(Board& board, std::uint32_t pending, std::uint32_t pod_class, int most, std::int64_t tries) {
  Found out{.moves = {}, .fewest = lowest_floor(board, pod_class)};
  Search search(board, tries);
  for (int moves = out.fewest; moves <= most; ++moves) {
    if (search.start(pending, pod_class, moves)) {
      out.moves = moves;
      return out;
    }
    if (search.cut_short()) break;
    if (moves <= kComplete) out.fewest = moves + 1;
  }
  out.cut_short = search.cut_short();
  return out;
}

}  // namespace

RepackPlan make_room(RunningCluster cluster, const std::vector<std::uint32_t>& pending,
                     const RepackLimits& limits) {
  const Board before(cluster);
  Board board(std::move(cluster));
  std::vector<std::uint32_t> order(pending.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t p) {
    const PodClass& pod = before.pod(pending[p]);
    return std::tuple(pod.total_gpu_milli(), pod.cpu_milli);
  });
  RepackPlan out;
  int moves = 0;
  // Between two plans room only shrinks or changes place, so that what found none is not asked for again
  // until something has moved.
  std::vector<int> hopeless_at(before.cluster().classes.size(), -1);
  for (const std::uint32_t p : order) {
    const std::uint32_t c = pending[p];
    if (hopeless_at[c] == moves) {
      out.without_place.push_back(p);
      continue;
    }
    const bool first = board.steps().empty();
    const Found found =
        start_one(board, p, c, std::min(limits.moves, limits.all_moves - moves), limits.tries);
    out.nothing_missed &= found.moves || !found.cut_short;
    if (!found.moves) {
      hopeless_at[c] = moves;
      out.without_place.push_back(p);
      continue;
    }
    moves += *found.moves;
    out.lower_bound = std::max({out.lower_bound, first ? found.fewest : 0, lowest_floor(before, c)});
  }
  return finished(board, std::move(out));
}

RepackPlan free_nodes(RunningCluster cluster, std::size_t count, const RepackLimits& limits) {
  Board board(std::move(cluster));
  std::vector<std::pair<std::size_t, std::uint32_t>> order;
  for (std::uint32_t n = 0; n < board.cluster().nodes.size(); ++n)
    if (board.node(n).gpus > 0 && !board.there(n).empty()) order.emplace_back(board.there(n).size(), n);
  std::ranges::sort(order);
  RepackPlan out;
  std::size_t left = static_cast<std::size_t>(limits.all_moves);
  for (const auto& [pods, n] : order) {
    if (out.freed.size() == count) break;
    // Pods may have come here from nodes freed before: those would move twice.
    if (board.there(n).size() != pods || pods > left) continue;
    Search search(board, limits.tries);
    if (search.empty(n)) {
      out.freed.push_back(n);
      left -= pods;
    }
    out.nothing_missed &= !search.cut_short();
  }
  for (std::size_t i = 0; i < out.freed.size(); ++i) out.lower_bound += static_cast<int>(order[i].first);
  return finished(board, std::move(out));
}

}  // namespace etiage::placement
