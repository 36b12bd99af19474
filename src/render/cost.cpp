#include "render/cost.h"

#include <algorithm>

#include "render/ledger_json.h"

namespace etiage::render {
namespace {

using ledger::BreakdownRow;
using ledger::Bucket;

Money before(const Cost& cost, const BreakdownRow& row) {
  const auto it = cost.before.find(row.key);
  return it == cost.before.end() ? Money{} : it->second;
}

std::optional<double> growth(Money now, Money then) {
  if (then.micro == 0) return {};
  return static_cast<double>((now - then).micro) / static_cast<double>(then.micro);
}

void write_row(JsonWriter& json, const Cost& cost, const BreakdownRow& row) {
  json.begin_object().key("key").begin_object();
  for (std::size_t i = 0; i < cost.by.size(); ++i) write_text(json, cost.by[i], row.key[i]);
  json.end_object().member("cost", row.unit.cost);
  write_buckets(json, row.buckets);
  json.member("gpuHours", row.unit.gpu_hours);
  write_tokens(json, row.unit.tokens);
  write_per_million(json, row.unit.per_million(cost.cached_weight));
  write_maybe(json, "coverage", row.unit.coverage());
  json.member("grade", to_string(row.unit.grade)).member("unattributed", row.unattributed);
  if (cost.compared) {
    const Money then = before(cost, row);
    json.key("change").begin_object().member("before", then).member("difference", row.unit.cost - then);
    write_maybe(json, "ratio", growth(row.unit.cost, then));
    json.end_object();
  }
  json.end_object();
}

/// The part of all that tenants bear.
std::optional<double> told_part(Money attributed, Money whole) {
  if (whole.micro <= 0) return {};
  return static_cast<double>(attributed.micro) / static_cast<double>(whole.micro);
}

void write_tenants(JsonWriter& json, const Cost& cost) {
  Money attributed, whole;
  for (const auto& m : *cost.tenant_models) attributed += m.attributed, whole += m.cost;
  json.key("tenants").begin_object();
  write_maybe(json, "coverage", told_part(attributed, whole));
  json.key("models").begin_array();
  for (const auto& m : *cost.tenant_models) {
    json.begin_object().member("model", m.model).member("cost", m.cost).member("attributed", m.attributed);
    json.member("unattributed", m.cost - m.attributed);
    write_maybe(json, "coverage", told_part(m.attributed, m.cost));
    json.key("engine").begin_object();
    write_tokens(json, m.engine);
    json.end_object().key("gateway").begin_object();
    write_tokens(json, m.gateway);
    json.end_object().member("scaled", m.scaled()).end_object();
  }
  json.end_array().key("unmatched").begin_array();
  for (const GatewayModel& m : cost.unmatched)
    json.begin_object()
        .member("model", m.name)
        .member("rows", m.requests)
        .member("input", m.input.count)
        .member("output", m.output.count)
        .end_object();
  json.end_array().end_object();
}

/// `Qwen/Qwen3-32B 86%`, the least covered first.
std::string coverage_note(std::vector<ledger::TenantModel> models) {
  std::erase_if(models, [](const auto& m) { return m.cost.micro <= 0; });
  std::ranges::stable_sort(models, {},
                           [](const auto& m) { return told_part(m.attributed, m.cost).value_or(0); });
  constexpr std::size_t kShown = 5;
  std::string out;
  for (std::size_t i = 0; i < models.size() && i < kShown; ++i)
    out += (i == 0 ? "" : ", ") + models[i].model + " " +
           percent(told_part(models[i].attributed, models[i].cost).value_or(0)).shown;
  if (models.size() > kShown) out += " and " + std::to_string(models.size() - kShown) + " more";
  return out.empty() ? "No model has money in this window." : "Attributed: " + out + ".";
}

std::string title_of(const std::string& key) {
  return key.starts_with("label:") ? key.substr(6) : "";
}

Cell change_cell(const Cost& cost, const BreakdownRow& row) {
  const auto ratio = growth(row.unit.cost, before(cost, row));
  if (!ratio) return none("new");
  return toned(percent(*ratio), *ratio > 0 ? Tone::kBad : Tone::kGood);
}

}  // namespace

std::string cost_json(const Cost& cost) {
  JsonWriter json;
  json.begin_object();
  write_window(json, cost.window);
  json.member("currency", cost.currency).member("bill", cost.bill).key("by").begin_array();
  for (const std::string& key : cost.by) json.value(key);
  json.end_array();
  if (cost.compared)
    json.key("compared")
        .begin_object()
        .member("start", cost.compared->start)
        .member("end", cost.compared->end)
        .end_object();
  json.key("rows").begin_array();
  Money total, unattributed;
  for (const BreakdownRow& row : cost.rows) {
    write_row(json, cost, row);
    total += row.unit.cost;
    if (row.unattributed) unattributed += row.unit.cost;
  }
  json.end_array().member("unattributed", unattributed).member("total", total);
  if (cost.tenant_models) write_tenants(json, cost);
  json.end_object();
  return json.take() + "\n";
}

std::vector<Table> cost_tables(const Cost& cost) {
  Table out{.title = "Cost by " +
                     [&] {
                       std::string names;
                       for (const auto& key : cost.by) names += (names.empty() ? "" : ", ") + key;
                       return names;
                     }() +
                     ", " + to_string(cost.window.start) + " to " + to_string(cost.window.end)};
  for (const std::string& key : cost.by) out.columns.push_back({key, title_of(key)});
  const std::vector<Column> figures{{"cost", "COST", cost.currency, Align::kRight},
                                    {"part", "PART", "", Align::kRight, Show::kIfRoom},
                                    {"gpuHours", "GPU-H", "", Align::kRight},
                                    {"busy", "BUSY", cost.currency, Align::kRight, Show::kIfRoom},
                                    {"heldIdle", "IDLE", cost.currency, Align::kRight, Show::kIfRoom},
                                    {"tokens", "TOKENS", "", Align::kRight},
                                    {"full", "FULL", cost.currency + "/M", Align::kRight},
                                    {"grade", "", "", Align::kLeft, Show::kWide}};
  out.columns.insert(out.columns.end(), figures.begin(), figures.end());
  if (cost.compared) out.columns.push_back({"change", "CHANGE", "", Align::kRight});
  auto rows = cost.rows;
  const bool by_time =
      std::ranges::any_of(cost.by, [](const std::string& k) { return k == "hour" || k == "day"; });
  if (!by_time)
    std::ranges::stable_sort(rows, std::ranges::greater{},
                             [](const BreakdownRow& r) { return std::pair(!r.unattributed, r.unit.cost); });
  const std::string nobody = cost.tenant_models ? "(unattributed)" : "(nobody)";
  Money total;
  for (const BreakdownRow& row : rows) {
    Row line;
    for (const std::string& value : row.key)
      line.cells.push_back(value.empty() ? none(row.unattributed ? nobody : "(none)") : text(value));
    const auto full = row.unit.per_million(cost.cached_weight).full;
    for (Cell c :
         {money(row.unit.cost), percent(cost.bill.micro > 0 ? row.unit.cost.units() / cost.bill.units() : 0),
          number(row.unit.gpu_hours, 1), money(row.buckets[Bucket::kBusy]),
          money(row.buckets[Bucket::kHeldIdle]),
          row.unit.tokens.all() > 0 ? short_count(row.unit.tokens.all()) : none(),
          full ? price(*full) : none(), text(to_string(row.unit.grade))})
      line.cells.push_back(std::move(c));
    if (cost.compared) line.cells.push_back(change_cell(cost, row));
    out.rows.push_back(std::move(line));
    total += row.unit.cost;
  }
  Row sum{{text("total", Tone::kStrong)}, true};
  while (sum.cells.size() < cost.by.size()) sum.cells.push_back(text(""));
  sum.cells.push_back(money(total));
  out.rows.push_back(std::move(sum));
  if (cost.tenant_models) out.notes.push_back(coverage_note(*cost.tenant_models));
  out.notes.insert(out.notes.end(), cost.notes.begin(), cost.notes.end());
  return {out};
}

}  // namespace etiage::render
