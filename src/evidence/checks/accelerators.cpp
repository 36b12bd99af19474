// Accelerators of other vendors that nothing among the data measures.

#include "evidence/accelerators.h"

#include <map>
#include <set>

#include "evidence/checks/checks.h"

namespace etiage::evidence {

void check_accelerators(Draft& draft) {
  const std::vector<bool> measured = measured_holdings(draft);
  std::map<std::string, std::set<std::string>> pods;  // by card
  for (std::uint32_t i = 0; i < draft.out.holdings.size(); ++i) {
    const Holding& h = draft.out.holdings[i];
    if (const std::string& card = draft.out.nodes[h.node.index()].card;
        is_of_other_vendor(card) && !measured[i])
      pods[card].insert(name_of(draft.pod(h.pod)));
  }
  for (const auto& [card, names] : pods) {
    const std::string exporter = exporter_for(card);
    draft.check({"accelerator-not-measured",
                 Severity::kInfo,
                 exporter.empty() ? card + ": no exporter that we read tells how busy they are"
                                  : card + ": nothing among the data tells how busy they are",
                 "what pods hold of them is priced, and `unmeasured`",
                 (exporter.empty() ? std::string(unread_exporter(card)) + ", to look at; "
                                   : "scrape " + exporter + "; ") +
                     "scrape the engine: its tokens still tell what the money bought",
                 {names.begin(), names.end()}});
  }
}

}  // namespace etiage::evidence
