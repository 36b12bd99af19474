#pragma once
// The faults, one rule a file; the table is in checks.cpp.

#include <set>
#include <string>
#include <vector>

#include "explain/promql/expression.h"
#include "model/evidence.h"

namespace etiage::explain::promql {

/// Subjects are left empty.
using Faults = std::vector<Check>;
using Records = std::set<std::string>;

Faults busy_by_pod(const Expr& e, const Records& records);
Faults cost_by_memory(const Expr& e, const Records& records);
Faults cost_per_token(const Expr& e, const Records& records);
Faults rate_of_gauge(const Expr& e, const Records& records);
Faults unknown_metric(const Expr& e, const Records& records);
Faults renamed_metric(const Expr& e, const Records& records);
Faults join_on_instance(const Expr& e, const Records& records);
Faults gpu_util(const Expr& e, const Records& records);
Faults units(const Expr& e, const Records& records);
Faults prefix_cache(const Expr& e, const Records& records);

/// What metrics mean, by their names.
bool is_gpu_activity(const std::string& metric);
bool is_gpu_memory(const std::string& metric);
bool is_cost(const std::string& metric);
bool is_token_counter(const std::string& metric);
bool is_gauge(const std::string& metric);  ///< known to go up and down
/// Whether anything in `e` reads a metric of that meaning.
bool reads(const Expr& e, bool (*meaning)(const std::string&));
bool is_rate(const Expr& e);  ///< a call of rate, irate or increase
bool has_label(const Expr& aggregate, std::initializer_list<std::string_view> labels);

}  // namespace etiage::explain::promql
