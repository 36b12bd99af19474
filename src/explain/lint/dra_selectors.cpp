// Selectors that cannot be compiled, that abort pods, that take too much or nothing.

#include <algorithm>
#include <array>
#include <set>

#include "catalog/published_devices.h"
#include "explain/lint/dra_rules.h"
#include "explain/lint/expression_scan.h"

namespace etiage::explain {
namespace {

using cel::Outcome;

/// Attributes that a release of the NVIDIA driver stopped publishing.
struct DroppedAttribute {
  std::string_view name, since, instead;
};
constexpr std::array kDropped{
    DroppedAttribute{"index", "v25.8", "uuid, or resource.kubernetes.io/pciBusID"},
    DroppedAttribute{"minor", "v25.8", "uuid"},
    DroppedAttribute{"parentIndex", "v25.8", "parentUUID"},
    DroppedAttribute{"parentMinor", "v25.8", "parentUUID"},
    DroppedAttribute{"pcieBusID", "v25.12", "resource.kubernetes.io/pciBusID"},
};
constexpr std::array<std::string_view, 3> kVersionAttributes{"driverVersion", "cudaDriverVersion",
                                                             "cudaComputeCapability"};
constexpr std::string_view kNvidia = "gpu.nvidia.com";

/// Begins with ^ in every alternative: `a|b` at the outermost level frees all but the first.
bool is_anchored(std::string_view pattern) {
  int depth = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\')
      ++i;
    else if (pattern[i] == '(')
      ++depth;
    else if (pattern[i] == ')')
      --depth;
    else if (pattern[i] == '|' && depth == 0)
      return false;
  }
  return pattern.starts_with('^');
}

/// One selector where it stands.
struct Site {
  const ObjectMeta* meta;
  const DeviceSelector* selector;
  std::string label;                ///< `selector 0 of request gpu`
  const DeviceClass* device_class;  ///< whose selectors come first; null: this is a class
};

class SelectorRules {
 public:
  SelectorRules(DraLint& lint, Site site)
      : lint_(lint), site_(std::move(site)), text_(*site_.selector->cel), scan_(scan_expression(text_)) {}

  void run() {
    handle_ = lint_.allocator.answers().compile(text_);
    if (!check_compiles()) return;
    check_cost();
    check_words();
    if (!lint_.has_fleet()) return;
    judge_devices();
    check_errors();
    check_matches();
    check_clauses();
  }

 private:
  const cel::Selector& compiled() const { return lint_.allocator.answers().selector(handle_); }
  void add(Severity severity, std::string code, std::string message, std::string hint = {}) const {
    lint_.add(severity, std::move(code), *site_.meta, site_.selector->line, site_.label + ": " + message,
              std::move(hint));
  }
  const dra::Fleet& fleet() const { return lint_.allocator.fleet(); }

  bool check_compiles() {
    if (!compiled().ok()) {
      add(Severity::kError, "dra-selector-does-not-compile", *compiled().compile_error);
      return false;
    }
    cel::Environment fresh = dra::cel_environment(lint_.input.behaviour);
    fresh.stored = false;
    if (const auto created = cel::compile_selector(text_, fresh); !created.ok())
      add(Severity::kWarning, "dra-selector-not-accepted",
          "the API server refuses it in a new object of this release: " + *created.compile_error);
    return true;
  }

  void check_cost() const {
    const std::string cost = std::to_string(compiled().max_cost) + " of " + std::to_string(cel::kCostLimit);
    if (compiled().too_costly) {
      add(Severity::kError, "dra-selector-too-costly",
          "its estimated cost is " + cost + "; the API server refuses it");
    } else if (compiled().max_cost > cel::kCostLimit / 2) {
      add(Severity::kWarning, "dra-selector-near-cost-limit", "its estimated cost is " + cost);
    }
  }

  void check_words() const {
    for (const FieldUse& field : scan_.fields) check_dropped(field);
    for (const LiteralComparison& c : scan_.comparisons) check_comparison(c);
    for (const RegexUse& regex : scan_.regexes) check_regex(regex);
    for (const QuantityUse& quantity : scan_.quantities) check_quantity(quantity);
    if (!lint_.has_fleet()) return;
    std::set<std::string> seen;
    for (const FieldUse& field : scan_.fields)
      if (seen.insert(field.domain + "/" + field.name + (field.is_capacity ? "#" : "")).second)
        check_field(field);
  }

