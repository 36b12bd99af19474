// Accelerators that no exporter measures: told apart from pods that only nobody scrapes.

#include "evidence/accelerators.h"

#include <map>
#include <set>

#include "evidence/checks/checks.h"

namespace etiage::evidence {

void check_accelerators(Draft& draft) {
  std::map<std::string, std::set<std::string>> pods;  // by card
  for (const Holding& h : draft.out.holdings)
    if (const std::string& card = draft.out.nodes[h.node.index()].card; has_no_exporter(card))
      pods[card].insert(name_of(draft.pod(h.pod)));
  for (const auto& [card, names] : pods)
    draft.check({"accelerator-not-measured",
                 Severity::kInfo,
                 "no exporter that we read tells how busy a " + card + " is",
                 "what pods hold of them is priced, and `unmeasured`",
                 "scrape the engine: its tokens still tell what the money bought",
                 {names.begin(), names.end()}});
}

}  // namespace etiage::evidence
