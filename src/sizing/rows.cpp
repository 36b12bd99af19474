#include "sizing/rows.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "base/ascii.h"
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

/// The columns that mean something, by their own name and by that of the flag.
struct Meaning {
  std::string_view column, flag;
};
constexpr std::array kMeanings = std::to_array<Meaning>({{"model", ""},
                                                         {"card", ""},
                                                         {"migProfile", "mig"},
                                                         {"engine", ""},
                                                         {"engineVersion", ""},
                                                         {"quantization", ""},
                                                         {"kvDtype", "kv-dtype"},
                                                         {"tensorParallel", "tp"},
                                                         {"pipelineParallel", "pp"},
                                                         {"dataParallel", "dp"},
                                                         {"expertParallel", "ep"},
                                                         {"input", ""},
                                                         {"output", ""},
                                                         {"concurrency", ""},
                                                         {"maxModelLen", "max-model-len"},
                                                         {"maxNumSeqs", "max-num-seqs"},
                                                         {"maxNumBatchedTokens", "max-num-batched-tokens"},
                                                         {"gpuMemoryUtilization", "gpu-memory-utilization"}});

/// Letters in lower case: `tensor_parallel` and `Tensor-Parallel` are `tensorParallel`.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '-' && c != '_' && c != ' ') out += lower_case(c);
  return out;
}

/// Where in a row the cells stand that mean something. A column's own name goes before another spelling.
class Columns {
 public:
  explicit Columns(const Cells& header) {
    for (std::size_t m = 0; m < kMeanings.size(); ++m) {
      auto found = std::ranges::find(header, kMeanings[m].column);
      if (found == header.end())
        found = std::ranges::find_if(header, [&](const auto& name) {
          const auto wanted = plain(name);
          return wanted == plain(kMeanings[m].column) ||
                 (!kMeanings[m].flag.empty() && wanted == plain(kMeanings[m].flag));
        });
      at_[m] = static_cast<std::size_t>(found - header.begin());
    }
  }

  std::string_view cell(const CsvRow& row, std::string_view column) const {
    const auto m = std::ranges::find(kMeanings, column, &Meaning::column) - kMeanings.begin();
    const auto at = at_[static_cast<std::size_t>(m)];
    return at < row.cells().size() ? std::string_view(row.cells()[at]) : std::string_view();
  }

 private:
  std::array<std::size_t, kMeanings.size()> at_{};
};

/// Reads the cells of one row; the first fault is kept.
class Reader {
 public:
  Reader(const CsvRow& row, const Columns& columns) : row_(row), columns_(columns) {}

  std::string_view cell(std::string_view column) const { return columns_.cell(row_, column); }
  /// A cell that must be there.
  std::string named(std::string_view column) {
    if (cell(column).empty()) note({fmt::format("{} is missing", column)});
    return std::string(cell(column));
  }
  std::optional<std::int64_t> whole_at(std::string_view column) {
    auto value = whole(cell(column), column);
    if (!value) return note(value.error()), std::nullopt;
    return *value;
  }
  int width_at(std::string_view column) { return static_cast<int>(whole_at(column).value_or(1)); }
  std::optional<double> real_at(std::string_view column) {
    if (cell(column).empty()) return std::nullopt;
    auto value = real(cell(column), column);
    if (!value) return note(value.error()), std::nullopt;
    return *value;
  }
  double required(std::string_view column) {
    named(column);
    return real_at(column).value_or(0);
  }
  void note(Error error) {
    if (!error_) error_ = std::move(error);
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  const CsvRow& row_;
  const Columns& columns_;
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
      const auto slice = profile.empty() ? catalog::mig_profile_in(card) : profile;
      return slice.empty() ? device_of(*found) : device_of(*found, slice, sources_.slices);
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

serving::EngineSettings settings(Reader& read) {
  serving::EngineSettings s;
  const auto name = read.cell("engine"), version = read.cell("engineVersion");
  if (auto engine = serving::parse_engine(name.empty() ? "vllm" : name))
    s.engine = *engine;
  else
    read.note(engine.error());
  if (!version.empty() && s.engine.version.text.empty()) {
    if (auto engine =
            serving::parse_engine(fmt::format("{}@{}", serving::to_string(s.engine.engine), version)))
      s.engine = *engine;
  }
  s.max_model_len = read.whole_at("maxModelLen");
  s.max_num_seqs = read.whole_at("maxNumSeqs");
  s.max_batched_tokens = read.whole_at("maxNumBatchedTokens");
  s.utilization = read.real_at("gpuMemoryUtilization");
  if (const auto kv = read.cell("kvDtype"); !kv.empty() && kv != "auto") {
    s.kv = parse_kv_format(kv);
    if (!s.kv)
      read.note({fmt::format("kvDtype \"{}\" is not known", kv), {}, "one of auto, bf16, fp8, int8, nvfp4"});
  }
  return s;
}

Result<Question> question(Reader read, Lookups& lookups) {
  Question q;
  if (auto model = lookups.model(read.named("model")))
    q.model = *model;
  else
    read.note(model.error());
  if (auto device = lookups.device(read.named("card"), std::string(read.cell("migProfile"))))
    q.device = *device;
  else
    read.note(device.error());
  q.quantization = read.cell("quantization");
  q.split = {read.width_at("tensorParallel"), read.width_at("pipelineParallel"),
             read.width_at("dataParallel"), read.width_at("expertParallel")};
  q.settings = settings(read);
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

Result<std::vector<std::size_t>> carried_columns(const std::vector<std::string>& header,
                                                 const std::string& file, bool with_terms) {
  const auto ours = answer_columns(with_terms);
  std::vector<std::size_t> carried;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (std::find(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(i), header[i]) !=
        header.begin() + static_cast<std::ptrdiff_t>(i))
      return failure(fmt::format("two columns are named \"{}\"", header[i]), {file, 1});
    if (std::ranges::find(ours, header[i]) == ours.end()) carried.push_back(i);
  }
  return carried;
}

Result<void> answer_rows(std::string_view csv, const std::string& file, const Sources& sources,
                         bool with_terms, const std::function<void(const Cells&, const Cells&)>& take) {
  Lookups lookups(sources);
  const std::size_t columns = answer_columns(with_terms).size();
  std::optional<Columns> meaning;
  std::vector<std::size_t> carried;
  return read_csv(csv, file, [&](const CsvRow& row) -> Result<void> {
    if (!meaning) {
      auto kept = carried_columns(row.header(), file, with_terms);
      if (!kept) return std::unexpected(kept.error());
      carried = std::move(*kept);
      meaning.emplace(row.header());
    }
    Cells cells;
    for (const auto i : carried) cells.push_back(i < row.cells().size() ? row.cells()[i] : std::string());
    const auto q = question(Reader(row, *meaning), lookups);
    const auto a = q ? answer(*q, *sources.coefficients) : std::unexpected(q.error());
    auto added = a ? answered(*a) : refused(a.error(), columns);
    if (with_terms && a && a->performance) add_terms(added, *q, *a);
    added.resize(columns);
    take(cells, added);
    return {};
  });
}

}  // namespace etiage::sizing
