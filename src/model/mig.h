#pragma once
// MIG geometry as data: which profiles a card allows, what share of the card each is, and where each may lie.
//
//   memory slices  0   1   2   3   4   5   6   7        (A100, H100, H200, B200: 7 compute, 8 memory slices)
//   3g.40gb       [---------------]                     starts 0, 4
//   2g.20gb                       [-------]             starts 0, 2, 4
//   1g.10gb                               [--]          starts 0 .. 6

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/evidence.h"

namespace etiage {

struct MigProfile {
  std::string name;
  int compute = 0;          ///< compute slices
  int memory = 0;           ///< memory slices
  std::vector<int> starts;  ///< memory slices at which an instance may begin
  int max_instances = 0;

  bool operator==(const MigProfile&) const = default;
};

struct MigGeometry {
  int compute_slices = 7;
  int memory_slices = 8;
  std::vector<MigProfile> profiles;

  bool operator==(const MigGeometry&) const = default;

  const MigProfile* find(std::string_view profile) const;
  /// Half the compute slices and half the memory slices, as a fraction of the card (RULES.md 9).
  double share(const MigProfile& profile) const;
  std::optional<double> share(std::string_view profile) const;
};

/// What the densest placement of allowed profiles could still cover beside the instances of `layout`, and
/// what it could not, as fractions of the card; densest: most share (RULES.md 13). Their positions are
/// unknown and taken where they leave most. Nothing where a profile is unknown or they do not fit together.
std::optional<CardRest> uncreated_rest(const MigGeometry& geometry, std::span<const std::string> layout);

}  // namespace etiage
