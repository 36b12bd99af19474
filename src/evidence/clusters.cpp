// Which cluster a series or an object belongs to; unrelated ones are kept apart (RULES.md 6).

#include <set>

#include "evidence/draft.h"

namespace etiage::evidence {
namespace {

std::set<std::string> cluster_labels(const SeriesStore& store) {
  std::set<std::string> out;
  for (const Series& s : store.all())
    if (s.has("cluster")) out.emplace(s.label("cluster"));
  return out;
}

}  // namespace

void name_clusters(Draft& draft) {
  const auto labels = cluster_labels(draft.sources.series);
  std::set<std::string> names = labels;
  for (const auto& c : draft.sources.clusters) names.insert(c.name);
  names.erase("");
  // One name for all: what does not say where it belongs belongs there.
  if (names.size() == 1) draft.cluster_alias[""] = *names.begin();
}

}  // namespace etiage::evidence
