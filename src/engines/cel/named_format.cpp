#include "engines/cel/named_format.h"

#include <algorithm>
#include <fmt/format.h>
#include <re2/re2.h>

#include "engines/cel/go_text.h"
#include "engines/cel/url.h"
#include "engines/cel/value.h"

namespace etiage::cel {
namespace {

using Faults = std::vector<std::string>;

constexpr std::string_view kLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr std::string_view kSubdomain = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
constexpr std::string_view kOldLabel = "[a-z]([-a-z0-9]*[a-z0-9])?";
constexpr std::string_view kQualified = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr std::string_view kLabelValue = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";

bool full_match(std::string_view text, std::string_view pattern) {
  const re2::RE2 re(re2::StringPiece(pattern.data(), pattern.size()));
  return re2::RE2::FullMatch(re2::StringPiece(text.data(), text.size()), re);
}

std::string too_long(std::size_t limit) {
  return fmt::format("must be no more than {} characters", limit);
}
std::string no_match(std::string_view message, std::string_view pattern, std::vector<std::string> examples) {
  std::string out = fmt::format("{} (e.g. ", message);
  for (std::size_t i = 0; i < examples.size(); ++i) {
    out += fmt::format("{}'{}', ", i > 0 ? " or " : "", examples[i]);
  }
  return out + fmt::format("regex used for validation is '{}')", pattern);
}

Faults label(std::string_view text) {
  Faults faults;
  if (text.size() > 63) faults.push_back(too_long(63));
  if (full_match(text, kLabel)) return faults;
  if (full_match(text, kSubdomain)) {
    faults.push_back("must not contain dots");
  } else {
    faults.push_back(
        no_match("a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
                 "must start and "
                 "end with an alphanumeric character",
                 kLabel, {"my-name", "123-abc"}));
  }
  return faults;
}

Faults subdomain(std::string_view text) {
  Faults faults;
  if (text.size() > 253) faults.push_back(too_long(253));
  if (!full_match(text, kSubdomain)) {
    faults.push_back(
        no_match("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
                 "'.', and must "
                 "start and end with an alphanumeric character",
                 kSubdomain, {"example.com"}));
  }
  return faults;
}

Faults old_label(std::string_view text) {
  Faults faults;
  if (text.size() > 63) faults.push_back(too_long(63));
  if (!full_match(text, kOldLabel)) {
    faults.push_back(
        no_match("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
                 "alphabetic "
                 "character, and end with an alphanumeric character",
                 kOldLabel, {"my-name", "abc-123"}));
  }
  return faults;
}

/// A prefix may end with a dash, which Kubernetes looks past.
std::string mask_dash(std::string_view text) {
  if (text.size() > 1 && text.ends_with('-')) return std::string(text.substr(0, text.size() - 2)) + "a";
  return std::string(text);
}

Faults qualified_name(std::string_view text) {
  Faults faults;
  constexpr std::string_view kMessage =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
      "character";
  std::string_view name = text;
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    const auto prefix = text.substr(0, slash);
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return {"a qualified name " + no_match(kMessage, kQualified, {"MyName", "my.name", "123-abc"}) +
              " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
    }
    if (prefix.empty()) {
      faults.push_back("prefix part must be non-empty");
    } else {
      for (const auto& fault : subdomain(prefix)) faults.push_back("prefix part " + fault);
    }
  }
  if (name.empty()) faults.push_back("name part must be non-empty");
  if (name.size() > 63) faults.push_back("name part " + too_long(63));
  if (!full_match(name, kQualified)) {
    faults.push_back("name part " + no_match(kMessage, kQualified, {"MyName", "my.name", "123-abc"}));
  }
  return faults;
}

Faults label_value(std::string_view text) {
  Faults faults;
  if (text.size() > 63) faults.push_back(too_long(63));
  if (!full_match(text, kLabelValue)) {
    faults.push_back(
        no_match("a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
                 "'.', and must "
                 "start and end with an alphanumeric character",
                 kLabelValue, {"MyValue", "my_value", "12345"}));
  }
  return faults;
}

Faults uri(std::string_view text) {
  if (const auto error = Url::check_request(text)) return {error->message};
  return {};
}
Faults uuid(std::string_view text) {
  const bool valid = full_match(text, "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");
  return valid ? Faults{} : Faults{"does not match the UUID format"};
}
Faults base64(std::string_view text) {
  const bool valid =
      !text.empty() && full_match(text, "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?");
  return valid ? Faults{} : Faults{"invalid base64"};
}
bool is_date(std::string_view text) {
  return text.size() == 10 && go_parse_time(std::string(text) + "T00:00:00Z").has_value();
}
Faults date(std::string_view text) {
  return is_date(text) ? Faults{} : Faults{"invalid date"};
}
Faults date_time(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto t = lower.find('t');
  bool valid = lower.size() >= 4 && t != std::string::npos && is_date(std::string_view(lower).substr(0, t));
  if (valid) {
    const auto end = lower.find('t', t + 1);
    const std::string clock = lower.substr(t + 1, end == std::string::npos ? end : end - t - 1);
    valid = full_match(clock, "([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))") &&
            clock.substr(0, 2) <= "23" && clock.substr(3, 2) <= "59" && clock.substr(6, 2) <= "59";
  }
  return valid ? Faults{} : Faults{"invalid datetime"};
}

}  // namespace

const std::vector<NamedFormat>& named_formats() {
  static const std::vector<NamedFormat> kFormats{{"dns1123Label", "DNS1123Label", 30, label},
                                                 {"dns1123Subdomain", "DNS1123Subdomain", 60, subdomain},
                                                 {"dns1035Label", "DNS1035Label", 30, old_label},
                                                 {"qualifiedName", "QualifiedName", 60, qualified_name},
                                                 {"dns1123LabelPrefix", "DNS1123LabelPrefix", 30,
                                                  [](std::string_view t) { return label(mask_dash(t)); }},
                                                 {"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", 60,
                                                  [](std::string_view t) { return subdomain(mask_dash(t)); }},
                                                 {"dns1035LabelPrefix", "DNS1035LabelPrefix", 30,
                                                  [](std::string_view t) { return old_label(mask_dash(t)); }},
                                                 {"labelValue", "LabelValue", 40, label_value},
                                                 {"uri", "URI", 1103, uri},
                                                 {"uuid", "uuid", 70, uuid},
                                                 {"byte", "byte", 84, base64},
                                                 {"date", "date", 71, date},
                                                 {"datetime", "datetime", 71, date_time}};
  return kFormats;
}

const NamedFormat* find_named_format(std::string_view function) {
  const auto& all = named_formats();
  const auto found = std::ranges::find(all, function, &NamedFormat::function);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace etiage::cel
