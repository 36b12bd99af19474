#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/inspect.h"
#include "base/json_writer.h"

namespace etiage::app {
namespace {

std::uint64_t dropped(const formats::ReadReport& report) {
  std::uint64_t n = 0;
  for (const formats::Dropped& d : report.dropped) n += d.count;
  return n;
}

bool has_times(const InspectedFile& file) {
  return file.report.timed && file.report.samples + file.rows > 0;
}

void write_file(JsonWriter& json, const InspectedFile& file) {
  json.begin_object().member("path", file.path).member("kind", file.kind).member("dialects", file.dialects);
  json.key("objects").begin_object();
  for (const auto& [kind, n] : file.objects) json.member(kind, n);
  json.end_object()
      .member("tells", file.tells)
      .member("rows", file.rows)
      .member("metrics", file.metrics)
      .member("series", file.series)
      .member("samples", file.report.samples);
  if (has_times(file)) {
    json.member("start", Instant::unix_millis(file.report.first_ms))
        .member("end", Instant::unix_millis(file.report.last_ms));
  } else {
    json.key("start").null().key("end").null();
  }
  json.key("dropped").begin_array();
  for (const formats::Dropped& d : file.report.dropped) {
    json.begin_object().member("reason", d.reason).member("count", d.count);
    json.member("file", d.first.file).member("line", d.first.line).end_object();
  }
  json.end_array().key("remarks").begin_array();
  for (const Diagnostic& d : file.remarks) json.value(to_string(d));
  for (const std::string& warning : file.report.warnings) json.value("the source warns: " + warning);
  json.end_array().end_object();
}

/// What is in it, in a few words.
std::string content(const InspectedFile& file) {
  std::vector<std::string> words = file.dialects;
  for (const auto& [kind, n] : file.objects) words.push_back(fmt::format("{} {}", n, kind));
  words.insert(words.end(), file.tells.begin(), file.tells.end());
  return fmt::format("{}", fmt::join(words, ", "));
}

/// The folder that all files lie in, with its slash; empty where there is none, or one file only.
std::string common_folder(std::span<const InspectedFile> files) {
  if (files.size() < 2) return "";
  std::string_view common = files[0].path;
  for (const InspectedFile& f : files) {
    const auto [a, b] = std::ranges::mismatch(common, std::string_view(f.path));
    common = common.substr(0, static_cast<std::size_t>(a - common.begin()));
  }
  return std::string(common.substr(0, common.rfind('/') + 1));
}

render::Row row(const InspectedFile& file, std::size_t folder) {
  using namespace render;
  const bool timed = has_times(file);
  const auto time = [&](std::int64_t ms) {
    return timed ? text(to_string(Instant::unix_millis(ms))) : none();
  };
  const auto counted = [&](std::uint64_t n) {
    return file.report.samples > 0 ? count(static_cast<std::int64_t>(n)) : none();
  };
  const std::uint64_t lost = dropped(file.report);
  Cell path = text(std::string_view(file.path).substr(folder));
  path.exact = file.path;
  return {{path, text(file.kind), text(content(file)), counted(file.metrics), counted(file.series),
           counted(file.report.samples), time(file.report.first_ms), time(file.report.last_ms),
           lost == 0 ? none() : count(static_cast<std::int64_t>(lost))}};
}

}  // namespace

std::string to_json(std::span<const InspectedFile> files) {
  JsonWriter json;
  json.begin_object().key("files").begin_array();
  for (const InspectedFile& file : files) write_file(json, file);
  return json.end_array().end_object().take() + '\n';
}

render::Table to_table(std::span<const InspectedFile> files) {
  using render::Align, render::Show;
  render::Table table{.columns = {{"path", "FILE"},
                                  {"kind"},
                                  {"content"},
                                  {"metrics", "", "", Align::kRight, Show::kWide},
                                  {"series", "", "", Align::kRight},
                                  {"samples", "", "", Align::kRight},
                                  {"start", "", "", Align::kLeft, Show::kWide},
                                  {"end", "", "", Align::kLeft, Show::kWide},
                                  {"dropped", "", "", Align::kRight, Show::kIfRoom}}};
  const std::string folder = common_folder(files);
  if (!folder.empty()) table.title = "In " + folder;
  for (const InspectedFile& file : files) {
    table.rows.push_back(row(file, folder.size()));
    for (const formats::Dropped& d : file.report.dropped)
      table.notes.push_back(fmt::format("{}: {} dropped: {}", to_string(d.first), d.count, d.reason));
    for (const Diagnostic& d : file.remarks) table.notes.push_back(to_string(d));
    for (const std::string& warning : file.report.warnings)
      table.notes.push_back(fmt::format("{}: the source warns: {}", file.path, warning));
  }
  return table;
}

}  // namespace etiage::app
