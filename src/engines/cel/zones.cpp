// The zones of the IANA database by the rule that each keeps today, in POSIX's form
// (`EST5EDT,M3.2.0,M11.1.0`). The past before a zone's last change of rules is not kept: selectors hardly
// ever ask for a clock, and files are not read here.

#include <algorithm>
#include <array>
#include <chrono>

#include "engines/cel/time_math.h"

namespace etiage::cel {
namespace {

struct Zone {
  std::string_view name, rule;
};
constexpr Zone kZones[] = {
#include "engines/cel/zones.inc"
};

/// Reads POSIX TZ rules.
class Rule {
 public:
  explicit Rule(std::string_view text) : rest_(text) {}

  int offset_at(std::int64_t seconds) {
    skip_name();
    const int standard = -clock();
    if (rest_.empty()) return standard;
    skip_name();
    const int summer = rest_.starts_with(',') ? standard + 3600 : -clock();
    const int year = static_cast<int>(std::chrono::year_month_day{
        std::chrono::sys_days{std::chrono::days{floor_days(
            seconds + standard)}}}.year());
    const std::int64_t begin = change(year) - standard;
    const std::int64_t end = change(year) - summer;
    const bool in_summer =
        begin < end ? seconds >= begin && seconds < end : seconds >= begin || seconds < end;
    return in_summer ? summer : standard;
  }

 private:
  static std::int64_t floor_days(std::int64_t seconds) { return seconds / 86400 - (seconds % 86400 < 0); }

  void skip_name() {
    if (rest_.starts_with('<')) {
      rest_.remove_prefix(rest_.find('>') + 1);
      return;
    }
    while (!rest_.empty() && ((rest_[0] | 0x20) >= 'a' && (rest_[0] | 0x20) <= 'z')) rest_.remove_prefix(1);
  }
  int number() {
    int n = 0;
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9')
      n = n * 10 + (rest_[0] - '0'), rest_.remove_prefix(1);
    return n;
  }
  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// `[-]h[:mm[:ss]]` in seconds.
  int clock() {
    const int sign = take('-') ? -1 : (take('+'), 1);
    int seconds = number() * 3600;
    if (take(':')) seconds += number() * 60;
    if (take(':')) seconds += number();
    return sign * seconds;
  }
  /// `,Mm.w.d[/time]`, `,Jn[/time]` or `,n[/time]`: seconds since 1970 by the local clock.
  std::int64_t change(int year) {
    using namespace std::chrono;
    take(',');
    sys_days day;
    if (take('M')) {
      const auto month = static_cast<unsigned>(number());
      take('.');
      const auto week = static_cast<unsigned>(number());
      take('.');
      const weekday wd{static_cast<unsigned>(number())};
      const auto in_month = std::chrono::year{year} / std::chrono::month{month};
      day = week == 5 ? sys_days{in_month / wd[last]} : sys_days{in_month / wd[week]};
    } else {
      const bool julian = take('J');
      int n = number();
      const auto y = std::chrono::year{year};
      if (julian && n >= 60 && y.is_leap()) ++n;
      day = sys_days{y / January / 1} + days{julian ? n - 1 : n};
    }
    const int time = take('/') ? clock() : 7200;
    return day.time_since_epoch().count() * 86400LL + time;
  }

  std::string_view rest_;
};

}  // namespace

std::optional<int> zone_offset(std::string_view zone, std::int64_t seconds) {
  if (zone.empty() || zone == "UTC" || zone == "Local") return 0;
  const auto found = std::ranges::lower_bound(kZones, zone, {}, &Zone::name);
  if (found == std::end(kZones) || found->name != zone) return std::nullopt;
  return Rule(found->rule).offset_at(seconds);
}

}  // namespace etiage::cel
