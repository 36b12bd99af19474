#include "render/cost.h"

#include <algorithm>
#include <functional>

#include "render/ledger_json.h"

namespace etiage::render {
namespace {

using ledger::BreakdownRow;
using ledger::Bucket;

Money before(const Cost& cost, const BreakdownRow& row) {
  const auto it = cost.before.find({row.unattributed, row.key});
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
  json.member("borneIdle", row.borne).member("gpuHours", row.unit.gpu_hours);
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

Cell maybe(std::optional<double> value) {
  return value ? price(*value) : none();
}

/// Days and nodes are of what nobody held too: such rows must say which of the two they are. Among tenants
/// the rest is held by pods, and named in its place.
bool keys_of_nobody(const Cost& cost) {
  if (std::ranges::find(cost.by, "tenant") != cost.by.end()) return false;
  return std::ranges::any_of(cost.rows, [](const BreakdownRow& r) {
    return r.unattributed && std::ranges::any_of(r.key, [](const auto& k) { return !k.empty(); });
  });
}

Cell held_by(const BreakdownRow& row) {
  Cell out = text(row.unattributed ? "nobody" : "pods", row.unattributed ? Tone::kDim : Tone::kPlain);
  out.exact = row.unattributed ? "true" : "false";
  return out;
}

/// A column and what stands in it.
struct Figure {
  Column column;
  std::function<Cell(const BreakdownRow&)> cell;
};

/// What a row has of money.
std::vector<Figure> money_figures(const Cost& cost) {
  const auto whole = cost.bill.units();
  std::vector<Figure> out{
      {{"unattributed", "HELD BY", "", Align::kLeft, keys_of_nobody(cost) ? Show::kAlways : Show::kData},
       held_by},
      {{"cost", "COST", cost.currency, Align::kRight},
       [](const BreakdownRow& r) { return money(r.unit.cost); }},
      {{"part", "PART", "", Align::kRight, Show::kIfRoom},
       [whole](const BreakdownRow& r) { return whole > 0 ? percent(r.unit.cost.units() / whole) : none(); }},
      {{"gpuHours", "GPU-H", "", Align::kRight},
       [](const BreakdownRow& r) { return number(r.unit.gpu_hours, 1); }}};
  for (std::size_t b = 0; b < ledger::kBucketCount; ++b) {
    const auto bucket = static_cast<Bucket>(b);
    const bool shown = bucket == Bucket::kBusy || bucket == Bucket::kHeldIdle;
    out.push_back({{std::string(to_string(bucket)), bucket == Bucket::kHeldIdle ? "IDLE" : "", cost.currency,
                    Align::kRight, shown ? Show::kIfRoom : Show::kData},
                   [bucket](const BreakdownRow& r) { return money(r.buckets[bucket]); }});
  }
  out.push_back({{"borneIdle", "", cost.currency, Align::kRight, Show::kData},
                 [](const BreakdownRow& r) { return money(r.borne); }});
  return out;
}

/// What a row has of tokens, and what they cost.
std::vector<Figure> token_figures(const Cost& cost) {
  const auto hidden = [](std::string name, auto of) {
    return Figure{{std::move(name), "", "", Align::kRight, Show::kData},
                  [of](const BreakdownRow& r) { return number(of(r.unit.tokens).count, 0); }};
  };
  const auto per_million = [&](std::string name, std::string title, Show show, auto part) {
    return Figure{{std::move(name), std::move(title), cost.currency + "/M", Align::kRight, show},
                  [part, weight = cost.cached_weight](const BreakdownRow& r) {
                    return maybe(r.unit.per_million(weight).*part);
                  }};
  };
  using ledger::PerMillion;
  using ledger::TokenCounts;
  return {{{"tokens", "TOKENS", "", Align::kRight},
           [](const BreakdownRow& r) {
             return r.unit.tokens.all() > 0 ? short_count(r.unit.tokens.all()) : none();
           }},
          hidden("inputTokens", std::mem_fn(&TokenCounts::input)),
          hidden("cachedInputTokens", std::mem_fn(&TokenCounts::cached_input)),
          hidden("outputTokens", std::mem_fn(&TokenCounts::output)),
          per_million("full", "FULL", Show::kAlways, &PerMillion::full),
          per_million("usage", "", Show::kData, &PerMillion::usage),
          per_million("generated", "", Show::kData, &PerMillion::generated),
          per_million("input", "", Show::kData, &PerMillion::input),
          per_million("output", "", Show::kData, &PerMillion::output),
          {{"coverage", "", "", Align::kRight, Show::kData},
           [](const BreakdownRow& r) {
             const auto covered = r.unit.coverage();
             return covered ? percent(*covered) : none();
           }},
          {{"grade", "", "", Align::kLeft, Show::kWide},
           [](const BreakdownRow& r) { return text(to_string(r.unit.grade)); }}};
}

std::vector<Figure> change_figures(const Cost& cost) {
  if (!cost.compared) return {};
  return {{{"before", "BEFORE", cost.currency, Align::kRight},
           [&cost](const BreakdownRow& r) { return money(before(cost, r)); }},
          {{"change", "CHANGE", "", Align::kRight},
           [&cost](const BreakdownRow& r) { return change_cell(cost, r); }}};
}

/// What a line needs to stand alone in a table of many reports.
std::vector<Figure> frame_figures(const Cost& cost) {
  const auto always = [](std::string name, std::string value) {
    return Figure{{std::move(name), "", "", Align::kLeft, Show::kData},
                  [value = std::move(value)](const BreakdownRow&) { return text(value); }};
  };
  return {always("start", to_string(cost.window.start)), always("end", to_string(cost.window.end)),
          always("currency", cost.currency)};
}

std::string title(const Cost& cost) {
  std::string names;
  for (const auto& key : cost.by) names += (names.empty() ? "" : ", ") + key;
  std::string out = "Cost by " + names;
  if (!cost.listed.empty()) out += ", " + cost.listed.substr(0, cost.listed.find(" ("));
  out += ", " + to_string(cost.window.start) + " to " + to_string(cost.window.end);
  if (cost.compared)
    out += ", compared with " + to_string(cost.compared->start) + " to " + to_string(cost.compared->end);
  return out;
}

/// The dearest first, what nobody held last; by time where a key is one.
std::vector<BreakdownRow> ordered(const Cost& cost) {
  auto rows = cost.rows;
  if (std::ranges::any_of(cost.by, [](const std::string& k) { return k == "hour" || k == "day"; }))
    std::ranges::stable_sort(rows, {},
                             [](const BreakdownRow& r) { return std::pair(r.key, r.unattributed); });
  else
    std::ranges::stable_sort(rows, std::ranges::greater{},
                             [](const BreakdownRow& r) { return std::pair(!r.unattributed, r.unit.cost); });
  return rows;
}

Row total_row(const Cost& cost, const std::vector<Figure>& figures) {
  Money total, then;
  for (const BreakdownRow& row : cost.rows) total += row.unit.cost;
  for (const auto& [key, amount] : cost.before) then += amount;
  Row sum{{text("total", Tone::kStrong)}, true};
  while (sum.cells.size() < cost.by.size()) sum.cells.push_back(text(""));
  for (const Figure& f : figures)
    sum.cells.push_back(f.column.name == "cost"     ? money(total)
                        : f.column.name == "before" ? money(then)
                                                    : text(""));
  return sum;
}

std::vector<std::string> notes(const Cost& cost) {
  std::vector<std::string> out;
  if (cost.window.empty()) out.push_back("One sample has no window: the bill is 0.");
  if (!cost.listed.empty())
    out.push_back("Rows of " + cost.listed + " only; the bill of all is " + money(cost.bill).shown + " " +
                  cost.currency + ".");
  if (cost.compared && cost.compared->length() != cost.window.length())
    out.push_back("The windows differ in length: " + to_string(cost.window.length()) + " now, " +
                  to_string(cost.compared->length()) + " before.");
  return out;
}

}  // namespace

std::string cost_json(const Cost& cost) {
  JsonWriter json;
  json.begin_object();
  write_window(json, cost.window);
  json.member("currency", cost.currency).member("bill", cost.bill).member("by", cost.by);
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
  write_text(json, "listed", cost.listed);
  write_next(json, cost.next);
  json.end_object();
  return json.take() + "\n";
}

std::vector<Table> cost_tables(const Cost& cost) {
  Table out{.title = title(cost)};
  for (const std::string& key : cost.by) out.columns.push_back({key, title_of(key)});
  std::vector<Figure> figures;
  for (auto part : {money_figures(cost), token_figures(cost), change_figures(cost), frame_figures(cost)})
    figures.insert(figures.end(), part.begin(), part.end());
  for (const Figure& f : figures) out.columns.push_back(f.column);
  const std::string nobody = cost.tenant_models ? "(unattributed)" : "(nobody)";
  for (const BreakdownRow& row : ordered(cost)) {
    Row line;
    for (const std::string& value : row.key)
      line.cells.push_back(value.empty() ? none(row.unattributed ? nobody : "(none)") : text(value));
    for (const Figure& f : figures) line.cells.push_back(f.cell(row));
    out.rows.push_back(std::move(line));
  }
  out.rows.push_back(total_row(cost, figures));
  out.notes = notes(cost);
  if (cost.tenant_models) out.notes.push_back(coverage_note(*cost.tenant_models));
  out.notes.insert(out.notes.end(), cost.notes.begin(), cost.notes.end());
  std::vector<Table> tables{std::move(out)};
  for (Table& next : next_table(cost.next)) tables.push_back(std::move(next));
  return tables;
}

}  // namespace etiage::render
