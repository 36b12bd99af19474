#pragma once
// From what sources delivered to Evidence. The order of the steps is the order of the files:
// device rows -> window -> nodes -> pods -> holdings -> work, resources, served, tenants -> checks.

#include <optional>
#include <string>
#include <vector>

#include "evidence/series_store.h"
#include "model/cluster.h"
#include "model/evidence.h"
#include "model/gateway.h"

namespace etiage::evidence {

/// Objects of one cluster; `name` is empty where nothing names it.
struct NamedCluster {
  std::string name;
  Cluster objects;
};

/// Objects of several files, each named by its path, put together by the cluster they are of: files that
/// share a node or a pod are of one (not where each shared node has two uids), and so are files whose nodes
/// or pods the series of one `cluster` label name. Files without nodes and pods (namespaces, owners) belong
/// to all. A cluster is named by its label, else by its first file where there are several.
std::vector<NamedCluster> group_clusters(std::vector<NamedCluster> files, const SeriesStore& series);

/// Which part of the data is wanted. Nothing: from the first device sample to the last one plus the modal
/// interval.
struct WindowRequest {
  std::optional<Window> absolute;
  std::optional<Duration> last;  ///< counted back from the end of the data
  bool last_month =
      false;  ///< the last whole calendar month (UTC) that ends at or before the end of the data
};

struct Request {
  WindowRequest window;
  std::vector<Instant> cuts;  ///< no interval crosses these (price changes)
  std::vector<std::string> team_keys = {
      "team"};  ///< labels that name a team, of a pod or else of its namespace; best first
  std::vector<std::pair<std::string, std::string>> model_aliases;  ///< a gateway's name, the model's
  unsigned threads = 1;                                            ///< the result is the same for any number
};

struct Sources {
  std::vector<NamedCluster> clusters;
  SeriesStore series;  ///< finished
  GatewayLog gateway;  ///< finished
};

/// Never fails: what is missing or contradictory becomes a Check of the result.
Evidence build_evidence(const Sources& sources, const Request& request);

}  // namespace etiage::evidence
