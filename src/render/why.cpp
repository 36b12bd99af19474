#include "render/why.h"

#include <map>

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
      .member("currency", why.currency)
      .key("pieces")
      .begin_array();
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
        .member("rule", rule_of(p.entry.bucket, !device_of(why, p).empty()))
        .member("source", why.sources[i]);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take() + "\n";
}

std::vector<Table> why_tables(const Why& why) {
  Table out{.title = why.statement,
            .columns = {{"start", "FROM", "", Align::kLeft},
                        {"end", "TO", "", Align::kLeft, Show::kIfRoom},
                        {"pod", "", "", Align::kLeft, Show::kWide},
                        {"device", "", "", Align::kLeft, Show::kIfRoom},
                        {"share", "SHARE", "", Align::kRight},
                        {"bucket"},
                        {"u", "BUSY", "", Align::kRight},
                        {"signal", "", "", Align::kLeft, Show::kWide},
                        {"grade", "", "", Align::kLeft, Show::kWide},
                        {"amount", "AMOUNT", why.currency, Align::kRight},
                        {"rule", "", "", Align::kLeft, Show::kIfRoom},
                        {"source", "", "", Align::kLeft, Show::kWide}}};
  constexpr std::size_t kShown = 60;
  Money total;
  for (std::size_t i = 0; i < why.pieces.size(); ++i) {
    const Piece& p = why.pieces[i];
    total += p.amount;
    if (i >= kShown) continue;
    out.rows.push_back(
        {{text(to_string(p.span.start)), text(to_string(p.span.end)), text(pod_name(why, p)),
          text(device_of(why, p)), number(p.entry.share, 4), text(to_string(p.entry.bucket)),
          p.entry.u ? percent(*p.entry.u) : none(), text(p.entry.signal ? to_string(*p.entry.signal) : ""),
          text(to_string(p.entry.grade)), money(p.amount),
          text(rule_of(p.entry.bucket, !device_of(why, p).empty())), text(why.sources[i])}});
  }
  Row sum{{text("total", Tone::kStrong)}, true};
  sum.cells.resize(9);
  sum.cells.push_back(money(total));
  out.rows.push_back(std::move(sum));
  if (why.pieces.size() > kShown)
    out.notes.push_back(std::to_string(why.pieces.size() - kShown) +
                        " more pieces: -o json has all of them.");
  return {out};
}

}  // namespace etiage::render
