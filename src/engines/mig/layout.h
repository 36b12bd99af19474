#pragma once
// One card: where instances lie, what still fits beside them, and all the ways to fill it.

#include "engines/mig/pack.h"

namespace etiage::mig {

/// The memory slices that the instances cover, a bit each.
unsigned slices(const MigGeometry& geometry, const std::vector<Instance>& instances);

/// Where an instance of the profile may lie beside the others; -1: nowhere.
int free_start(const MigGeometry& geometry, const std::vector<Instance>& instances,
               const MigProfile& profile);

/// The geometry with the profiles of the demand alone, largest first.
MigGeometry only_wanted(const MigGeometry& geometry, const Demand& demand);

/// Every way to place instances such that no other fits beside them; instances by start.
std::vector<std::vector<Instance>> full_cards(const MigGeometry& geometry);

/// Equal cards counted, empty ones left out; most first.
std::vector<Layout> counted(const std::vector<std::vector<Instance>>& cards);

/// Fills in `gpus`, and what the free slices of the layouts still hold and what of them nothing can use.
void count_rest(const MigGeometry& geometry, Packing& packing);

/// Refused: an unknown profile, a negative count, more than ten million instances.
Result<void> check(const MigGeometry& geometry, const Demand& demand);

}  // namespace etiage::mig
