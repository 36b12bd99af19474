#pragma once
// What became of an input after its samples were handed out: how much was read, what was dropped and why.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/samples.h"

namespace etiage::formats {

/// Input of one kind of fault; what it held is not among the samples.
struct Dropped {
  std::string reason;
  std::uint64_t count = 0;
  Place first;  ///< of the first of them; the file's name only where the format knows it

  bool operator==(const Dropped&) const = default;
};

struct ReadReport {
  std::uint64_t lines = 0;    ///< of a text, comments and blank ones too
  std::uint64_t samples = 0;  ///< handed to the visitor
  std::int64_t first_ms =
      std::numeric_limits<std::int64_t>::max();  ///< earliest stamp; max where there was no sample
  std::int64_t last_ms = std::numeric_limits<std::int64_t>::min();
  bool timed = false;     ///< at least one sample brought its own time
  bool complete = false;  ///< the end was marked as such (`# EOF`)
  std::vector<Dropped> dropped;
  std::vector<std::string> warnings;  ///< of the system that made the input: what it says may be incomplete

  bool operator==(const ReadReport&) const = default;

  void drop(std::string_view reason, Place place, std::uint64_t count = 1);
  /// Counts samples that were handed out.
  void count(std::span<const Sample> batch);
  /// Takes in the report of the part that follows: its lines are counted on from ours.
  void append(const ReadReport& next);
};

}  // namespace etiage::formats
