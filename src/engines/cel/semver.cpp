#include "engines/cel/semver.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/cel/go_text.h"

namespace etiage::cel {
namespace {

constexpr std::string_view kNumbers = "0123456789";
constexpr std::string_view kWords = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-0123456789";

bool only(std::string_view text, std::string_view set) {
  return text.find_first_not_of(set) == std::string_view::npos;
}
bool leading_zeros(std::string_view text) {
  return text.size() > 1 && text[0] == '0';
}

std::vector<std::string_view> split(std::string_view text, char separator, std::size_t limit = SIZE_MAX) {
  std::vector<std::string_view> parts;
  while (parts.size() + 1 < limit) {
    const std::size_t at = text.find(separator);
    if (at == std::string_view::npos) break;
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  parts.push_back(text);
  return parts;
}

Result<std::uint64_t> to_number(std::string_view text) {
  if (const auto n = go_parse_uint(text)) return *n;
  return failure(fmt::format("strconv.ParseUint: parsing {}: {}", go_quote(text),
                             text.empty() ? "invalid syntax" : "value out of range"));
}

Result<std::uint64_t> element(std::string_view text, std::string_view name, std::string_view capital) {
  if (!only(text, kNumbers)) {
    return failure(fmt::format("Invalid character(s) found in {} number {}", name, go_quote(text)));
  }
  if (leading_zeros(text)) {
    return failure(fmt::format("{} number must not contain leading zeroes {}", capital, go_quote(text)));
  }
  return to_number(text);
}

Result<std::variant<std::uint64_t, std::string>> read_prerelease(std::string_view text) {
  if (text.empty()) return failure("Prerelease is empty");
  if (!only(text, kNumbers)) {
    if (only(text, kWords)) return std::string(text);
    return failure("Invalid character(s) found in prerelease " + go_quote(text));
  }
  if (leading_zeros(text)) {
    return failure("Numeric PreRelease version must not contain leading zeroes " + go_quote(text));
  }
  const auto number = to_number(text);
  if (!number) return std::unexpected(number.error());
  return *number;
}

}  // namespace

Result<Semver> Semver::parse(std::string_view text) {
  if (text.empty()) return failure("Version string empty");
  const auto parts = split(text, '.', 3);
  if (parts.size() != 3) return failure("No Major.Minor.Patch elements found");
  const auto major = element(parts[0], "major", "Major");
  if (!major) return std::unexpected(major.error());
  const auto minor = element(parts[1], "minor", "Minor");
  if (!minor) return std::unexpected(minor.error());

  std::string_view patch_text = parts[2];
  std::vector<std::string_view> builds, prereleases;
  if (const auto plus = patch_text.find('+'); plus != std::string_view::npos) {
    builds = split(patch_text.substr(plus + 1), '.');
    patch_text = patch_text.substr(0, plus);
  }
  if (const auto dash = patch_text.find('-'); dash != std::string_view::npos) {
    prereleases = split(patch_text.substr(dash + 1), '.');
    patch_text = patch_text.substr(0, dash);
  }
  const auto patch = element(patch_text, "patch", "Patch");
  if (!patch) return std::unexpected(patch.error());

  Semver v{*major, *minor, *patch, {}, {}};
  for (const auto part : prereleases) {
    auto parsed = read_prerelease(part);
    if (!parsed) return std::unexpected(parsed.error());
    v.prerelease.push_back(std::move(*parsed));
  }
  for (const auto part : builds) {
    if (part.empty()) return failure("Build meta data is empty");
    if (!only(part, kWords))
      return failure("Invalid character(s) found in build meta data " + go_quote(part));
    v.build.emplace_back(part);
  }
  return v;
}

Result<Semver> Semver::parse_normalized(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> parts;
  for (const auto part : split(text, '.', 3)) {
    std::string p(part);
    if (p.size() > 1) {
      p.erase(0, std::min(p.find_first_not_of('0'), p.size()));
      if (p.empty() || p.find_first_of(kNumbers) != 0) p.insert(0, "0");
    }
    parts.push_back(std::move(p));
  }
  if (parts.size() < 3) {
    if (parts.back().find_first_of("+-") != std::string::npos) {
      return failure("short version cannot contain PreRelease/Build meta data");
    }
    parts.resize(3, "0");
  }
  return parse(parts[0] + "." + parts[1] + "." + parts[2]);
}

std::strong_ordering Semver::order(const Semver& o) const {
  if (const auto c = major <=> o.major; c != 0) return c;
  if (const auto c = minor <=> o.minor; c != 0) return c;
  if (const auto c = patch <=> o.patch; c != 0) return c;
  if (prerelease.empty() || o.prerelease.empty()) return prerelease.empty() <=> o.prerelease.empty();
  return prerelease <=> o.prerelease;
}

std::string to_string(const Semver& v) {
  auto out = fmt::format("{}.{}.{}", v.major, v.minor, v.patch);
  char separator = '-';
  for (const auto& part : v.prerelease) {
    out += std::exchange(separator, '.');
    out += std::holds_alternative<std::string>(part) ? std::get<std::string>(part)
                                                     : std::to_string(std::get<std::uint64_t>(part));
  }
  separator = '+';
  for (const auto& part : v.build) {
    out += std::exchange(separator, '.');
    out += part;
  }
  return out;
}

}  // namespace etiage::cel