  void check_dropped(const FieldUse& field) const {
    if (field.is_capacity || field.domain != kNvidia) return;
    const auto dropped = std::ranges::find(kDropped, field.name, &DroppedAttribute::name);
    if (dropped == kDropped.end()) return;
    add(Severity::kError, "dra-attribute-dropped",
        "the NVIDIA driver publishes no attribute " + field.name + " since " + std::string(dropped->since) +
            ": every GPU yields \"no such key: " + field.name + "\" and the pod never schedules",
        "use " + std::string(dropped->instead));
  }

  /// As the first device that has it publishes it; null: nobody does.
  const DeviceAttribute* published(const FieldUse& field) const {
    for (const dra::FleetDevice& d : fleet().devices()) {
      const std::string& driver = fleet().slices()[d.slice].object->driver;
      if (const auto* value = dra::find_attribute(*d.object, driver, field.domain + "/" + field.name))
        return value;
    }
    return nullptr;
  }

  void check_comparison(const LiteralComparison& c) const {
    if (c.field.is_capacity) return;
    const DeviceAttribute* value = published(c.field);
    const bool is_version =
        value ? std::holds_alternative<SemanticVersion>(*value)
              : c.field.domain == kNvidia &&
                    std::ranges::find(kVersionAttributes, c.field.name) != kVersionAttributes.end();
    if (is_version) {
      check_version_comparison(c);
    } else if (value) {
      check_types(c, *value);
    }
  }

  void check_version_comparison(const LiteralComparison& c) const {
    const std::string hint =
        "compare with semver(\"" + c.text + "\"): isGreaterThan, isLessThan or compareTo";
    if (c.op == "==" && !c.field_first) {
      add(Severity::kError, "dra-version-never-equal",
          c.field.name + " is a version: a literal on the left of == is never equal to it", hint);
    } else {
      add(Severity::kError, "dra-version-compared-with-text",
          c.field.name + " is a version: comparing it with a literal is an error that aborts the pod", hint);
    }
  }

  void check_types(const LiteralComparison& c, const DeviceAttribute& value) const {
    using enum LiteralComparison::Literal;
    const char* is = std::holds_alternative<std::string>(value)    ? "a text"
                     : std::holds_alternative<std::int64_t>(value) ? "a number"
                     : std::holds_alternative<bool>(value)         ? "true or false"
                                                                   : nullptr;
    const char* with = c.literal == kText ? "a text" : c.literal == kNumber ? "a number" : "true or false";
    if (!is || std::string_view(is) == with) return;
    const std::string what = c.op == "=="   ? "they are never equal"
                             : c.op == "!=" ? "they always differ"
                                            : "that is an error that aborts the pod";
    add(Severity::kError, "dra-compared-with-other-type",
        c.field.name + " is " + is + " and compared with " + with + ": " + what);
  }

  bool regex_takes(const std::string& pattern, const std::string& name) const {
    const auto quoted = [](const std::string& s) {
      std::string out = "\"";
      for (const char c : s) out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
      return out + "\"";
    };
    const cel::Environment environment = dra::cel_environment(lint_.input.behaviour);
    const auto test = cel::compile_selector(quoted(name) + ".matches(" + quoted(pattern) + ")", environment);
    return test.ok() && cel::matches(test, cel::prepare_device("", Device{}, environment)) == Outcome::kTrue;
  }

  std::set<std::string> product_names() const {
    std::set<std::string> out;
    for (const auto& device : catalog::published_devices()) out.insert(device.product);
    for (const dra::FleetDevice& d : fleet().devices())
      if (const auto name = d.object->attributes.find("productName"); name != d.object->attributes.end())
        if (const auto* text = std::get_if<std::string>(&name->second)) out.insert(*text);
    return out;
  }

