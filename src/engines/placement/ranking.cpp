#include "engines/placement/ranking.h"

#include <bit>
#include <cassert>

namespace etiage::placement {

ScoreRanking::ScoreRanking(std::vector<std::uint32_t> order, std::size_t classes, int highest, Score score)
    : order_(std::move(order)),
      position_(order_.size()),
      words_((order_.size() + 63) / 64),
      levels_(static_cast<std::size_t>(highest) + 1),
      score_(std::move(score)),
      tables_(classes),
      last_change_(order_.size()) {
  for (std::uint32_t p = 0; p < order_.size(); ++p) position_[order_[p]] = p;
}

void ScoreRanking::set(Table& table, std::uint32_t position, int score) const {
  std::int16_t& old = table.score_of[position];
  if (old == score) return;
  const std::uint64_t bit = std::uint64_t{1} << (position % 64);
  const auto word = [&](int level) -> std::uint64_t& {
    return table.members[static_cast<std::size_t>(level) * words_ + position / 64];
  };
  if (old >= 0) word(old) &= ~bit, --table.count_of[static_cast<std::size_t>(old)];
  if (score >= 0) word(score) |= bit, ++table.count_of[static_cast<std::size_t>(score)];
  old = static_cast<std::int16_t>(score);
}

void ScoreRanking::fill(std::uint32_t pod_class, Table& table) const {
  table.score_of.assign(order_.size(), -1);
  table.members.assign(levels_ * words_, 0);
  table.count_of.assign(levels_, 0);
  for (std::uint32_t p = 0; p < order_.size(); ++p) set(table, p, score_(pod_class, order_[p]));
  table.seen = changes_.size();
}

void ScoreRanking::catch_up(std::uint32_t pod_class, Table& table) const {
  if (table.score_of.empty()) return fill(pod_class, table);
  for (; table.seen < changes_.size(); ++table.seen) {
    const std::uint32_t p = changes_[table.seen];
    if (last_change_[p] == table.seen + 1) set(table, p, score_(pod_class, order_[p]));
  }
}

std::optional<std::uint32_t> ScoreRanking::best(std::uint32_t pod_class) {
  Table& table = tables_[pod_class];
  catch_up(pod_class, table);
  const int level = best_score(pod_class);
  if (level < 0) return {};
  const std::uint64_t* row = table.members.data() + static_cast<std::size_t>(level) * words_;
  std::size_t w = 0;
  while (row[w] == 0) ++w;
  return order_[w * 64 + static_cast<std::size_t>(std::countr_zero(row[w]))];
}

int ScoreRanking::best_score(std::uint32_t pod_class) const {
  const Table& table = tables_[pod_class];
  for (std::size_t level = levels_; level-- > 0;)
    if (table.count_of[level] > 0) return static_cast<int>(level);
  return -1;
}

void ScoreRanking::changed(std::uint32_t node) {
  const std::uint32_t p = position_[node];
  changes_.push_back(p);
  last_change_[p] = changes_.size();
}

}  // namespace etiage::placement
