#include <fmt/format.h>

#include "engines/cel/go_text.h"
#include "engines/cel/library.h"
#include "engines/cel/time_math.h"

namespace etiage::cel {
namespace {

/// strconv.Atoi, with its error.
std::optional<std::int64_t> whole(std::string_view text, std::string& error) {
  const auto n = go_parse_int(text);
  if (!n) error = fmt::format("strconv.Atoi: parsing {}: invalid syntax", go_quote(text));
  return n;
}

/// Seconds east of UTC of `+02:00` or `Europe/Paris` at a moment.
std::optional<std::int64_t> offset_of(const std::string& zone, std::int64_t seconds, std::string& error) {
  const auto colon = zone.find(':');
  if (colon == std::string::npos) {
    if (const auto offset = zone_offset(zone, seconds)) return *offset;
    error = "unknown time zone " + zone;
    return std::nullopt;
  }
  const auto hours = whole(std::string_view(zone).substr(0, colon), error);
  if (!hours) return std::nullopt;
  const auto minutes = whole(std::string_view(zone).substr(colon + 1), error);
  if (!minutes) return std::nullopt;
  return (*hours * 60 + (zone[0] == '-' ? -*minutes : *minutes)) * 60;
}

using Field = std::int64_t (*)(const Civil&);

template <Field field>
Value read_clock(Args args) {
  const TimePoint& t = args[0].as_timestamp();
  std::string error;
  std::int64_t offset = 0;
  if (args.size() == 2) {
    const auto found = offset_of(args[1].text(), t.seconds, error);
    if (!found) return Value::error(error);
    offset = *found;
  }
  return Value::integer(field(civil(t.seconds + offset)));
}

std::int64_t year(const Civil& c) {
  return c.year;
}
std::int64_t month(const Civil& c) {
  return c.month - 1;
}
std::int64_t day_of_year(const Civil& c) {
  return c.year_day - 1;
}
std::int64_t day_of_month(const Civil& c) {
  return c.day - 1;
}
std::int64_t date(const Civil& c) {
  return c.day;
}
std::int64_t day_of_week(const Civil& c) {
  return c.week_day;
}
std::int64_t hours(const Civil& c) {
  return c.hour;
}
std::int64_t minutes(const Civil& c) {
  return c.minute;
}
std::int64_t seconds(const Civil& c) {
  return c.second;
}

Value milliseconds(Args args) {
  std::string error;
  const TimePoint& t = args[0].as_timestamp();
  if (args.size() == 2 && !offset_of(args[1].text(), t.seconds, error)) return Value::error(error);
  return Value::integer(t.nanos / 1'000'000);
}

template <std::int64_t unit>
Value duration_in(Args args) {
  return Value::integer(args[0].as_duration() / unit);
}

}  // namespace

void declare_times(Declarations& d, const LibraryOptions&) {
  const auto clock = [&](std::string_view name, std::string_view id, Compute compute) {
    const std::string with_zone = std::string(id) + "_with_tz";
    d.function(name, std::vector<Declarations::Line>{{id, "timestamp.() int", compute},
                                                     {with_zone, "timestamp.(string) int", compute}});
  };
  clock("getFullYear", "timestamp_to_year", read_clock<year>);
  clock("getMonth", "timestamp_to_month", read_clock<month>);
  clock("getDayOfYear", "timestamp_to_day_of_year", read_clock<day_of_year>);
  clock("getDayOfMonth", "timestamp_to_day_of_month", read_clock<day_of_month>);
  clock("getDate", "timestamp_to_day_of_month_1_based", read_clock<date>);
  clock("getDayOfWeek", "timestamp_to_day_of_week", read_clock<day_of_week>);
  clock("getHours", "timestamp_to_hours", read_clock<hours>);
  clock("getMinutes", "timestamp_to_minutes", read_clock<minutes>);
  clock("getSeconds", "timestamp_to_seconds", read_clock<seconds>);
  clock("getMilliseconds", "timestamp_to_milliseconds", milliseconds);
  d.function("getHours", {{"duration_to_hours", "duration.() int", duration_in<3'600'000'000'000>}});
  d.function("getMinutes", {{"duration_to_minutes", "duration.() int", duration_in<60'000'000'000>}});
  d.function("getSeconds", {{"duration_to_seconds", "duration.() int", duration_in<1'000'000'000>}});
  d.function("getMilliseconds", {{"duration_to_milliseconds", "duration.() int", duration_in<1'000'000>}});
}

}  // namespace etiage::cel