  void check_regex(const RegexUse& regex) const {
    if (is_anchored(regex.pattern)) return;
    if (regex.field.name != "productName") {
      add(Severity::kInfo, "dra-regex-unanchored",
          "matches(\"" + regex.pattern + "\") is a search, not a whole match",
          "begin it with ^ and end it with $ where the whole text is meant");
      return;
    }
    std::string taken;
    bool surprising = false;
    for (const std::string& name : product_names())
      if (regex_takes(regex.pattern, name)) {
        taken += (taken.empty() ? "" : ", ") + name;
        surprising |= name.contains("GH200") || name.contains("GB200");
      }
    const std::string grace =
        surprising ? "; GH200 and GB200 have Arm processors, an image for amd64 does not start there" : "";
    add(Severity::kWarning, "dra-regex-unanchored",
        "matches(\"" + regex.pattern + "\") is a search; it takes " +
            (taken.empty() ? "no product known" : taken) + grace,
        "anchor it, as in ^NVIDIA (H100|H200)( |$)");
  }

  void check_quantity(const QuantityUse& use) const {
    const auto amount = Quantity::parse(use.text);
    if (!amount) return;
    if (use.text.ends_with('G') || use.text.ends_with('M'))
      add(Severity::kInfo, "dra-decimal-unit",
          "quantity(\"" + use.text + "\") is decimal; devices publish binary amounts (Mi, Gi)",
          "write " + use.text + "i if that is meant");
    if (!use.is_minimum || use.field.name != "memory") return;
    std::string missed;
    for (const auto& device : catalog::published_devices())
      if (device.memory < *amount && amount->as_double() <= device.memory.as_double() * 1.05)
        missed += (missed.empty() ? "" : ", ") +
                  (device.profile.empty() ? device.product : device.profile + " of " + device.product) +
                  " (" + device.memory.canonical() + ")";
    if (!missed.empty())
      add(Severity::kWarning, "dra-threshold-just-above",
          "quantity(\"" + use.text + "\") is just above what is published by " + missed,
          "ask for a little less, or for the profile by name");
  }

  bool domain_known(const FieldUse& field) const {
    return std::ranges::any_of(fleet().devices(), [&](const dra::FleetDevice& d) {
      if (fleet().slices()[d.slice].object->driver == field.domain) return true;
      const auto starts = [&](const auto& entry) { return entry.first.starts_with(field.domain + "/"); };
      return std::ranges::any_of(d.object->attributes, starts) ||
             std::ranges::any_of(d.object->capacity, starts);
    });
  }

  template <class Map>
  static bool has_name(const Map& map, const std::string& driver, const FieldUse& field) {
    return map.contains(field.domain + "/" + field.name) ||
           (driver == field.domain && map.contains(field.name));
  }

  void check_field(const FieldUse& field) const {
    if (!domain_known(field)) {
      add(Severity::kWarning, "dra-unknown-domain", "no device has anything of the domain " + field.domain,
          "attributes without a domain stand under the driver's name");
      return;
    }
    std::size_t here = 0, there = 0;
    for (const dra::FleetDevice& d : fleet().devices()) {
      const std::string& driver = fleet().slices()[d.slice].object->driver;
      const bool attribute = has_name(d.object->attributes, driver, field),
                 capacity = has_name(d.object->capacity, driver, field);
      here += field.is_capacity ? capacity : attribute;
      there += field.is_capacity ? attribute : capacity;
    }
    if (here == 0 && there > 0)
      add(Severity::kError, "dra-attribute-or-capacity",
          field.name + " is " +
              (field.is_capacity ? "an attribute, not a capacity" : "a capacity, not an attribute"),
          std::string("use device.") + (field.is_capacity ? "attributes" : "capacity") + "[\"" +
              field.domain + "\"]." + field.name);
  }

  /// The devices that the class lets through, and what this selector says of them.
  void judge_devices() {
    std::vector<dra::SelectorAnswers::Handle> first;
    if (site_.device_class)
      for (const DeviceSelector& s : site_.device_class->selectors)
        if (s.cel) first.push_back(lint_.allocator.answers().compile(*s.cel));
    auto& answers = lint_.allocator.answers();
    for (std::uint32_t d = 0; d < fleet().devices().size(); ++d) {
      const bool passes = std::ranges::all_of(
          first, [&](auto h) { return answers.selector(h).ok() && answers.ask(h, d) == Outcome::kTrue; });
      if (!passes) continue;
      reached_.push_back(d);
      const Outcome outcome = answers.ask(handle_, d);
      (outcome == Outcome::kTrue ? matched_ : outcome == Outcome::kFalse ? failed_ : erring_).push_back(d);
    }
  }

