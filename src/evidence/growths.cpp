#include "evidence/growths.h"

namespace etiage::evidence {

void Growths::push_back(const Growth& growth) {
  const Duration length = growth.span.end - growth.span.start;
  const bool follows =
      !runs_.empty() && runs_.back().length == length &&
      runs_.back().start + length * static_cast<std::int64_t>(amounts_.size() - runs_.back().first) ==
          growth.span.start;
  if (!follows) runs_.push_back({growth.span.start, length, amounts_.size()});
  amounts_.push_back(growth.amount);
  total_ += growth.amount;
}

}  // namespace etiage::evidence
