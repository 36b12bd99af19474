#include "app/mig_pack.h"

#include <fmt/format.h>

#include "adapters/input_file.h"
#include "base/json_writer.h"
#include "catalog/cards.h"
#include "catalog/cells.h"
#include "catalog/mig_geometry.h"
#include "formats/document.h"

namespace etiage::app {
namespace {

Result<mig::Demand> demand_of(const std::string& text) {
  mig::Demand out;
  for (const auto& part : catalog::split(text, ',')) {
    const auto equals = part.find('=');
    const auto count = equals == std::string::npos
                           ? std::nullopt
                           : catalog::whole(std::string_view(part).substr(equals + 1));
    if (!count || *count < 0)
      return failure(fmt::format("\"{}\" is no demand", part), {}, "as in --demand 1g.10gb=29,3g.40gb=16");
    out[part.substr(0, equals)] += *count;
  }
  return out;
}

Result<std::vector<std::vector<mig::Instance>>> existing_of(const std::string& path) {
  std::vector<std::vector<mig::Instance>> out;
  if (path.empty()) return out;
  auto file = adapters::InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  Diagnostics faults;
  const auto documents = formats::read_documents(file->whole().bytes, path, faults);
  if (documents.size() != 1 || !documents.front()["layouts"].is_sequence())
    return failure("no layouts in it", {path},
                   "layouts: [{count: 1, instances: [{profile: 1g.10gb, start: 0}]}]");
  for (const auto& layout : documents.front()["layouts"].items()) {
    std::vector<mig::Instance> card;
    for (const auto& i : layout["instances"].items()) {
      const auto start = i["start"].as_int();
      if (!start || *start < 0 || *start > 31)
        return failure("an instance needs a profile and the slice where it starts", {path, i.line});
      card.push_back({i["profile"].text(), static_cast<int>(*start)});
    }
    const auto count = layout["count"].as_int().value_or(1);
    if (count < 0 || count > 1'000'000)
      return failure(fmt::format("{} cards of one layout make no sense", count), {path, layout.line});
    out.insert(out.end(), static_cast<std::size_t>(count), card);
  }
  return out;
}

}  // namespace

Result<MigPacked> mig_pack(const std::string& card_name, const std::string& demand_text,
                           const std::string& existing_path, const std::string& moves) {
  const auto card = catalog::find_card(card_name, catalog::cards());
  const auto geometry = catalog::mig_geometry(card ? card->key : card_name);
  if (!geometry)
    return card ? failure(card->name + " has no MIG, or none that is known", {}, "see `etiage catalog mig`")
                : std::unexpected(card.error());
  const auto demand = demand_of(demand_text);
  if (!demand) return std::unexpected(demand.error());
  const auto existing = existing_of(existing_path);
  if (!existing) return std::unexpected(existing.error());
  const auto most_moves = catalog::whole(moves);
  if (!moves.empty() && (!most_moves || *most_moves < 0))
    return failure(fmt::format("--moves is \"{}\", not a number of instances", moves));
  if (most_moves && existing_path.empty())
    return failure("--moves needs the cards that are there already", {}, "give --existing");
  MigPacked out{.card = card ? card->key : card_name, .incremental = !existing_path.empty()};
  if (out.incremental) {
    auto change = mig::repack(*geometry, *existing, *demand, most_moves);
    if (!change) return std::unexpected(change.error());
    out.change = std::move(*change);
  } else {
    auto packing = mig::pack(*geometry, *demand);
    if (!packing) return std::unexpected(packing.error());
    out.change.packing = std::move(*packing);
    for (const auto& [profile, n] : *demand) out.change.created += n;
  }
  return out;
}

std::string mig_pack_json(const MigPacked& m) {
  const auto& p = m.change.packing;
  JsonWriter json;
  json.begin_object()
      .member("card", m.card)
      .member("gpus", p.gpus)
      .member("lowerBound", p.lower_bound)
      .key("layouts")
      .begin_array();
  for (const auto& layout : p.layouts) {
    json.begin_object().member("count", layout.count).key("instances").begin_array();
    for (const auto& i : layout.instances)
      json.begin_object().member("profile", i.profile).member("start", i.start).end_object();
    json.end_array().end_object();
  }
  json.end_array().key("free").begin_object();
  for (const auto& [profile, n] : p.stranded) json.member(profile, n);
  json.end_object().member("stranded", p.stranded_share);
  if (m.incremental)
    json.key("change")
        .begin_object()
        .member("kept", m.change.kept)
        .member("created", m.change.created)
        .member("removed", m.change.removed)
        .member("moved", m.change.moved)
        .member("provenFewest", m.change.proven_fewest)
        .end_object();
  return json.end_object().take();
}

}  // namespace etiage::app