  void check_errors() const {
    if (erring_.empty()) return;
    const std::uint32_t d = erring_.front();
    const std::string message = lint_.allocator.answers().verdict(handle_, d).message;
    std::string hint;
    for (const FieldUse& field : scan_.fields)
      if (message.contains("no such key: " + field.name) && !scan_.guards(field))
        hint = "guard it: has(device." + std::string(field.is_capacity ? "capacity" : "attributes") + "[\"" +
               field.domain + "\"]." + field.name + ") && ...";
    add(Severity::kError, "dra-selector-error",
        "fails on " + std::to_string(erring_.size()) + " of " + std::to_string(reached_.size()) +
            " devices, as on " + fleet().name_of(d) + ": " + message +
            "; one such device aborts the pod on every node",
        hint);
  }

  void check_matches() const {
    if (reached_.empty() || !erring_.empty()) return;
    const std::string of =
        std::to_string(reached_.size()) + " devices" + (site_.device_class ? " of the class" : "");
    if (matched_.empty()) {
      add(Severity::kWarning, "dra-selector-matches-nothing", "is false for all " + of);
    } else if (failed_.empty() && site_.device_class) {
      add(Severity::kInfo, "dra-selector-matches-all", "is true for all " + of + ": it selects nothing");
    }
  }

  /// A clause that is true wherever the others are.
  void check_clauses() const {
    if (!site_.device_class || compiled().clauses.size() < 2 || matched_.empty() || failed_.empty() ||
        !erring_.empty())
      return;
    std::vector<bool> needed(compiled().clauses.size(), false);
    for (const std::uint32_t d : failed_) {
      const auto verdicts = lint_.allocator.answers().clauses(handle_, d);
      std::size_t fails = 0, which = 0;
      for (std::size_t i = 0; i < verdicts.size(); ++i)
        if (verdicts[i].outcome != Outcome::kTrue) ++fails, which = i;
      if (fails == 1) needed[which] = true;
    }
    for (std::size_t i = 0; i < needed.size(); ++i)
      if (!needed[i])
        add(Severity::kInfo, "dra-clause-redundant",
            "clause " + std::to_string(i) + " (" + compiled().clauses[i].text +
                ") excludes no device that the others take");
  }

  DraLint& lint_;
  Site site_;
  std::string text_;
  ExpressionScan scan_;
  dra::SelectorAnswers::Handle handle_ = 0;
  std::vector<std::uint32_t> reached_, matched_, failed_, erring_;
};

void lint_site(DraLint& lint, Site site) {
  if (!site.selector->cel || site.selector->cel->empty()) {
    lint.add(Severity::kError, "dra-selector-empty", *site.meta, site.selector->line,
             site.label + ": has no CEL expression");
    return;
  }
  if (site.device_class)
    for (const DeviceSelector& s : site.device_class->selectors)
      if (s.cel == site.selector->cel)
        lint.add(Severity::kInfo, "dra-selector-repeats-class", *site.meta, site.selector->line,
                 site.label + ": the class says the same already");
  SelectorRules(lint, std::move(site)).run();
}

}  // namespace

void lint_selectors(DraLint& lint) {
  for (const DeviceClass& c : lint.input.cluster.dra.classes)
    for (std::size_t i = 0; i < c.selectors.size(); ++i)
      lint_site(lint, {&c.meta, &c.selectors[i],
                       "DeviceClass " + c.meta.name + ", selector " + std::to_string(i), nullptr});
  for (const ClaimSite& claim : lint.claims)
    for (const AskSite& ask : asks_of(*claim.spec)) {
      const auto found = lint.allocator.classes().find(ask.ask->device_class);
      if (found == lint.allocator.classes().end()) continue;
      for (std::size_t i = 0; i < ask.ask->selectors.size(); ++i)
        lint_site(lint, {claim.meta, &ask.ask->selectors[i],
                         claim.label() + ", request " + ask.name + ", selector " + std::to_string(i),
                         found->second});
    }
}

}  // namespace etiage::explain
