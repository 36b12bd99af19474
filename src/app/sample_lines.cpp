#include "app/sample_lines.h"

#include <cmath>
#include <fmt/format.h>
#include <ostream>

#include "base/json_writer.h"
#include "base/utf8.h"

namespace etiage::app {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

std::uint32_t code_point(std::string_view utf8) {
  std::uint32_t c = static_cast<unsigned char>(utf8[0]);
  if (utf8.size() > 1) c &= 0x7fu >> utf8.size();
  for (const char next : utf8.substr(1)) c = c << 6 | (static_cast<unsigned char>(next) & 0x3f);
  return c;
}

std::string escaped(std::string_view character) {
  constexpr std::string_view kLetters = "abtnvfr";  // from 0x07 to 0x0d
  const std::uint32_t c = code_point(character);
  if (c >= 7 && c <= 13) return {'\\', kLetters[c - 7]};
  if (c == '"' || c == '\\') return {'\\', static_cast<char>(c)};
  if (c < 0x20 || c == 0x7f) return fmt::format("\\x{:02x}", c);
  if (c < 0x7f) return std::string(character);
  return c < 0x10000 ? fmt::format("\\u{:04x}", c) : fmt::format("\\U{:08x}", c);
}

/// strconv.QuoteToASCII.
std::string go_quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t n = utf8_length(text);
    out +=
        n == 0 ? fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0])) : escaped(text.substr(0, n));
    text.remove_prefix(n == 0 ? 1 : n);
  }
  return out + '"';
}

std::string label_json(std::string_view text) {
  if (is_utf8(text) && text.find(kReplacement) == std::string_view::npos) return json_quoted(text);
  return json_quoted("quoted:" + go_quoted(text));
}

}  // namespace

std::string sample_text(double value) {
  if (formats::is_stale(value)) return "StaleNaN";
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{:.17g}", value);
}

OwnedLabels owned(formats::Labels labels) {
  OwnedLabels out;
  out.reserve(labels.size());
  for (const formats::Label& l : labels) out.emplace_back(l.name, l.value);
  return out;
}

void SampleLines::add(formats::Labels labels, std::optional<std::int64_t> ms, double value) {
  std::string& line = series_[owned(labels)];
  if (!line.empty()) line += ',';
  line += fmt::format("[{},\"{}\"]", ms ? std::to_string(*ms) : "null", sample_text(value));
}

void SampleLines::write(std::ostream& out) const {
  for (const auto& [labels, samples] : series_) write_series_line(out, labels, samples);
}

void write_series_line(std::ostream& out, const OwnedLabels& labels, std::string_view samples) {
  out << "{\"labels\":{";
  const char* comma = "";
  for (const auto& [name, value] : labels) {
    out << comma << label_json(name) << ':' << label_json(value);
    comma = ",";
  }
  out << "},\"samples\":[" << samples << "]}\n";
}

}  // namespace etiage::app
