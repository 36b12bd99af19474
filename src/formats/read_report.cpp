#include "formats/read_report.h"

#include <algorithm>

namespace etiage::formats {

void ReadReport::drop(std::string_view reason, Place place, std::uint64_t count) {
  const auto known = std::ranges::find(dropped, reason, &Dropped::reason);
  if (known != dropped.end())
    known->count += count;
  else
    dropped.push_back({std::string(reason), count, std::move(place)});
}

void ReadReport::count(std::span<const Sample> batch) {
  std::int64_t first = first_ms, last = last_ms;  // in registers: the samples might alias the members
  for (const Sample& s : batch) {
    first = std::min(first, s.ms);
    last = std::max(last, s.ms);
  }
  first_ms = first, last_ms = last;
  samples += batch.size();
}

void ReadReport::append(const ReadReport& next) {
  for (const Dropped& d : next.dropped) {
    Place place = d.first;
    if (place.line > 0) place.line += static_cast<int>(lines);
    drop(d.reason, std::move(place), d.count);
  }
  lines += next.lines;
  samples += next.samples;
  first_ms = std::min(first_ms, next.first_ms);
  last_ms = std::max(last_ms, next.last_ms);
  timed |= next.timed;
  complete |= next.complete;
  warnings.insert(warnings.end(), next.warnings.begin(), next.warnings.end());
}

}  // namespace etiage::formats
