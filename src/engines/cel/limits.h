#pragma once
// What an evaluation may use at most. Kubernetes bounds cost only, after the fact; these bounds stop what
// could not be paid for before it takes memory.

#include <cstddef>
#include <string>

namespace etiage::cel {

/// An evaluation that was cut off because it costs too much, or would take more memory than a selector may.
struct CostExceeded {};

/// Where the real engine panics and recovers; the message follows `internal error: `.
struct EnginePanic {
  std::string message;
};

/// Items of a list that are laid out in memory.
inline constexpr std::size_t kMaxItems = 2'000'000;
/// Bytes of a string.
inline constexpr std::size_t kMaxTextBytes = 64u << 20;

}  // namespace etiage::cel
