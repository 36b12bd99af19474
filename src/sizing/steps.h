#pragma once
// The way to a size, in the order in which it is decided: what memory the model really needs, then the card,
// then a slice of one, then how many (floor and autoscaling), then how to buy, and whether a cluster is worth
// it at all.

#include <span>
#include <string>
#include <vector>

#include "sizing/options.h"

namespace etiage::sizing {

struct Step {
  std::string name;  ///< `memory`, `card`, `slice`, `replicas`, `buying`, `kubernetes`
  std::string statement;

  bool operator==(const Step&) const = default;
};

/// `options` as `sizing::options` orders them.
std::vector<Step> steps(const Search& search, std::span<const Option> options, const Threshold& kubernetes);

/// `4x h100-sxm-80gb`, `a100-sxm-80gb 3g.40gb`, `16x h100-sxm-80gb tp8pp2`.
std::string place_name(const Option& option);

}  // namespace etiage::sizing
