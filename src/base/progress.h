#pragma once
// Long work tells how far it is, and asks whether it may go on.

#include <cstdint>
#include <functional>
#include <string_view>

namespace etiage {

/// Called now and then with the phase, the work done and the whole (0: unknown), both in bytes or steps.
/// May be called from several threads. An empty function means that nobody listens.
using Progress = std::function<void(std::string_view phase, std::uint64_t done, std::uint64_t total)>;

}  // namespace etiage
