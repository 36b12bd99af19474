#include "engines/serving/coefficients.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

#include "base/csv.h"
#include "catalog/cells.h"
#include "catalog/tables.h"

namespace etiage::serving {
namespace {

constexpr double kEighty = 1.2816;  ///< standard deviations that hold 80 % of a normal distribution

constexpr std::array<std::string_view, kBasis> kBasisNames{"one",    "c1",      "c4",       "c16",
                                                           "c64",    "c256",    "c1024",    "input",
                                                           "output", "input_c", "output_c", "input_output"};

const std::string& field(const RunKeys& keys, std::string_view name) {
  static const std::string kNone;
  if (name == "model") return keys.model;
  if (name == "engine") return keys.engine;
  if (name == "version") return keys.version;
  if (name == "card") return keys.card;
  if (name == "precision") return keys.precision;
  if (name == "split") return keys.split;
  return kNone;
}

std::string joined(const RunKeys& keys, const std::vector<std::string>& fields) {
  std::string out;
  for (const auto& f : fields) (out += field(keys, f)) += '|';
  return out;
}

std::array<double, 3> squares(const Basis& basis) {
  std::array<double, 3> out{};
  for (std::size_t i = 0; i < kBasis; ++i) out[i == 0 ? 0 : i <= 6 ? 1 : 2] += basis[i] * basis[i];
  return out;
}

double dot(const Basis& a, const Basis& b) {
  double sum = 0;
  for (std::size_t i = 0; i < kBasis; ++i) sum += a[i] * b[i];
  return sum;
}

/// How far apart two versions are; patches of one minor are neighbours.
double distance(const EngineRef& a, const EngineRef& b) {
  return std::abs(a.version.major - b.version.major) * 1e4 +
         std::abs(a.version.minor - b.version.minor) * 100.0 + std::abs(a.version.patch - b.version.patch);
}

/// The measured version that stands for `version`: itself, else the nearest numbered one.
const std::string& standing_for(const std::vector<std::string>& measured, const std::string& engine,
                                const std::string& version) {
  if (std::ranges::find(measured, version) != measured.end()) return version;
  const auto wanted = parse_engine(engine + "@" + version);
  const std::string* best = &version;
  double least = 1e3;  // another major version stands for nothing
  for (const auto& m : measured) {
    const auto have = parse_engine(engine + "@" + m);
    if (!wanted || !have || !wanted->version.known() || !have->version.known()) continue;
    if (const double d = distance(*wanted, *have); d < least) least = d, best = &m;
  }
  return *best;
}

}  // namespace

std::string_view precision_class(const QuantizationScheme& s) {
  if (s.name == "fp8" || s.name == "fp8_block") return "fp8";
  if (s.name == "int8" || s.name == "int8_wo" || s.name == "q8_0") return "int8";
  if (s.name == "nvfp4" || s.name == "mxfp4") return "fp4";
  return s.name == "bf16" ? "bf16" : "int4";
}

std::string split_name(const Parallelism& p) {
  std::string out;
  if (p.tensor > 1 || p.gpus() == 1) out += fmt::format("tp{}", p.tensor);
  if (p.pipeline > 1) out += fmt::format("pp{}", p.pipeline);
  if (p.data > 1) out += fmt::format("dp{}", p.data);
  if (p.expert > 1) out += fmt::format("ep{}", p.expert);
  return out;
}

RunKeys run_keys(const ModelSpec& m, const QuantizationScheme& scheme, const Device& device,
                 const Parallelism& split, const EngineRef& engine) {
  return {m.shapes,    std::string(to_string(engine.engine)), engine.version.text,
          device.card, std::string(precision_class(scheme)),  split_name(split)};
}

std::string_view basis_name(std::size_t index) {
  return kBasisNames[index];
}

Basis basis_of(const Workload& w) {
  const double c = std::clamp(std::log2(std::max(w.concurrency, 1.0)), 2.0, 10.0);
  const double in = std::clamp(std::log2(w.input / 1024), -4.0, 4.0),
               out = std::clamp(std::log2(w.output / 1024), -4.0, 4.0);
  Basis b{1};
  for (std::size_t i = 0; i < 6; ++i)
    b[1 + i] = std::max(0.0, 1 - std::abs(c - 2.0 * static_cast<double>(i)) / 2);
  b[7] = in / 3;
  b[8] = out / 3;
  b[9] = in * (c - 5) / 9;
  b[10] = out * (c - 5) / 9;
  b[11] = in * out / 9;
  return b;
}

double load_of(const Workload& w) {
  return (std::log2(std::max(w.concurrency, 1.0)) - 5) / 5;
}

double FittedQuantity::prior(std::span<const double> terms, std::string_view engine) const {
  const auto own = engines.find(engine);
  double sum = 0;
  for (std::size_t i = 0; i < terms.size() && i < base.size(); ++i)
    sum += base[i] * terms[i] * (own == engines.end() ? 1 : std::exp(own->second[i]));
  return sum;
}

Estimate FittedQuantity::published(std::span<const double> terms, const RunKeys& asked,
                                   const Workload& work) const {
  const double prior_value = prior(terms, asked.engine);
  RunKeys keys = asked;
  if (const auto known = versions.find(keys.engine); known != versions.end())
    keys.version = standing_for(known->second, keys.engine, keys.version);
  const bool measured = std::ranges::any_of(levels, [&](const Level& level) {
    return level.fields.size() >= 4 && level.fields.front() == "model" &&
           level.keys.contains(joined(keys, level.fields));
  });
  if (!measured)
    return {prior_value, prior_value * std::exp(prior_low), prior_value * std::exp(prior_high), false};
  const Basis basis = basis_of(work);
  const auto size = squares(basis);
  double correction = 0, variance = noise * noise;
  for (const auto& level : levels) {
    double spread = 0;
    for (std::size_t t = 0; t < 3; ++t) spread += level.amplitude[t] * level.amplitude[t] * size[t];
    const auto found = level.keys.find(joined(keys, level.fields));
    if (found != level.keys.end()) {
      correction += dot(found->second.first, basis);
      spread *= noise * noise / (noise * noise + found->second.second * spread);
    }
    variance += spread;
  }
  const double value = prior_value * std::exp(correction), half = kEighty * band_scale * std::sqrt(variance);
  return {value, value * std::exp(-half), value * std::exp(half), true};
}

Estimate FittedQuantity::estimate(std::span<const double> terms, const RunKeys& keys,
                                  const Workload& work) const {
  auto e = published(terms, keys, work);
  for (const auto& f : own) {
    if (f.model != keys.model || f.engine != keys.engine || f.card != keys.card) continue;
    const double load = load_of(work), half = kEighty * std::sqrt(f.log.variance(load) + f.noise * f.noise);
    e.value *= std::exp(f.log.at(load));
    e = {e.value, e.value * std::exp(-half), e.value * std::exp(half), true};
  }
  return e;
}

namespace {

template <class TermKind>
std::size_t term_index(std::string_view name, std::size_t terms) {
  for (std::size_t i = 0; i < terms; ++i)
    if (to_string(static_cast<TermKind>(i)) == name) return i;
  return terms;
}

/// Rows of one quantity: `quantity,level,key,term,coefficient,rows`.
class Reader {
 public:
  Reader(FittedQuantity& out, std::size_t terms, std::size_t (*index)(std::string_view, std::size_t))
      : out_(out), terms_(terms), index_(index) {
    out_.base.assign(terms, 0);
  }

