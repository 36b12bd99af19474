#include "formats/nvidia_smi.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "formats/nvidia_smi_parts.h"

namespace etiage::formats {
namespace smi {

std::string_view trimmed(std::string_view s) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = s.find_first_not_of(kBlank);
  return first == s.npos ? std::string_view() : s.substr(first, s.find_last_not_of(kBlank) - first + 1);
}

/// The number that the text begins with.
std::optional<double> leading_number(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} ? std::optional(value) : std::nullopt;
}

namespace {

std::optional<int> integer(std::string_view text) {
  int value = 0;
  text = trimmed(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

std::optional<int> month(std::string_view name) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const std::size_t at = kMonths.find(name);
  return name.size() == 3 && at != kMonths.npos && at % 3 == 0 ? std::optional(static_cast<int>(at / 3) + 1)
                                                               : std::nullopt;
}

/// `09:00:44`, perhaps with a fraction.
std::optional<std::int64_t> clock_ms(std::string_view text) {
  if (text.size() < 8 || text[2] != ':' || text[5] != ':') return {};
  const auto h = integer(text.substr(0, 2)), m = integer(text.substr(3, 2));
  const auto s = leading_number(text.substr(6));
  if (!h || !m || !s || *h > 23 || *m > 59 || *s >= 61 || *s < 0) return {};
  return (*h * 60 + *m) * 60'000 + static_cast<std::int64_t>(*s * 1000 + 0.5);
}

std::optional<std::int64_t> day_ms(std::optional<int> y, std::optional<int> m, std::optional<int> d) {
  if (!y || !m || !d) return {};
  const std::chrono::year_month_day day{std::chrono::year{*y}, std::chrono::month{static_cast<unsigned>(*m)},
                                        std::chrono::day{static_cast<unsigned>(*d)}};
  if (!day.ok() || *y < 1970 || *y > 2200) return {};
  return std::chrono::sys_days{day}.time_since_epoch() / std::chrono::milliseconds{1};
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::size_t end = std::min(text.find(' '), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

}  // namespace

std::optional<double> percent(std::string_view text) {
  const auto value = leading_number(text);
  return value && *value >= 0 && *value <= 100 && text.contains('%') ? std::optional(*value / 100)
                                                                     : std::nullopt;
}

std::optional<double> mebibytes(std::string_view text) {
  return text.contains("MiB") ? leading_number(text) : std::nullopt;
}

std::optional<std::int64_t> moment(std::string_view text) {
  const auto w = words(text);
  std::optional<std::int64_t> day, clock;
  if (w.size() == 5) {
    day = day_ms(integer(w[4]), month(w[1]), integer(w[2]));
    clock = clock_ms(w[3]);
  } else if (w.size() == 2 && w[0].size() == 10) {
    day = day_ms(integer(w[0].substr(0, 4)), integer(w[0].substr(5, 2)), integer(w[0].substr(8, 2)));
    clock = clock_ms(w[1]);
  }
  return day && clock ? std::optional(*day + *clock) : std::nullopt;
}

}  // namespace smi

namespace {

/// One series of one device, or of one instance on it, with labels in order.
class Row {
 public:
  Row(std::string metric, const SmiDevice& device, std::string_view host, const SmiInstance* instance)
      : metric_(std::move(metric)), profile_(instance ? profile_label(*instance) : "") {
    if (instance) labels_ = {{"GPU_I_ID", instance->id}, {"GPU_I_PROFILE", profile_}};
    labels_.insert(labels_.end(), {{"__name__", metric_},
                                   {"hostname", device.host.empty() ? host : std::string_view(device.host)},
                                   {"name", device.name},
                                   {"uuid", device.uuid}});
    std::erase_if(labels_, [](const Label& l) { return l.value.empty(); });
  }

  void push(SampleVisitor& visitor, ReadReport& report, std::int64_t ms, double value) const {
    if (!visitor.wants(metric_)) return;
    const Sample sample{ms, value};
    if (const auto ref = visitor.series(labels_)) visitor.samples(*ref, {&sample, 1});
    report.count({&sample, 1});
  }

 private:
  /// An instance of which only the size is told: `4864MiB,14SM`.
  static std::string profile_label(const SmiInstance& i) {
    return !i.profile.empty() ? i.profile
                              : std::to_string(static_cast<std::int64_t>(i.memory_mib)) + "MiB," +
                                    std::to_string(i.multiprocessors) + "SM";
  }

  std::string metric_, profile_;
  std::vector<Label> labels_;
};

}  // namespace

SmiForm smi_form(std::string_view text) {
  const std::string_view body = smi::trimmed(text);
  const std::string_view line = body.substr(0, body.find('\n'));
  if (text.contains("<nvidia_smi_log")) return SmiForm::kXml;
  if (text.contains("NVSMI LOG")) return SmiForm::kQuery;
  if (text.contains("| NVIDIA-SMI ")) return SmiForm::kTable;
  if (line.starts_with("GPU ") && line.contains("(UUID: ")) return SmiForm::kList;
  if (line.starts_with("# gpu ") || line.starts_with("#Time ") || line.starts_with("# Date "))
    return SmiForm::kMonitor;
  if (line.contains("GPU0") && text.contains("X ")) return SmiForm::kTopology;
  return line.contains(", ") ? SmiForm::kCsv : SmiForm::kOther;
}

std::vector<SmiDevice> smi_devices(std::string_view text) {
  switch (smi_form(text)) {
    case SmiForm::kList:
      return smi::list_devices(text);
    case SmiForm::kTable:
      return smi::table_devices(text);
    case SmiForm::kQuery:
      return smi::query_devices(text);
    case SmiForm::kXml:
      return smi::xml_devices(text);
    case SmiForm::kCsv:
      return smi::csv_devices(text);
    default:
      return {};
  }
}

ReadReport read_nvidia_smi(std::string_view text, std::string_view host, std::int64_t scrape_ms,
                           SampleVisitor& visitor) {
  ReadReport report;
  report.lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  for (const SmiDevice& d : smi_devices(text)) {
    const std::int64_t ms = d.ms.value_or(scrape_ms);
    report.timed |= d.ms.has_value();
    Row("nvidia_smi_gpu_info", d, host, nullptr).push(visitor, report, ms, 1);
    for (const SmiInstance& i : d.instances)
      Row("nvidia_smi_gpu_info", d, host, &i).push(visitor, report, ms, 1);
    // Of a card in MIG mode the whole says nothing of its instances.
    if (d.utilization && d.instances.empty())
      Row("nvidia_smi_utilization_gpu_ratio", d, host, nullptr).push(visitor, report, ms, *d.utilization);
  }
  return report;
}

}  // namespace etiage::formats
