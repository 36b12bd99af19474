#include "formats/tsdb/meta.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include "base/ascii.h"
#include "formats/document.h"
#include "formats/json_reader.h"

namespace etiage::formats::tsdb {
namespace {

/// What Prometheus wants a member to be; where it is something else the block is not taken.
enum class Type : std::uint8_t { kInteger, kCount, kTruth, kText, kUlid };

struct Member {
  std::string_view in, name;  ///< `in`: the member around it, `compaction`; empty: none
  Type type;
  bool list = false;
};

/// tsdb.BlockMeta of prometheus/prometheus.
constexpr auto kMembers = std::to_array<Member>({
    {"", "ulid", Type::kUlid},
    {"", "minTime", Type::kInteger},
    {"", "maxTime", Type::kInteger},
    {"", "version", Type::kInteger},
    {"stats", "numSamples", Type::kCount},
    {"stats", "numFloatSamples", Type::kCount},
    {"stats", "numHistogramSamples", Type::kCount},
    {"stats", "numSeries", Type::kCount},
    {"stats", "numChunks", Type::kCount},
    {"stats", "numTombstones", Type::kCount},
    {"compaction", "level", Type::kInteger},
    {"compaction", "sources", Type::kUlid, true},
    {"compaction", "deletable", Type::kTruth},
    {"compaction", "failed", Type::kTruth},
    {"compaction", "hints", Type::kText, true},
    {"parents", "ulid", Type::kUlid},
    {"parents", "minTime", Type::kInteger},
    {"parents", "maxTime", Type::kInteger},
});

/// Names are told as Go's encoding/json tells them: in any case, the last of several.
const Tree& member(const Tree& map, std::string_view name) {
  static const Tree none;
  const Tree* found = &none;
  for (const auto& [key, value] : map.members())
    if (same_word(key, name)) found = &value;
  return *found;
}

/// 26 digits of base 32 of which the first is at most 7: no more than 128 bits. Go checks no more.
bool is_ulid(std::string_view text) {
  return text.size() == 26 && text.front() <= '7';
}

bool is(const Tree& value, Type type) {
  if (value.is_null()) return true;
  switch (type) {
    case Type::kInteger:
      return value.is_number() && value.text().find_first_of(".eE") == std::string::npos &&
             value.as_int().has_value();
    case Type::kCount:
      return value.is_number() && value.text().size() <= 19 &&
             value.text().find_first_not_of("0123456789") == std::string::npos;
    case Type::kTruth:
      return value.as_bool().has_value();
    case Type::kText:
      return value.is_string();
    case Type::kUlid:
      return value.is_string() && is_ulid(value.text());
  }
  return false;
}

bool is_list(const Tree& value, Type type) {
  return value.is_null() || (value.is_sequence() && std::ranges::all_of(value.items(), [&](const Tree& item) {
                               return is(item, type);
                             }));
}

/// The member that is none of what it should be.
std::optional<std::string_view> wrong_member(const Tree& meta) {
  for (const auto& [in, name, type, list] : kMembers) {
    const Tree& around = in.empty() ? meta : member(in == "parents" ? member(meta, "compaction") : meta, in);
    const bool whole = around.is_null() || (in == "parents" ? around.is_sequence() : around.is_map());
    if (!whole) return in;
    if (around.is_sequence()) {
      for (const Tree& item : around.items())
        if (!(item.is_map() || item.is_null()) || !is(member(item, name), type)) return in;
    } else if (const Tree& value = member(around, name); !(list ? is_list(value, type) : is(value, type))) {
      return name;
    }
  }
  return {};
}

struct Unread final : JsonVisitor {
  bool token(const JsonToken&) override { return true; }
};

/// One JSON value, as strict as Go; bytes that are not UTF-8 are some character to it.
Result<Tree> read_one(std::string text) {
  Unread nobody;
  auto read = read_json(text, nobody);
  if (!read && read.error().kind == JsonFault::Kind::kEncoding) {
    std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
    read = read_json(text, nobody);
  }
  if (!read) return std::unexpected(as_error(read.error(), ""));
  Diagnostics repeated;
  auto documents = read_documents(text, "", repeated);
  if (documents.size() != 1 || !documents[0].is_map()) return failure("is no JSON object");
  return std::move(documents[0]);
}

}  // namespace

Result<BlockMeta> read_meta(std::string_view json) {
  const auto read = read_one(std::string(json));
  if (!read) return std::unexpected(read.error());
  const Tree& meta = *read;
  if (const auto wrong = wrong_member(meta))
    return failure(fmt::format("{} is not what it should be", *wrong));
  if (member(meta, "version").as_int() != 1)
    return failure(fmt::format("version {} of meta.json is not read", member(meta, "version").text()));
  BlockMeta out{.ulid = member(meta, "ulid").text(),
                .min_ms = member(meta, "minTime").as_int().value_or(0),
                .max_ms = member(meta, "maxTime").as_int().value_or(0),
                .downsampled_ms = meta["thanos"]["downsample"]["resolution"].as_int().value_or(0)};
  const Tree& labels = meta["thanos"]["labels"];
  for (const auto& [name, value] : labels.members()) {
    if (!value.text().empty() && !name.starts_with("__"))
      out.external_labels.emplace_back(name, value.text());
    out.of_mimir |= name == "__org_id__" || name == "__ingester_id__" || name == "__compactor_shard_id__";
  }
  for (const char* name : {"__org_id__", "__tenant_id__", "tenant_id"})
    if (out.tenant.empty()) out.tenant = labels[name].text();
  std::ranges::sort(out.external_labels);
  return out;
}

}  // namespace etiage::formats::tsdb
