#include "app/dra_match.h"

#include "adapters/input_file.h"
#include "base/json_writer.h"

namespace etiage::app {
namespace {

std::string_view word(cel::Outcome outcome) {
  return outcome == cel::Outcome::kTrue ? "true" : outcome == cel::Outcome::kFalse ? "false" : "error";
}

render::Table device_table(const MatchAnswer& answer) {
  render::Table table;
  table.columns = {{"driver"}, {"pool"}, {"device"}, {"result"}, {"cost", "", "", render::Align::kRight},
                   {"message"}};
  for (const DeviceVerdict& d : answer.devices) {
    const bool matches = d.verdict.outcome == cel::Outcome::kTrue;
    const bool failed = d.verdict.outcome == cel::Outcome::kError;
    const auto tone = matches ? render::Tone::kGood : failed ? render::Tone::kBad : render::Tone::kPlain;
    const auto cost =
        d.verdict.cost ? render::count(static_cast<std::int64_t>(*d.verdict.cost)) : render::none();
    table.rows.push_back(
        {{render::text(d.driver), render::text(d.pool), render::text(d.device),
          render::text(word(d.verdict.outcome), tone), cost, render::text(d.verdict.message)}});
  }
  return table;
}

render::Table clause_table(const MatchAnswer& answer) {
  render::Table table;
  table.title = "Clauses, each by itself";
  table.columns = {{"clause"},
                   {"matched", "", "", render::Align::kRight},
                   {"failed", "", "", render::Align::kRight},
                   {"errors", "", "", render::Align::kRight}};
  const auto count = [](std::size_t n) { return render::count(static_cast<std::int64_t>(n)); };
  for (std::size_t i = 0; i < answer.clauses.size(); ++i) {
    const cel::ClauseCount& c = answer.clauses[i];
    table.rows.push_back({{render::text(answer.selector.clauses[i].text), count(c.matched), count(c.failed),
                           count(c.errors)}});
  }
  return table;
}

}  // namespace

MatchAnswer match_devices(const std::string& expression, const cel::Environment& environment,
                          const std::vector<ResourceSlice>& slices) {
  MatchAnswer answer;
  answer.selector = cel::compile_selector(expression, environment);
  if (!answer.selector.ok()) return answer;
  const cel::FleetPreparation preparation(environment);
  std::vector<cel::PreparedDevice> prepared;
  for (const ResourceSlice& slice : slices) {
    for (const Device& device : slice.devices) {
      prepared.push_back(preparation.prepare(slice.driver, device));
      cel::Verdict verdict = cel::evaluate(answer.selector, prepared.back());
      answer.devices.push_back({slice.driver, slice.pool.name, device.name, std::move(verdict)});
    }
  }
  answer.clauses = cel::match_fleet(answer.selector, prepared).clauses;
  return answer;
}

Result<std::string> read_expression(const std::string& path) {
  auto file = adapters::InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  const auto whole = file->whole();
  if (whole.damage) return std::unexpected(*whole.damage);
  return std::string(whole.bytes);
}

std::string to_json(const MatchAnswer& answer) {
  JsonWriter json;
  const cel::Selector& selector = answer.selector;
  json.begin_object();
  if (selector.ok()) {
    json.member("type", selector.type).key("compileError").null();
    json.member("maxCost", selector.max_cost).member("tooCostly", selector.too_costly);
  } else {
    json.key("type").null().member("compileError", *selector.compile_error).key("maxCost").null();
    json.member("tooCostly", false);
  }
  json.key("clauses").begin_array();
  for (std::size_t i = 0; i < answer.clauses.size(); ++i) {
    const cel::ClauseCount& count = answer.clauses[i];
    const cel::Clause& clause = selector.clauses[i];
    json.begin_object().member("text", clause.text).member("begin", clause.begin).member("end", clause.end);
    json.member("matched", count.matched)
        .member("failed", count.failed)
        .member("errors", count.errors)
        .end_object();
  }
  json.end_array().key("devices").begin_array();
  for (const DeviceVerdict& d : answer.devices) {
    json.begin_object().member("driver", d.driver).member("pool", d.pool).member("device", d.device);
    json.key("result");
    if (d.verdict.outcome == cel::Outcome::kError)
      json.value("error");
    else
      json.value(d.verdict.outcome == cel::Outcome::kTrue);
    json.member("message", d.verdict.message).key("cost");
    if (d.verdict.cost)
      json.value(*d.verdict.cost);
    else
      json.null();
    json.end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

std::vector<render::Table> to_tables(const MatchAnswer& answer) {
  std::vector<render::Table> tables{device_table(answer)};
  if (answer.clauses.size() > 1) tables.push_back(clause_table(answer));
  return tables;
}

}  // namespace etiage::app
