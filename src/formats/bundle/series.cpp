#include "formats/bundle/series.h"

#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace etiage::formats::bundle {
namespace {

constexpr std::size_t kPiece = 1 << 20;

void add_quoted(std::string& out, std::string_view value) {
  out += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  out += '"';
}

std::string key_of(Labels labels) {
  std::string key;
  for (const Label& l : labels) {
    key.append(l.name).push_back('\0');
    key.append(l.value).push_back('\0');
  }
  return key;
}

std::string head_of(const std::vector<SeriesLabel>& labels) {
  std::string name, rest;
  for (const SeriesLabel& l : labels) {
    if (l.name == "__name__") {
      name = l.value;
      continue;
    }
    rest += rest.empty() ? "{" : ",";
    rest += l.name + "=";
    add_quoted(rest, l.value);
  }
  return name + (rest.empty() ? "" : rest + "}") + " ";
}

/// The shortest text that reads back as the same double.
void add_value(std::string& out, double value) {
  if (is_stale(value))
    out += "StaleNaN";
  else if (std::isnan(value))
    out += "NaN";
  else if (std::isinf(value))
    out += value > 0 ? "+Inf" : "-Inf";
  else
    fmt::format_to(std::back_inserter(out), "{}", value);
}

void add_seconds(std::string& out, std::int64_t ms) {
  const auto magnitude = static_cast<std::uint64_t>(ms < 0 ? -ms : ms);
  fmt::format_to(std::back_inserter(out), " {}{}.{:03}\n", ms < 0 ? "-" : "", magnitude / 1000,
                 magnitude % 1000);
}

}  // namespace

std::optional<SeriesRef> SeriesNames::series(Labels labels) {
  disguised_labels(labels, kept_, rename_);
  return {};
}

std::optional<SeriesRef> SeriesText::series(Labels labels) {
  const auto [it, added] = refs_.try_emplace(key_of(labels), static_cast<SeriesRef>(heads_.size()));
  if (added) heads_.push_back(head_of(disguised_labels(labels, kept_, rename_)));
  return it->second;
}

void SeriesText::samples(SeriesRef series, std::span<const Sample> samples) {
  for (const Sample& s : samples) {
    text_ += heads_[series];
    add_value(text_, s.value);
    add_seconds(text_, s.ms);
  }
  count_ += samples.size();
  if (text_.size() < kPiece) return;
  write_(text_);
  text_.clear();
}

void SeriesText::finish() {
  text_ += "# EOF\n";
  write_(text_);
  text_.clear();
}

}  // namespace etiage::formats::bundle
