#pragma once
// Pieces of JSON that several answers share.

#include <optional>

#include "base/json_writer.h"
#include "ledger/unit_cost.h"

namespace etiage::render {

void write_window(JsonWriter& json, Window window);
void write_buckets(JsonWriter& json, const ledger::Buckets& buckets);
void write_per_million(JsonWriter& json, const ledger::PerMillion& p);
void write_tokens(JsonWriter& json, const ledger::TokenCounts& tokens);
void write_check(JsonWriter& json, const Check& check);
/// A figure, or null where there is none.
void write_maybe(JsonWriter& json, std::string_view key, std::optional<double> value);
/// A text, or null where it is empty.
void write_text(JsonWriter& json, std::string_view key, std::string_view value);

}  // namespace etiage::render
