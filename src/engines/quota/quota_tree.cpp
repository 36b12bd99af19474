#include "engines/quota/quota_tree.h"

#include <algorithm>
#include <limits>

namespace etiage::quota {

namespace {

double weighted(const Share& s) {
  return s.ratio == 0 ? 0 : s.ratio / s.weight;
}

bool by_resource(const std::pair<FlavorId, ResourceId>& a, const std::pair<FlavorId, ResourceId>& b) {
  return a.second != b.second ? a.second < b.second : a.first < b.first;
}

}  // namespace

int compare(const Share& a, const Share& b) {
  const auto order = [](double x, double y) { return x < y ? -1 : x > y ? 1 : 0; };
  const bool a_zero = a.weight == 0 && a.ratio != 0, b_zero = b.weight == 0 && b.ratio != 0;
  if (a_zero && b_zero) return order(a.ratio, b.ratio);
  if (a_zero != b_zero) return a_zero ? 1 : -1;
  return order(weighted(a), weighted(b));
}

QuotaTree::QuotaTree(const std::vector<NodeSpec>& specs) : nodes_(specs.size()), children_(specs.size()) {
  for (std::uint32_t i = 0; i < specs.size(); ++i) {
    Node& node = nodes_[i];
    node.parent = specs[i].parent;
    node.weight = specs[i].weight;
    node.is_queue = specs[i].is_queue;
    if (!node.parent.valid()) continue;
    children_[node.parent.index()].push_back({i});
    Node& parent = nodes_[node.parent.index()];
    if (!node.is_queue) parent.cohorts.push_back({i});
    if (node.is_queue && specs[i].active) parent.queues.push_back({i});
  }
  number_trees(specs);
  lay_out(specs);
  for (std::uint32_t i = 0; i < specs.size(); ++i)
    if (!nodes_[i].parent.valid()) {
      accumulate({i});
      spread_potential({i});
      measure_height({i});
    }
}

void QuotaTree::number_trees(const std::vector<NodeSpec>& specs) {
  for (std::uint32_t i = 0; i < specs.size(); ++i) {
    if (nodes_[i].parent.valid()) continue;
    const auto tree = static_cast<std::uint32_t>(columns_.size());
    auto& columns = columns_.emplace_back();
    std::vector<NodeId> open{{i}};
    while (!open.empty()) {
      const NodeId n = open.back();
      open.pop_back();
      nodes_[n.index()].tree = tree;
      for (const QuotaSpec& q : specs[n.index()].quotas) columns.emplace_back(q.flavor, q.resource);
      columns.insert(columns.end(), specs[n.index()].also_used.begin(), specs[n.index()].also_used.end());
      open.insert(open.end(), children_[n.index()].begin(), children_[n.index()].end());
    }
    std::sort(columns.begin(), columns.end(), by_resource);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }
}

void QuotaTree::lay_out(const std::vector<NodeSpec>& specs) {
  std::size_t cells = 0, lendable = 0;
  for (Node& node : nodes_) {
    node.column_count = static_cast<std::uint32_t>(columns_[node.tree].size());
    node.first_cell = static_cast<std::uint32_t>(cells);
    cells += node.column_count;
    if (node.is_queue) continue;
    node.first_lendable = static_cast<std::uint32_t>(lendable);
    lendable += node.column_count;
  }
  fixed_.resize(cells);
  usage_.resize(cells, 0);
  lendable_.resize(lendable, 0);
  for (std::uint32_t i = 0; i < specs.size(); ++i)
    for (const QuotaSpec& q : specs[i].quotas) {
      Cell& c = fixed_[cell({i}, column({i}, q.flavor, q.resource))];
      c.nominal = c.subtree = q.nominal;
      c.borrowing_limit = q.borrowing_limit;
      c.lending_limit = q.lending_limit;
      c.in_subtree = true;
    }
}

void QuotaTree::accumulate(NodeId n) {
  const Node& node = nodes_[n.index()];
  for (const NodeId child : children_[n.index()]) {
    accumulate(child);
    for (Column c = 0; c < node.column_count; ++c) {
      const Cell& below = fixed_[cell(child, c)];
      if (!below.in_subtree) continue;
      Cell& here = fixed_[cell(n, c)];
      here.subtree = plus(here.subtree, minus(below.subtree, below.local));
      here.in_subtree = true;
    }
  }
  for (Column c = 0; c < node.column_count; ++c) {
    Cell& here = fixed_[cell(n, c)];
    if (here.lending_limit != kUnlimited)
      here.local = std::max<Amount>(0, minus(here.subtree, here.lending_limit));
  }
}

void QuotaTree::spread_potential(NodeId n) {
  const Node& node = nodes_[n.index()];
  for (Column c = 0; c < node.column_count; ++c) {
    Cell& here = fixed_[cell(n, c)];
    here.potential = here.subtree;
    if (!node.parent.valid()) continue;
    here.potential =
        std::min(plus(here.local, potential(node.parent, c)), plus(here.subtree, here.borrowing_limit));
  }
  if (!node.is_queue) {
    const NodeId top = root(n);
    Column first = 0;
    for (Column c = 0; c < node.column_count; ++c) {
      if (columns_[node.tree][c].second != columns_[node.tree][first].second) first = c;
      Amount& sum = lendable_[node.first_lendable + first];
      if (fixed_[cell(top, c)].in_subtree) sum = plus(sum, potential(n, c));
    }
  }
  for (const NodeId child : children_[n.index()]) spread_potential(child);
}

int QuotaTree::measure_height(NodeId n) {
  Node& node = nodes_[n.index()];
  node.height = node.cohorts.empty() && node.queues.empty() ? 0 : 1;
  for (const NodeId child : node.cohorts) node.height = std::max(node.height, measure_height(child) + 1);
  return node.height;
}

NodeId QuotaTree::root(NodeId n) const {
  while (parent(n).valid()) n = parent(n);
  return n;
}

Column QuotaTree::column(NodeId n, FlavorId flavor, ResourceId resource) const {
  const auto& columns = columns_[nodes_[n.index()].tree];
  const std::pair wanted{flavor, resource};
  const auto it = std::lower_bound(columns.begin(), columns.end(), wanted, by_resource);
  return it != columns.end() && *it == wanted ? static_cast<Column>(it - columns.begin()) : kNoColumn;
}

Amount QuotaTree::local_available(NodeId n, Column c) const {
  return std::max<Amount>(0, minus(fixed_[cell(n, c)].local, usage(n, c)));
}

Amount QuotaTree::available(NodeId n, Column c) const {
  const Cell& f = fixed_[cell(n, c)];
  const Amount used = usage(n, c);
  const NodeId up = parent(n);
  if (!up.valid()) return minus(f.subtree, used);
  Amount from_parent = available(up, c);
  if (f.borrowing_limit != kUnlimited) {
    const Amount stored = minus(f.subtree, f.local);
    const Amount used_there = std::max<Amount>(0, minus(used, f.local));
    from_parent = std::min(plus(minus(stored, used_there), f.borrowing_limit), from_parent);
  }
  return plus(std::max<Amount>(0, minus(f.local, used)), from_parent);
}

bool QuotaTree::within_nominal(NodeId n, std::span<const Column> columns) const {
  return std::all_of(columns.begin(), columns.end(),
                     [&](Column c) { return usage(n, c) <= subtree_quota(n, c); });
}

void QuotaTree::add_usage(NodeId n, Column c, Amount amount) {
  while (true) {
    const Amount local = local_available(n, c);
    Amount& used = usage_[cell(n, c)];
    log_.set(used, plus(used, amount));
    if (!parent(n).valid() || amount <= local) return;
    amount = minus(amount, local);
    n = parent(n);
  }
}

void QuotaTree::remove_usage(NodeId n, Column c, Amount amount) {
  while (true) {
    Amount& used = usage_[cell(n, c)];
    const Amount in_parent = minus(used, fixed_[cell(n, c)].local);
    log_.set(used, minus(used, amount));
    if (in_parent <= 0 || !parent(n).valid()) return;
    amount = std::min(amount, in_parent);
    n = parent(n);
  }
}

std::pair<int, bool> QuotaTree::lowest_fitting_height(NodeId queue, Column c, Amount amount) const {
  NodeId n = parent(queue);
  if (!n.valid() || !borrowing_with(queue, c, amount)) return {0, n.valid()};
  Amount rest = minus(amount, local_available(queue, c));
  while (true) {
    if (!borrowing_with(n, c, rest)) return {height(n), parent(n).valid()};
    if (!parent(n).valid()) return {height(n), false};
    rest = minus(rest, local_available(n, c));
    n = parent(n);
  }
}

Share QuotaTree::share(NodeId n, std::span<const ColumnAmount> request) const {
  const Node& node = nodes_[n.index()];
  Share out{.weight = node.weight};
  if (!node.parent.valid()) return out;
  const auto& columns = columns_[node.tree];
  const Amount* lendable = &lendable_[nodes_[node.parent.index()].first_lendable];
  auto asked = request.begin();
  for (Column c = 0; c < node.column_count;) {
    const Column first = c;
    Amount borrowed = 0;
    for (; c < node.column_count && columns[c].second == columns[first].second; ++c) {
      const Cell& f = fixed_[cell(n, c)];
      const Amount over = f.in_subtree ? minus(usage(n, c), f.subtree) : 0;
      if (over <= 0) continue;
      borrowed = plus(borrowed, over);
      out.borrowing = true;
      while (asked != request.end() && asked->column < c) ++asked;
      if (asked != request.end() && asked->column == c && asked->amount > 0) out.borrowing_on_request = true;
    }
    if (borrowed > 0 && lendable[first] > 0)
      out.ratio =
          std::max(out.ratio, static_cast<double>(borrowed) * 1000.0 / static_cast<double>(lendable[first]));
  }
  return out;
}

}  // namespace etiage::quota