  bool take(const CsvRow& row) {
    const auto level = row["level"], key = row["key"], term = row["term"];
    const double value = catalog::number<double>(row, "coefficient");
    if (level == "base" || level == "engine") return take_term(level, key, term, value);
    if (level == "noise") return out_.noise = value, true;
    if (level == "band") return out_.band_scale = value, true;
    if (level == "prior_low") return out_.prior_low = value, true;
    if (level == "prior_high") return out_.prior_high = value, true;
    if (level == "version") return out_.versions[std::string(key)].emplace_back(term), true;
    if (level == "amplitude") return take_amplitude(key, term, value);
    return take_weight(level, key, term, value, catalog::number<int>(row, "rows"));
  }

 private:
  bool take_term(std::string_view level, std::string_view key, std::string_view term, double value) {
    const auto i = index_(term, terms_);
    if (i == terms_) return false;
    if (level == "base") return out_.base[i] = value, true;
    auto& own = out_.engines[std::string(key)];
    own.resize(terms_, 0);
    own[i] = value;
    return true;
  }

  FittedQuantity::Level& level_of(std::string_view name) {
    const auto fields = catalog::split(name, '+');
    const auto found = std::ranges::find(out_.levels, fields, &FittedQuantity::Level::fields);
    if (found != out_.levels.end()) return *found;
    return out_.levels.emplace_back(FittedQuantity::Level{.fields = fields});
  }

  bool take_amplitude(std::string_view level, std::string_view term, double value) {
    const std::size_t t = term == "one" ? 0 : term == "tents" ? 1 : term == "slopes" ? 2 : 3;
    if (t == 3) return false;
    level_of(level).amplitude[t] = value;
    return true;
  }

  bool take_weight(std::string_view level, std::string_view key, std::string_view term, double value,
                   int rows) {
    const auto* const at = std::ranges::find(kBasisNames, term);
    if (at == kBasisNames.end()) return false;
    auto& [weights, count] = level_of(level).keys[std::string(key)];
    weights[static_cast<std::size_t>(at - kBasisNames.begin())] = value;
    count = rows;
    return true;
  }

  FittedQuantity& out_;
  std::size_t terms_;
  std::size_t (*index_)(std::string_view, std::size_t);
};

}  // namespace

Result<Coefficients> read_coefficients(std::string_view csv, const std::string& file) {
  Coefficients out;
  Reader token(out.token, kTerms, term_index<Term>),
      first(out.first_token, kFirstTerms, term_index<FirstTerm>);
  auto done = read_csv(csv, file, [&](const CsvRow& row) -> Result<void> {
    const bool is_token = row["quantity"] == "tpot";
    if (!is_token && row["quantity"] != "ttft")
      return failure(fmt::format("quantity \"{}\" is neither tpot nor ttft", row["quantity"]),
                     {file, row.line()});
    if (!(is_token ? token : first).take(row))
      return failure(fmt::format("term \"{}\" is not known", row["term"]), {file, row.line()});
    return {};
  });
  if (!done) return std::unexpected(done.error());
  return out;
}

const Coefficients& builtin_coefficients() {
  static const Coefficients kBuiltin =
      read_coefficients(catalog::serving_coefficients_table(), "data/serving_coefficients.csv").value();
  return kBuiltin;
}

}  // namespace etiage::serving
