#include "render/why.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "render/ledger_json.h"

namespace etiage::render {
namespace {

using ledger::Bucket;
using ledger::Piece;

std::string device_of(const Why& why, const Piece& p) {
  if (!p.entry.holding.valid()) return "";
  const DeviceId id = why.evidence.holdings[p.entry.holding.index()].device;
  if (!id.valid()) return "";
  const DeviceLife& d = why.evidence.devices[id.index()];
  return d.instance.empty() ? d.uuid : d.uuid + "/" + d.instance;
}

/// The rule of RULES.md (docs/ledger.md) that puts a share into its bucket.
std::string_view rule_of(Bucket bucket, bool named) {
  switch (bucket) {
    case Bucket::kBusy:
    case Bucket::kHeldIdle:
      return "10, 11, 12";
    case Bucket::kUnmeasured:
      return named ? "10" : "7, 10";
    case Bucket::kStarting:
      return "10";
    case Bucket::kUnallocated:
    case Bucket::kStranded:
      return "13";
    default:
      return "14";
  }
}

std::string pod_name(const Why& why, const Piece& p) {
  if (!p.entry.pod.valid()) return "";
  const PodLife& pod = why.evidence.pods[p.entry.pod.index()];
  return pod.ns + "/" + pod.name;
}

}  // namespace

std::string why_json(const Why& why) {
  JsonWriter json;
  json.begin_object()
      .member("subject", why.subject)
      .member("statement", why.statement)
      .member("currency", why.currency);
  write_text(json, "reason", why.reason);
  json.key("pieces").begin_array();
  for (std::size_t i = 0; i < why.pieces.size(); ++i) {
    const Piece& p = why.pieces[i];
    json.begin_object()
        .member("start", p.span.start)
        .member("end", p.span.end)
        .member("node", why.evidence.nodes[p.node.index()].name);
    write_text(json, "pod", pod_name(why, p));
    write_text(json, "device", device_of(why, p));
    json.member("share", p.entry.share)
        .member("bucket", to_string(p.entry.bucket))
        .member("seconds", p.entry.seconds);
    write_maybe(json, "u", p.entry.u);
    write_text(json, "signal", p.entry.signal ? to_string(*p.entry.signal) : "");
    json.member("grade", to_string(p.entry.grade))
        .member("amount", p.amount)
        .member("hourly", p.hourly)
        .member("priceSource", p.price_source)
        .member("rule", rule_of(p.entry.bucket, !device_of(why, p).empty()))
        .member("source", why.sources[i]);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

Table why_pieces(const Why& why) {
  Table out{.title = why.statement,
            .columns = {{"start", "FROM"},
                        {"end", "TO"},
                        {"node"},
                        {"pod"},
                        {"device"},
                        {"share", "SHARE", "", Align::kRight},
                        {"bucket"},
                        {"seconds", "SECONDS", "", Align::kRight},
                        {"u", "BUSY", "", Align::kRight},
                        {"signal"},
                        {"grade"},
                        {"amount", "AMOUNT", why.currency, Align::kRight},
                        {"hourly", "HOURLY", why.currency, Align::kRight},
                        {"priceSource", "PRICE FROM"},
                        {"rule"},
                        {"source"},
                        {"currency", "", "", Align::kLeft, Show::kData}}};
  for (std::size_t i = 0; i < why.pieces.size(); ++i) {
    const Piece& p = why.pieces[i];
    out.rows.push_back(
        {{text(to_string(p.span.start)), text(to_string(p.span.end)),
          text(why.evidence.nodes[p.node.index()].name), text(pod_name(why, p)), text(device_of(why, p)),
          number(p.entry.share, 4), text(to_string(p.entry.bucket)), number(p.entry.seconds, 0),
          p.entry.u ? percent(*p.entry.u) : none(), text(p.entry.signal ? to_string(*p.entry.signal) : ""),
          text(to_string(p.entry.grade)), money(p.amount), price(p.hourly), text(p.price_source),
          text(rule_of(p.entry.bucket, !device_of(why, p).empty())), text(why.sources[i]),
          text(why.currency)}});
  }
  return out;
}

namespace {

constexpr std::size_t kShown = 30;

/// Pieces of one holder and bucket.
struct Sum {
  double share_hours = 0, busy_hours = 0, measured_hours = 0;
  Money amount;
};

/// What a line of the page is about: the devices of a single pod, else pods.
std::string who(const Why& why, const Piece& p, bool one_pod) {
  if (!one_pod) return p.entry.pod.valid() ? pod_name(why, p) : "(nobody)";
  if (p.entry.bucket == Bucket::kCpuMemory) return "CPU and memory";
  const std::string device = device_of(why, p);
  return device.empty() ? "(a device that no row names)" : device;
}

bool of_one_pod(const Why& why) {
  return !why.pieces.empty() && why.pieces.front().entry.pod.valid() &&
         std::ranges::all_of(why.pieces,
                             [&](const Piece& p) { return p.entry.pod == why.pieces.front().entry.pod; });
}

Table sums_table(const Why& why) {
  const bool one_pod = of_one_pod(why);
  Table out{.title = why.statement,
            .columns = {{one_pod ? "device" : "pod"},
                        {"bucket"},
                        {"cardHours", "CARD-H", "", Align::kRight},
                        {"busy", "BUSY", "", Align::kRight},
                        {"amount", "AMOUNT", why.currency, Align::kRight}}};
  std::map<std::pair<std::string, Bucket>, Sum> sums;
  for (const Piece& p : why.pieces) {
    Sum& sum = sums[{who(why, p, one_pod), p.entry.bucket}];
    const double hours = p.entry.share * p.entry.seconds / 3600;
    sum.share_hours += hours;
    if (p.entry.u) sum.measured_hours += hours, sum.busy_hours += hours * *p.entry.u;
    sum.amount += p.amount;
  }
  std::vector<std::pair<std::pair<std::string, Bucket>, Sum>> rows(sums.begin(), sums.end());
  std::ranges::stable_sort(rows, std::ranges::greater{}, [](const auto& r) { return r.second.amount; });
  Money total;
  for (const auto& [key, sum] : rows) {
    total += sum.amount;
    if (out.rows.size() == kShown) continue;
    const bool cards = key.second != Bucket::kCpuMemory && key.second != Bucket::kCpuMemoryIdle;
    out.rows.push_back(
        {{text(key.first), text(to_string(key.second)), cards ? number(sum.share_hours, 1) : none(),
          sum.measured_hours > 0 ? percent(sum.busy_hours / sum.measured_hours) : none(),
          money(sum.amount)}});
  }
  out.rows.push_back({{text("total", Tone::kStrong), text(""), text(""), text(""), money(total)}, true});
  if (rows.size() > kShown)
    out.notes.push_back(std::to_string(rows.size() - kShown) + " smaller ones are in the total.");
  out.notes.push_back("Hour by hour, with each piece's series and rule: -o json or -o csv.");
  return out;
}

/// `what` of the pieces with their money, the dearest first.
template <class What>
std::vector<std::pair<std::string, Money>> by(const Why& why, What what) {
  std::map<std::string, Money> sums;
  for (std::size_t i = 0; i < why.pieces.size(); ++i) sums[what(i)] += why.pieces[i].amount;
  std::vector<std::pair<std::string, Money>> out(sums.begin(), sums.end());
  std::ranges::stable_sort(out, std::ranges::greater{}, [](const auto& s) { return s.second; });
  return out;
}

Table prices_table(const Why& why) {
  Table out{
      .title = "At these prices",
      .columns = {{"node"}, {"hourly", "HOURLY", why.currency, Align::kRight}, {"priceSource", "FROM"}}};
  std::set<std::tuple<std::string, HourlyPrice, std::string>> rows;
  for (const Piece& p : why.pieces)
    rows.emplace(why.evidence.nodes[p.node.index()].name, p.hourly, p.price_source);
  for (const auto& [node, hourly, source] : rows) {
    if (out.rows.size() == kShown) break;
    out.rows.push_back({{text(node), price(hourly), text(source)}});
  }
  if (rows.size() > kShown) out.notes.push_back(std::to_string(rows.size() - kShown) + " more: -o json.");
  return out;
}

Table sources_table(const Why& why) {
  constexpr std::size_t kSeries = 12;
  Table out{.title = "Read from", .columns = {{"source"}, {"amount", "AMOUNT", why.currency, Align::kRight}}};
  const auto sources = by(why, [&](std::size_t i) { return why.sources[i]; });
  for (const auto& [source, amount] : sources) {
    if (out.rows.size() == kSeries) break;
    out.rows.push_back({{verbatim(source), money(amount)}});
  }
  if (sources.size() > kSeries)
    out.notes.push_back(std::to_string(sources.size() - kSeries) + " more: -o json.");
  return out;
}

}  // namespace

std::vector<Table> why_tables(const Why& why) {
  if (why.pieces.empty()) return {{.title = why.statement, .columns = {}, .notes = {why.reason + "."}}};
  return {sums_table(why), prices_table(why), sources_table(why)};
}

}  // namespace etiage::render
