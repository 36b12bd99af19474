// All that real start-up logs of vLLM printed, row by row, from the table that lies outside the repository.

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

#include "base/csv.h"
#include "catalog/cards.h"
#include "catalog/models.h"
#include "sizing/question.h"

namespace etiage::sizing {
namespace {

std::optional<double> number(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(std::strtod(std::string(text).c_str(), nullptr));
}

/// The version that a log of that time had, where it only says roughly.
std::string version_of(std::string_view text) {
  std::string digits(text.substr(0, text.find_first_not_of("0123456789.")));
  while (digits.ends_with('.')) digits.pop_back();
  return digits.starts_with("20") || digits.empty() ? "0.21" : digits;
}

/// Without what people write behind the names.
std::string first_word(std::string_view text) {
  return std::string(text.substr(0, text.find(' ')));
}

std::optional<Question> question_of(const CsvRow& row) {
  const auto model = catalog::find_model(first_word(row["model"]), catalog::models());
  const auto card = catalog::find_card(row["gpu"], catalog::cards());
  const auto tensor = number(row["tp"]);
  if (!model || !card || !tensor) return std::nullopt;
  const bool printed_quantization = !row["weight_quant"].empty();
  Question q{.model = *model,
             .device = device_of(*card),
             .quantization = printed_quantization ? first_word(row["weight_quant"]) : "",
             .split = {.tensor = static_cast<int>(*tensor)},
             .settings = {.utilization = number(row["gpu_memory_utilization"]),
                          .kv = parse_kv_format(row["kv_dtype"])}};
  if (row["kv_dtype"] == "auto") q.settings.kv.reset();
  if (const auto slash = q.quantization.find('/'); slash != std::string::npos) q.quantization.resize(slash);
  if (const auto length = number(row["max_model_len"]))
    q.settings.max_model_len = static_cast<std::int64_t>(*length);
  if (const auto total = number(row["total_gpu_GiB"])) q.device.memory_gib = *total;
  q.settings.engine = serving::parse_engine("vllm@" + version_of(row["vllm_version"])).value();
  return q;
}

bool in_log(const CsvRow& row, std::string_view column) {
  return !row[column].empty() && row["not_in_log"].find(column) == std::string_view::npos;
}

void within(const CsvRow& row, std::string_view column, double value, double percent) {
  if (!in_log(row, column)) return;
  const double truth = *number(row[column]);
  EXPECT_NEAR(value, truth, std::max(0.02, std::abs(truth) * percent / 100))
      << fmt::format("{} of {} ({})", column, row["model"], row["source"]);
}

TEST(MeasuredMemory, OfEveryLogWhoseModelAndCardAreNamed) {
  const char* given = std::getenv("ETIAGE_DATA");
  const std::filesystem::path path =
      std::filesystem::path(given ? given : ETIAGE_SOURCE_DIR "/../shared/data") / "serving/vllm_memory.csv";
  std::ifstream file(path);
  if (!file) GTEST_SKIP() << "no table at " << path << "; set ETIAGE_DATA";
  std::stringstream text;
  text << file.rdbuf();
  int tested = 0;
  const auto done = read_csv(text.str(), path.string(), [&](const CsvRow& row) -> Result<void> {
    const auto q = question_of(row);
    if (!q) return {};
    const auto a = answer(*q, serving::builtin_coefficients());
    EXPECT_TRUE(a) << a.error().message;
    if (!a) return {};
    ++tested;
    within(row, "weights_GiB_per_gpu", a->memory.weights_gib, 2);
    within(row, "kv_GiB_per_gpu", a->memory.kv_cache_gib, 3);
    const auto pool = number(row["kv_GiB_per_gpu"]);
    EXPECT_FALSE(pool && *pool < 0 && a->memory.fits) << row["model"];
    return {};
  });
  EXPECT_TRUE(done);
  EXPECT_GE(tested, 10);
}

}  // namespace
}  // namespace etiage::sizing
