#pragma once
// Queues and groups of pods of Volcano (v1beta1) and KAI (Queue v2, PodGroup v2alpha2), from objects.

#include <vector>

#include "app/objects.h"
#include "engines/placement/gang/queued_group.h"
#include "engines/placement/kai/cycle.h"
#include "engines/placement/volcano/shares.h"
#include "model/scheduling.h"

namespace etiage::app {

enum class QueueScheduler { kVolcano, kKai };

/// Groups of pods; of Volcano also those without any, which the gate counts all the same. A pod that names
/// none is a group of its own. Pods are numbered in the order of the objects; those of other schedulers
/// belong to none.
std::vector<placement::QueuedGroup> read_queued_groups(const std::vector<LocatedObject>& objects,
                                                       const std::vector<PriorityClass>& classes,
                                                       QueueScheduler scheduler, Diagnostics& diagnostics);

std::vector<placement::volcano::Queue> read_volcano_queues(const std::vector<LocatedObject>& objects,
                                                           Diagnostics& diagnostics);
std::vector<placement::kai::QueueNode> read_kai_queues(const std::vector<LocatedObject>& objects);

/// Amounts as the queues' engines reckon: CPU in cores, everything else in whole units.
placement::Amounts read_amounts(const Tree& list, const LocatedObject& in, Diagnostics& diagnostics);

}  // namespace etiage::app
