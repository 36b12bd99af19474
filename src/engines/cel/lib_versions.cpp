// Semantic versions as values of expressions.

#include "engines/cel/library.h"

namespace etiage::cel {
namespace {

Result<Semver> parse_semver(Args args) {
  const bool normalize = args.size() == 2 && args[1].as_bool();
  return normalize ? Semver::parse_normalized(args[0].text()) : Semver::parse(args[0].text());
}
Value to_semver(Args args) {
  auto v = parse_semver(args);
  return v ? Value::semver(std::move(*v)) : Value::error(v.error().message);
}
Value is_semver(Args args) {
  return Value::boolean(parse_semver(args).has_value());
}
Value semver_major(Args args) {
  return Value::integer(static_cast<std::int64_t>(args[0].as_semver().major));
}
Value semver_minor(Args args) {
  return Value::integer(static_cast<std::int64_t>(args[0].as_semver().minor));
}
Value semver_patch(Args args) {
  return Value::integer(static_cast<std::int64_t>(args[0].as_semver().patch));
}
Value semver_greater(Args args) {
  return Value::boolean(args[0].as_semver().order(args[1].as_semver()) > 0);
}
Value semver_less(Args args) {
  return Value::boolean(args[0].as_semver().order(args[1].as_semver()) < 0);
}
Value semver_compare(Args args) {
  const auto order = args[0].as_semver().order(args[1].as_semver());
  return Value::integer(order < 0 ? -1 : order > 0 ? 1 : 0);
}

}  // namespace

void declare_versions(Declarations& d) {
  d.function("semver", {{"string_to_semver", "(string) semver", to_semver},
                        {"string_bool_to_semver", "(string, bool) semver", to_semver}});
  d.function("isSemver", {{"is_semver_string", "(string) bool", is_semver},
                          {"is_semver_string_bool", "(string, bool) bool", is_semver}});
  d.function("isGreaterThan", {{"semver_is_greater_than", "semver.(semver) bool", semver_greater}});
  d.function("isLessThan", {{"semver_is_less_than", "semver.(semver) bool", semver_less}});
  d.function("compareTo", {{"semver_compare_to", "semver.(semver) int", semver_compare}});
  d.function("major", {{"semver_major", "semver.() int", semver_major}});
  d.function("minor", {{"semver_minor", "semver.() int", semver_minor}});
  d.function("patch", {{"semver_patch", "semver.() int", semver_patch}});
}

}  // namespace etiage::cel
