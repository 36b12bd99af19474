#include "explain/doctor/scraping.h"

#include <algorithm>
#include <iterator>

namespace etiage::explain {

std::vector<Check> scraping_checks(const Evidence& evidence, const std::string& cluster,
                                   const Cluster& objects) {
  auto out = monitor_checks(evidence, cluster, objects);
  std::ranges::move(exporter_checks(objects), std::back_inserter(out));
  return out;
}

}  // namespace etiage::explain
