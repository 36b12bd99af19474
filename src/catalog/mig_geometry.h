#pragma once
// The MIG geometries of data/mig_profiles.csv, found by a card's product name.

#include <optional>
#include <string>
#include <string_view>

#include "model/mig.h"

namespace etiage::catalog {

/// Of a card named as a node label or an exporter names it (`NVIDIA-A100-SXM4-80GB`, `NVIDIA H100 80GB
/// HBM3`). Nothing: the card has no MIG, or none that we know.
std::optional<MigGeometry> mig_geometry(std::string_view card);

/// What a profile is of a card of unknown product, by its own name: `3g.40gb` has 3 of 7 compute slices, and
/// as many of 8 memory slices as cards of that family give it; `profile` without slices: a whole card.
double mig_share_by_name(std::string_view profile);

/// What a profile is of that card, as a fraction; by its name alone where the card's geometry is not known.
double mig_share(std::string_view card, std::string_view profile);

/// The profile whose instances come closest to that size; empty where the card's profiles are not known.
std::string mig_profile_of_size(std::string_view card, double memory_mib, int multiprocessors);

}  // namespace etiage::catalog
