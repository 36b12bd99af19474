#include "sizing/rows.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "base/csv.h"
#include "catalog/cards.h"
#include "sizing/terms.h"

namespace etiage::sizing {
namespace {

using Cells = std::vector<std::string>;

Result<double> real(std::string_view text, std::string_view column) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return failure(fmt::format("{} is \"{}\", not a number", column, text));
  return value;
}

/// A whole number of at most nine digits; nothing where the cell is empty.
Result<std::optional<std::int64_t>> whole(std::string_view text, std::string_view column) {
  if (text.empty()) return std::nullopt;
  const auto value = real(text, column);
  if (!value) return std::unexpected(value.error());
  if (*value != std::floor(*value) || std::abs(*value) > 1e9)
    return failure(fmt::format("{} is \"{}\", not a whole number", column, text));
  return static_cast<std::int64_t>(*value);
}

/// Reads the cells of one row; the first fault is kept.
class Reader {
 public:
  explicit Reader(const CsvRow& row) : row_(row) {}

  std::optional<std::int64_t> whole_at(std::string_view column) {
    auto value = whole(row_[column], column);
    if (!value) return note(value.error()), std::nullopt;
    return *value;
  }
  int width_at(std::string_view column) { return static_cast<int>(whole_at(column).value_or(1)); }
  std::optional<double> real_at(std::string_view column) {
    if (row_[column].empty()) return std::nullopt;
    auto value = real(row_[column], column);
    if (!value) return note(value.error()), std::nullopt;
    return *value;
  }
  double required(std::string_view column) {
    if (row_[column].empty()) note({fmt::format("{} is missing", column)});
    return real_at(column).value_or(0);
  }
  void note(Error error) {
    if (!error_) error_ = std::move(error);
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const CsvRow& row_;
  std::optional<Error> error_;
};

/// Names repeat from row to row, so each is looked up once.
class Lookups {
 public:
  explicit Lookups(const Sources& sources) : sources_(sources) {}

  Result<ModelSpec> model(const std::string& name) {
    return cached(models_, name, [&] { return catalog::find_model(name, sources_.models); });
  }
  Result<serving::Device> device(const std::string& card, const std::string& profile) {
    return cached(devices_, card + '\n' + profile, [&]() -> Result<serving::Device> {
      auto found = catalog::find_card(card, sources_.cards);
      if (!found) return std::unexpected(found.error());
      return profile.empty() ? device_of(*found) : device_of(*found, profile, sources_.slices);
    });
  }

 private:
  template <class T, class F>
  static Result<T> cached(std::unordered_map<std::string, Result<T>>& known, const std::string& key,
                          F&& make) {
    const auto found = known.find(key);
    return found != known.end() ? found->second : known.emplace(key, make()).first->second;
  }

  const Sources& sources_;
  std::unordered_map<std::string, Result<ModelSpec>> models_;
  std::unordered_map<std::string, Result<serving::Device>> devices_;
};

serving::EngineSettings settings(const CsvRow& row, Reader& read) {
  serving::EngineSettings s;
  if (auto engine = serving::parse_engine(row["engine"].empty() ? "vllm" : row["engine"]))
    s.engine = *engine;
  else
    read.note(engine.error());
  if (!row["engineVersion"].empty() && s.engine.version.text.empty()) {
    if (auto engine = serving::parse_engine(
            fmt::format("{}@{}", serving::to_string(s.engine.engine), row["engineVersion"])))
      s.engine = *engine;
  }
  s.max_model_len = read.whole_at("maxModelLen");
  s.max_num_seqs = read.whole_at("maxNumSeqs");
  s.max_batched_tokens = read.whole_at("maxNumBatchedTokens");
  s.utilization = read.real_at("gpuMemoryUtilization");
  if (const auto kv = row["kvDtype"]; !kv.empty() && kv != "auto") {
    s.kv = parse_kv_format(kv);
    if (!s.kv)
      read.note({fmt::format("kvDtype \"{}\" is not known", kv), {}, "one of auto, bf16, fp8, int8, nvfp4"});
  }
  return s;
}

Result<Question> question(const CsvRow& row, Lookups& lookups) {
  Reader read(row);
  Question q;
  if (auto model = lookups.model(std::string(row["model"])))
    q.model = *model;
  else
    read.note(model.error());
  if (auto device = lookups.device(std::string(row["card"]), std::string(row["migProfile"])))
    q.device = *device;
  else
    read.note(device.error());
  q.quantization = row["quantization"];
  q.split = {read.width_at("tensorParallel"), read.width_at("pipelineParallel"),
             read.width_at("dataParallel"), read.width_at("expertParallel")};
  q.settings = settings(row, read);
  q.work = serving::Workload{read.required("input"), read.required("output"),
                             read.real_at("concurrency").value_or(1)};
  if (read.error()) return std::unexpected(*read.error());
  return q;
}

Cells refused(const Error& error, std::size_t columns) {
  Cells cells(columns);
  cells[0] = "false";
  cells[1] = error.message + (error.hint.empty() ? "" : " (" + error.hint + ")");
  return cells;
}

void add(Cells& cells, const serving::Estimate& e) {
  for (const double v : {e.value, e.low, e.high}) cells.push_back(fmt::format("{:.6g}", v));
}

Cells answered(const Answer& a) {
  Cells cells{a.memory.fits ? "true" : "false", a.memory.reason};
  if (!a.performance) return cells;
  add(cells, a.performance->first_token_ms);
  add(cells, a.performance->token_ms);
  cells.push_back(fmt::format("{:.6g}", a.performance->output_tokens_per_second.value));
  cells.emplace_back(a.performance->first_token_ms.calibrated && a.performance->token_ms.calibrated
                         ? "calibrated"
                         : "prior");
  return cells;
}

}  // namespace

std::vector<std::string> answer_columns(bool with_terms) {
  std::vector<std::string> columns{"fits",      "reason",     "ttftMs",
                                   "ttftMsLow", "ttftMsHigh", "tpotMs",
                                   "tpotMsLow", "tpotMsHigh", "outputTokensPerSecond",
                                   "basis"};
  if (with_terms)
    for (auto& name : term_columns()) columns.push_back(std::move(name));
  return columns;
}

Result<void> answer_rows(std::string_view csv, const std::string& file, const Sources& sources,
                         bool with_terms,
                         const std::function<void(const Cells&, const Cells&, const Cells&)>& take) {
  Lookups lookups(sources);
  const std::size_t columns = answer_columns(with_terms).size();
  return read_csv(csv, file, [&](const CsvRow& row) -> Result<void> {
    auto cells = row.cells();
    cells.resize(row.header().size());
    const auto q = question(row, lookups);
    const auto a = q ? answer(*q, *sources.coefficients) : std::unexpected(q.error());
    auto added = a ? answered(*a) : refused(a.error(), columns);
    if (with_terms && a && a->performance) add_terms(added, *q, *a);
    added.resize(columns);
    take(row.header(), cells, added);
    return {};
  });
}

}  // namespace etiage::sizing
