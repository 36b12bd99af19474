#include "engines/quota/simulation.h"

namespace etiage::quota {

Result<Simulation> Simulation::make(const QueueObjects& objects, const QueueConfiguration& configuration,
                                    const Release& release, Instant now, Arrivals arrivals) {
  auto state = State::make(objects, configuration, release);
  if (!state) return std::unexpected(state.error());
  Simulation out;
  out.state_ = std::make_unique<State>(std::move(*state));
  out.queues_ = std::make_unique<PendingQueues>(*out.state_);
  out.scheduler_ = std::make_unique<Scheduler>(*out.state_, *out.queues_);
  out.controllers_ = std::make_unique<Controllers>(*out.state_, *out.queues_);
  if (arrivals == Arrivals::kAllAtOnce)
    out.evicted_ = out.controllers_->set_up(now);
  else
    out.controllers_->set_up_empty(now);
  return out;
}

}  // namespace etiage::quota
