#include "formats/tree_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

namespace etiage::formats {

void TreeBuilder::key(std::string name, int line) {
  Level& level = levels_.back();
  level.key = std::move(name);
  level.has_key = true;
  level.key_lines.push_back(line);
}

void TreeBuilder::value(Tree tree) {
  if (levels_.empty()) {
    documents_.push_back(std::move(tree));
    return;
  }
  Level& level = levels_.back();
  if (level.map) {
    level.members.emplace_back(std::move(level.key), std::move(tree));
    level.has_key = false;
  } else {
    level.items.push_back(std::move(tree));
  }
}

void TreeBuilder::merge(std::vector<Tree> maps) {
  Level& level = levels_.back();
  level.has_key = false;
  level.key_lines.pop_back();
  std::ranges::move(maps, std::back_inserter(level.merges));
}

namespace {

/// Most maps are small, and looked at without a copy.
bool has_repeated_key(const std::vector<Tree::Member>& members) {
  constexpr std::size_t kSmall = 16;
  if (members.size() <= kSmall) {
    for (std::size_t i = 1; i < members.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (members[i].first == members[k].first) return true;
    return false;
  }
  std::vector<std::string_view> names;
  for (const auto& [name, value] : members) names.push_back(name);
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) != names.end();
}

}  // namespace

void TreeBuilder::drop_repeated(Level& level) {
  if (!has_repeated_key(level.members)) return;
  std::vector<std::size_t> order(level.members.size());
  std::iota(order.begin(), order.end(), 0);
  const auto name = [&](std::size_t i) -> const std::string& { return level.members[i].first; };
  std::ranges::stable_sort(order, {}, name);
  std::vector<bool> dropped(order.size());
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    const std::size_t first = order[i], next = order[i + 1];
    if (name(first) != name(next)) continue;
    diagnostics_.push_back({Severity::kWarning,
                            "duplicate-key",
                            {file_, level.key_lines[next], 0, name(next)},
                            fmt::format("the key `{}` stands here again; the first is on line {}",
                                        name(next).substr(0, 80), level.key_lines[first]),
                            "the last value is used: remove one of the two"});
    std::swap(level.members[first].second, level.members[next].second);  // keeps the first position
    dropped[next] = true;
    order[i + 1] = first;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < dropped.size(); ++i)
    if (!dropped[i]) {
      if (kept != i) level.members[kept] = std::move(level.members[i]);
      ++kept;
    }
  level.members.erase(level.members.begin() + static_cast<std::ptrdiff_t>(kept), level.members.end());
}

Tree TreeBuilder::finish(std::size_t end) {
  Level level = std::move(levels_.back());
  levels_.pop_back();
  if (level.map) {
    drop_repeated(level);
    for (const Tree& merged : level.merges)
      for (const auto& [name, value] : merged.members())
        if (std::ranges::find(level.members, name, &Tree::Member::first) == level.members.end())
          level.members.emplace_back(name, value);
  }
  Tree tree = level.map ? Tree::map(std::move(level.members)) : Tree::sequence(std::move(level.items));
  tree.line = level.line;
  tree.begin = level.begin;
  tree.end = end;
  return tree;
}

void TreeBuilder::end(std::size_t end) {
  value(finish(end));
}

void TreeBuilder::abandon() {
  if (levels_.empty()) return;
  Level outer = std::move(levels_.front());
  const bool list =
      outer.map && outer.has_key && outer.key == "items" && levels_.size() > 1 && !levels_[1].map;
  std::vector<Tree> items = list ? std::move(levels_[1].items) : std::move(outer.items);
  levels_.clear();
  if (items.empty()) return;
  const std::size_t end = items.back().end;
  const auto placed = [&](Tree tree) {
    tree.line = outer.line;
    tree.begin = std::min(outer.begin, end);
    tree.end = end;
    return tree;
  };
  Tree whole = placed(Tree::sequence(std::move(items)));
  if (list) {
    outer.members.emplace_back("items", std::move(whole));
    whole = placed(Tree::map(std::move(outer.members)));
  }
  documents_.push_back(std::move(whole));
}

}  // namespace etiage::formats
