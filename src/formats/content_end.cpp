#include "formats/content_end.h"

#include <algorithm>

namespace etiage::formats {
namespace {

bool begins_with_any(std::string_view line, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view b) { return line.starts_with(b); });
}

bool is_blank_line(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == line.npos;
}

std::string_view without_end(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// A header is short; the bytes of a long line need no look.
bool is_header_of_table(std::string_view line) {
  if (line.size() > 4000 || !line.contains(',')) return false;
  const ContentKind kind = recognise(line);
  return kind == ContentKind::kPricesCsv || kind == ContentKind::kInvoiceFocus ||
         kind == ContentKind::kInvoiceCur;
}

}  // namespace

ContentEnd::ContentEnd(ContentKind kind) : kind_(kind) {}

ContentEnd::Family ContentEnd::family_of(ContentKind kind, std::string_view line) {
  const bool json = line.starts_with('{') || line.starts_with('[');
  switch (kind) {
    case ContentKind::kPrometheusText:
    case ContentKind::kOpenMetrics:
      return Family::kSamples;
    case ContentKind::kPrometheusApi:
      return Family::kApi;
    case ContentKind::kPricesCsv:
    case ContentKind::kInvoiceFocus:
    case ContentKind::kInvoiceCur:
      return json ? Family::kJson : Family::kTable;
    case ContentKind::kKubernetesObjects:
    case ContentKind::kObjectFragment:
    case ContentKind::kPricesYaml:
      return json ? Family::kJson : Family::kYaml;
    case ContentKind::kJson:
      return Family::kJson;
    default:
      return Family::kOther;
  }
}

/// The family that a line at the margin begins; kOther where it may be a line of anything.
ContentEnd::Family ContentEnd::begun_by(std::string_view line) {
  if (begins_with_any(line, {"{\"status\":", "{\"data\":", "{\"metric\":"})) return Family::kApi;
  if (without_end(line) == "{" || begins_with_any(line, {"{\"apiVersion\"", "{\"kind\"", "{\"items\""}))
    return Family::kJson;
  if (begins_with_any(line, {"apiVersion: ", "kind: "})) return Family::kYaml;
  if (begins_with_any(line, {"# HELP ", "# TYPE "})) return Family::kSamples;
  return is_header_of_table(line) ? Family::kTable : Family::kOther;
}

bool ContentEnd::begins_another(std::string_view line) const {
  if (family_ == Family::kOther || is_blank_line(line)) return false;
  if (ended_) return true;
  const Family begun = begun_by(line);
  if (begun != Family::kOther) return begun != family_;
  // Behind a JSON value comes another value or another content.
  return family_ == Family::kJson || family_ == Family::kApi
             ? !begins_with_any(line, {"{", "[", ",", " ", "\t"})
             : false;
}

/// Goes through the line as JSON; where something else stands right behind a value, its place.
std::size_t ContentEnd::pass_json(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string_) {
      in_string_ = escaped_ || c != '"';
      escaped_ = !escaped_ && c == '\\';
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if ((c == '}' || c == ']') && depth_ > 0 && --depth_ == 0 && i + 1 < line.size()) {
      const std::string_view rest = line.substr(i + 1);
      if (!begins_with_any(rest, {",", " ", "\t", "\r", "\n"}) && begins_another(rest)) return i + 1;
    }
  }
  return kNowhere;
}

std::size_t ContentEnd::find(std::string_view lines) {
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t feed = lines.find('\n', at);
    const std::string_view line = lines.substr(at, feed == lines.npos ? lines.npos : feed + 1 - at);
    if (!begun_) {
      begun_ = !is_blank_line(line);
      family_ =
          family_of(kind_, line.substr(std::min(line.find_first_not_of(" \t\xef\xbb\xbf"), line.size())));
    } else if (depth_ == 0 && !in_string_ && begins_another(line)) {
      return at;
    }
    if (family_ == Family::kJson || family_ == Family::kApi)
      if (const std::size_t end = pass_json(line); end != kNowhere) return at + end;
    if (family_ == Family::kSamples && without_end(line) == "# EOF") ended_ = true;
    at += line.size();
  }
  return kNowhere;
}

}  // namespace etiage::formats
