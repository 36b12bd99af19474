#pragma once
// The finders, one a file, in the order in which they claim money (the table is in waste.cpp).

#include <vector>

#include "explain/waste/activity.h"
#include "explain/waste/bill.h"

namespace etiage::explain {

/// What a finder looks at and takes from.
struct Search {
  Bill& bill;
  const std::vector<Activity>& activity;  ///< by PodId
};

using Findings = std::vector<Finding>;

Findings zombie_pods(const Search& search);
Findings oversized_slices(const Search& search);
Findings oversized_cards(const Search& search);
Findings wrong_metrics(const Search& search);
Findings idle_held(const Search& search);
Findings pinned_nodes(const Search& search);
Findings open_nodes(const Search& search);
Findings stranded_mig(const Search& search);
Findings stranded_gpus(const Search& search);
Findings unallocated_nodes(const Search& search);
Findings unallocated_gpus(const Search& search);

}  // namespace etiage::explain
