// A price list as a document.

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>

#include "formats/document.h"
#include "formats/prices_shapes.h"

namespace etiage::formats {
namespace {

constexpr double kHoursOfMonth = 730;

class PriceDocument {
 public:
  PriceDocument(std::string_view text, PriceRows& rows) : text_(text), rows_(rows) {}

  void read(const Tree& tree) {
    if (!tree.is_map())
      return rows_.refuse(tree.line, "a price list is a map with `prices`", "see etiage help scan");
    allow(tree, {"apiVersion", "kind", "metadata", "currency", "source", "date", "prices", "nodes",
                 "instanceTypes", "cards", "components", "split"});
    if (tree.has("currency")) rows_.set_currency(tree["currency"].text(), tree["currency"].line);
    source_ = tree["source"].text();
    date_ = tree["date"].text();
    for (const Tree& item : tree["prices"].items()) row(item);
    if (tree.has("prices") && !tree["prices"].is_sequence())
      rows_.refuse(tree["prices"].line, "`prices` is a list of rows", "each begins with a dash");
    short_rows(tree["nodes"], &PriceWords::name);
    short_rows(tree["instanceTypes"], &PriceWords::instance_type);
    short_rows(tree["cards"], &PriceWords::card);
    if (tree.has("components")) components(tree["components"]);
    if (tree.has("split")) rows_.book().split = split(tree["split"]);
  }

 private:
  using Words = std::initializer_list<std::string_view>;

  void allow(const Tree& map, Words names) {
    for (const auto& [name, value] : map.members())
      if (std::ranges::find(names, name) == names.end())
        rows_.refuse(value.line, fmt::format("unknown key `{}`", name.substr(0, 60)),
                     fmt::format("known here: {}", fmt::join(names, ", ")));
  }

  /// A number as it was written: YAML's own reading goes through a double.
  std::string digits(const Tree& tree) const {
    if (!tree.is_number() || tree.end <= tree.begin || tree.end > text_.size()) return tree.text();
    return std::string(text_.substr(tree.begin, tree.end - tree.begin));
  }

  void row(const Tree& tree) {
    if (!tree.is_map())
      return rows_.refuse(tree.line, "a row of prices is a map",
                          "as {instanceType: p5.48xlarge, hourly: 55.04}");
    allow(tree, {"name", "instanceType", "card", "hourly", "onDemand", "spot", "reserved", "onPrem", "from",
                 "to", "purchase", "source", "date", "currency", "split"});
    PriceWords words{.line = tree.line,
                     .name = tree["name"].text(),
                     .instance_type = tree["instanceType"].text(),
                     .card = tree["card"].text()};
    words.currency = tree["currency"].text();
    words.from = tree["from"].text();
    words.to = tree["to"].text();
    words.source = tree.has("source") ? tree["source"].text() : source_;
    words.date = tree.has("date") ? tree["date"].text() : date_;
    const std::optional<PriceSplit> parts = tree.has("split") ? split(tree["split"]) : std::nullopt;
    bool any = false;
    const auto priced = [&](std::string_view key, const std::string& purchase) {
      if (!tree.has(key)) return;
      any = true;
      words.purchase = purchase;
      words.hourly = key == "onPrem" ? on_prem(tree[key]) : digits(tree[key]);
      if (!words.hourly.empty() || key != "onPrem") rows_.add(words, parts);
    };
    priced("hourly", tree["purchase"].text());
    priced("onDemand", "on-demand");
    priced("spot", "spot");
    priced("reserved", "reserved");
    priced("onPrem", "on-prem");
    if (!any) rows_.refuse(tree.line, "a row without a price", "hourly, onDemand, spot, reserved or onPrem");
  }

  void short_rows(const Tree& map, std::string PriceWords::* key) {
    for (const auto& [name, value] : map.members()) {
      PriceWords words{.line = value.line, .hourly = digits(value), .source = source_, .date = date_};
      words.*key = name;
      rows_.add(words);
    }
  }

  std::optional<double> number(const Tree& map, std::string_view key, std::optional<double> otherwise) {
    if (!map.has(key)) {
      if (!otherwise) rows_.refuse(map.line, fmt::format("no `{}`", key));
      return otherwise;
    }
    const auto value = map[key].as_double();
    if (value && std::isfinite(*value) && *value >= 0) return value;
    rows_.refuse(map[key].line,
                 fmt::format("`{}` is no number of 0 or more: `{}`", key, map[key].text().substr(0, 60)));
    return {};
  }

  /// (price - residual) over its months of 730 hours, plus upkeep of a year, plus watts with the cooling's
  /// share (PUE).
  std::string on_prem(const Tree& tree) {
    allow(tree, {"price", "months", "watts", "perKwh", "pue", "residual", "perYear"});
    const auto price = number(tree, "price", {}), months = number(tree, "months", {}),
               watts = number(tree, "watts", 0), per_kwh = number(tree, "perKwh", 0),
               pue = number(tree, "pue", 1), residual = number(tree, "residual", 0),
               per_year = number(tree, "perYear", 0);
    if (!price || !months || !watts || !per_kwh || !pue || !residual || !per_year) return "";
    if (*months <= 0 || *pue < 1 || *residual > *price) {
      rows_.refuse(tree.line, "no such purchase",
                   "months above 0, pue of 1 or more, residual not above price");
      return "";
    }
    const double hourly = (*price - *residual) / (*months * kHoursOfMonth) +
                          *per_year / (12 * kHoursOfMonth) + *watts / 1000 * *pue * *per_kwh;
    return fmt::format("{:.12f}", hourly);
  }

  void components(const Tree& tree) {
    allow(tree, {"gpu", "cpu", "memory"});
    const auto part = [&](std::string_view key) {
      return tree.has(key) ? rows_.price(digits(tree[key]), tree[key].line) : HourlyPrice{};
    };
    const auto gpu = part("gpu"), cpu = part("cpu"), memory = part("memory");
    if (gpu && cpu && memory) rows_.book().components = ComponentPrices{*gpu, *cpu, *memory};
  }

  std::optional<PriceSplit> split(const Tree& tree) {
    allow(tree, {"gpu", "cpu", "memory"});
    const auto gpu = number(tree, "gpu", 0), cpu = number(tree, "cpu", 0), memory = number(tree, "memory", 0);
    if (!gpu || !cpu || !memory) return {};
    const double sum = *gpu + *cpu + *memory;
    if (std::fabs(sum - 1) < 1e-9) return PriceSplit{*gpu, *cpu, *memory};
    if (std::fabs(sum - 100) < 1e-7) return PriceSplit{*gpu / 100, *cpu / 100, *memory / 100};
    rows_.refuse(tree.line, fmt::format("the parts of the split add up to {}", sum), "to 1, or to 100 %");
    return {};
  }

  std::string_view text_;
  PriceRows& rows_;
  std::string source_, date_;
};

}  // namespace

void read_price_document(std::string_view yaml, const std::string& file, PriceRows& rows,
                         Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.size();
  for (const Tree& tree : read_documents(yaml, file, diagnostics)) PriceDocument(yaml, rows).read(tree);
  // Here a repeated key is no trifle: one of the two prices would be lost.
  for (std::size_t i = before; i < diagnostics.size(); ++i)
    if (diagnostics[i].code == "duplicate-key") diagnostics[i].severity = Severity::kError;
}

}  // namespace etiage::formats
