// What Kubernetes adds: the types of lib_quantities, lib_versions, lib_urls and lib_addresses, named formats,
// and the authorizer that selectors do not have.

#include "engines/cel/library.h"
#include "engines/cel/named_format.h"

namespace etiage::cel {
namespace {

template <std::size_t index>
Value format_constant(Args) {
  return Value::format(&named_formats()[index]);
}
template <std::size_t... index>
void declare_format_constants(Declarations& d, std::index_sequence<index...>) {
  (d.function("format." + std::string(named_formats()[index].function),
              std::vector<Declarations::Line>{{"format." + std::string(named_formats()[index].function),
                                               "() format", format_constant<index>}}),
   ...);
}
Value format_named(Args args) {
  const NamedFormat* f = find_named_format(args[0].text());
  return f != nullptr ? Value::optional(Value::format(f)) : Value::optional_none();
}
Value format_validate(Args args) {
  std::vector<Value> faults;
  for (auto& fault : args[0].as_format().faults(args[1].text()))
    faults.push_back(Value::string(std::move(fault)));
  return faults.empty() ? Value::optional_none() : Value::optional(Value::list(std::move(faults)));
}

/// Declared where no authorizer is, so that only that is an error.
void declare_authorization(Declarations& d) {
  d.function("path", {{"authorizer_path", "authorizer.(string) path_check"}});
  d.function("group", {{"authorizer_group", "authorizer.(string) group_check"}});
  d.function("serviceAccount", {{"authorizer_serviceaccount", "authorizer.(string, string) authorizer"}});
  d.function("resource", {{"groupcheck_resource", "group_check.(string) resource_check"}});
  d.function("subresource", {{"resourcecheck_subresource", "resource_check.(string) resource_check"}});
  d.function("namespace", {{"resourcecheck_namespace", "resource_check.(string) resource_check"}});
  d.function("name", {{"resourcecheck_name", "resource_check.(string) resource_check"}});
  d.function("check", {{"pathcheck_check", "path_check.(string) decision"},
                       {"resourcecheck_check", "resource_check.(string) decision"}});
  d.function("errored", {{"decision_errored", "decision.() bool"}});
  d.function("error", {{"decision_error", "decision.() string"}});
  d.function("allowed", {{"decision_allowed", "decision.() bool"}});
  d.function("reason", {{"decision_reason", "decision.() string"}});
  d.function("fieldSelector", {{"authorizer_fieldselector", "resource_check.(string) resource_check"}});
  d.function("labelSelector", {{"authorizer_labelselector", "resource_check.(string) resource_check"}});
}

}  // namespace

void declare_kubernetes(Declarations& d, const LibraryOptions& options) {
  // The releases that share digits are those with this.
  declare_quantities(d, options.int_to_duration);
  declare_authorization(d);
  declare_urls(d);
  declare_addresses(d);
  declare_versions(d);
  declare_format_constants(d, std::make_index_sequence<13>());
  d.function("validate", {{"format-validate", "format.(string) optional(list(string))", format_validate}});
  d.function("format.named", {{"format-named", "(string) optional(format)", format_named}});
}

}  // namespace etiage::cel
