// Comparisons with a number of another unit, and counters that count too much.

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "explain/promql/rules.h"

namespace etiage::explain::promql {
namespace {

enum class Unit : std::uint8_t { kOther, kRatio, kPercent, kMib };

Unit unit_of(const std::string& metric) {
  const bool profiled =
      metric.starts_with("DCGM_FI_PROF_") && (metric.ends_with("ACTIVE") || metric.ends_with("OCCUPANCY"));
  if (profiled || metric.ends_with("cache_usage_perc")) return Unit::kRatio;
  if (metric.starts_with("DCGM_FI_DEV_") && metric.ends_with("_UTIL")) return Unit::kPercent;
  return metric.starts_with("DCGM_FI_DEV_FB_") ? Unit::kMib : Unit::kOther;
}

bool is_comparison(const std::string& op) {
  return op == ">" || op == "<" || op == ">=" || op == "<=";
}

std::optional<double> number_in(const Expr& e) {
  double value = 0;
  const char* const end = e.name.data() + e.name.size();
  if (e.kind != Expr::Kind::kNumber || std::from_chars(e.name.data(), end, value).ptr != end) return {};
  return value;
}

/// The unit of what `e` gives; unknown where it is reckoned with, added up or counted.
Unit unit_of(const Expr& e) {
  const bool changed = any(e, [](const Expr& i) {
    return i.kind == Expr::Kind::kBinary || i.name == "sum" || i.name == "count" ||
           i.name == "sum_over_time" || i.name == "count_over_time" || is_rate(i);
  });
  const auto read = metrics(e);
  return changed || read.size() != 1 ? Unit::kOther : unit_of(read.front());
}

/// What is wrong with the number, in words; empty where it may be meant.
std::string wrong_number(Unit unit, double value) {
  if (unit == Unit::kRatio && value > 1.5)
    return fmt::format("a ratio from 0 to 1 is compared with {:g}", value);
  if (unit == Unit::kPercent && value > 0 && value < 1)
    return fmt::format("a percentage from 0 to 100 is compared with {:g}", value);
  if (unit == Unit::kMib && value > 1e7)
    return fmt::format("MiB are compared with {:g}, as if they were bytes", value);
  return "";
}

std::string right_number(Unit unit, double value) {
  return fmt::format("{:g}", unit == Unit::kRatio     ? value / 100
                             : unit == Unit::kPercent ? value * 100
                                                      : value / (1 << 20));
}

}  // namespace

Faults units(const Expr& e, const Records&) {
  Faults out;
  each(e, [&](const Expr& i) {
    if (i.kind != Expr::Kind::kBinary || !is_comparison(i.name) || i.args.size() != 2) return;
    const auto left = number_in(i.args[0]), right = number_in(i.args[1]);
    if (left.has_value() == right.has_value()) return;
    const Unit unit = unit_of(left ? i.args[1] : i.args[0]);
    const double value = left ? *left : *right;
    if (const std::string wrong = wrong_number(unit, value); !wrong.empty())
      out.push_back({"promql-units",
                     Severity::kError,
                     wrong + ": " + metrics(i).front(),
                     "always true or never: an alert that fires for all or for none",
                     "compare with " + right_number(unit, value),
                     {}});
  });
  return out;
}

Faults prefix_cache(const Expr& e, const Records&) {
  for (const std::string& m : metrics(e))
    if (m.starts_with("vllm:") && m.find("prefix_cache_hits") != std::string::npos)
      return {{"promql-prefix-cache",
               Severity::kInfo,
               m + " counts requests that waited or were preempted again, before vLLM of July 2026",
               "hit rates are too high, and money that is split by them goes astray",
               "sum by (model_name) "
               "(rate(vllm:prompt_tokens_by_source_total{source=\"local_cache_hit\"}[5m])) / sum by "
               "(model_name) (rate(vllm:prompt_tokens_by_source_total[5m]))",
               {}}};
  return {};
}

}  // namespace etiage::explain::promql
