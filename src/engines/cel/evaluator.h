#pragma once
// Runs programs, with or without counting what it costs.

#include <cstdint>
#include <span>

#include "engines/cel/device_record.h"
#include "engines/cel/limits.h"
#include "engines/cel/program.h"

namespace etiage::cel {

struct Evaluation {
  Value value;             ///< an error as a value
  std::uint64_t cost = 0;  ///< counted only by `evaluate_counting`
};

/// `device` is the program's only variable; its parts are looked up at once.
Value evaluate_program(const Program& program, const DeviceRecord& device);
/// `globals` are the program's variables by index. Stops with an error when the cost is above `limit`.
Evaluation evaluate_counting(const Program& program, std::span<const Value> globals, std::uint64_t limit);

/// A list or map of constants; used when planning.
Value evaluate_constant(const Program& program, NodeIndex node);
/// A call on values: chooses the overload and checks its guards.
Value call_function(const Node& node, Args args);

/// Whether a value can stand in `x[...]`.
bool usable_key(const Value& v);

std::optional<std::int64_t> exact_int_of(const Value& v);
std::optional<std::uint64_t> exact_uint_of(const Value& v);

inline constexpr std::string_view kCostExceeded = "operation cancelled: actual cost limit exceeded";

}  // namespace etiage::cel
