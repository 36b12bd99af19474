#include "render/invoice.h"
#include "render/ledger_json.h"
#include "render/scan_parts.h"

namespace etiage::render {
namespace {

using ledger::NodeAccount;

/// Names are told apart by their cluster only where there are several.
void write_cluster(JsonWriter& json, bool several, const std::string& cluster) {
  if (several) json.member("cluster", cluster);
}

void write_gib(JsonWriter& json, std::string_view key, std::optional<Bytes> bytes) {
  write_maybe(json, key, bytes ? std::optional(bytes->as_gib()) : std::nullopt);
}

void write_nodes(JsonWriter& json, const Scan& scan) {
  const bool several = several_clusters(scan.evidence);
  json.key("nodes").begin_array();
  for (std::size_t i = 0; i < scan.evidence.nodes.size(); ++i) {
    const NodeLife& node = scan.evidence.nodes[i];
    const NodeAccount& account = scan.ledger.nodes[i];
    json.begin_object().member("name", node.name);
    write_cluster(json, several, node.cluster);
    write_text(json, "instanceType", node.instance_type);
    write_text(json, "card", node.card);
    json.member("cards", node.cards).member("hours", account.time.as_hours()).key("hourly");
    if (account.hourly) {
      json.value(*account.hourly);
    } else {
      json.null();
    }
    json.member("bill", account.bill);
    write_buckets(json, account.buckets);
    write_text(json, "priceSource", account.price_source);
    json.end_object();
  }
  json.end_array();
}

/// Over the window, or at the moment of a single scrape.
std::optional<DeviceBusy> busy_of(const DeviceLife& device, const ledger::DeviceUse& use) {
  if (use.measured_hours > 0) return DeviceBusy{use.busy_hours / use.measured_hours, use.signal};
  return device.now;
}

void write_devices(JsonWriter& json, const Scan& scan) {
  const bool several = several_clusters(scan.evidence);
  const auto use = ledger::device_use(scan.evidence);
  json.key("devices").begin_array();
  for (std::size_t i = 0; i < scan.evidence.devices.size(); ++i) {
    const DeviceLife& d = scan.evidence.devices[i];
    const NodeLife& node = scan.evidence.nodes[d.node.index()];
    json.begin_object().member("node", node.name);
    write_cluster(json, several, node.cluster);
    json.member("uuid", d.uuid).member("card", d.card_model.empty() ? node.card : d.card_model);
    write_text(json, "migProfile", d.profile);
    write_text(json, "migInstance", d.instance);
    json.member("hours", node.life.length().as_hours())
        .member("heldHours", use[i].held_hours)
        .member("share", d.share);
    const auto busy = busy_of(d, use[i]);
    write_maybe(json, "busy", busy ? std::optional(busy->u) : std::nullopt);
    write_text(json, "busySignal", busy ? to_string(busy->signal) : "");
    write_gib(json, "memoryUsedGiB", d.memory.used);
    write_gib(json, "memoryPeakGiB", d.memory_peak.count > 0 ? std::optional(d.memory_peak) : d.memory.used);
    write_gib(json, "memoryTotalGiB", d.memory.total);
    json.end_object();
  }
  json.end_array();
}

void write_workloads(JsonWriter& json, const Scan& scan) {
  const bool several = several_clusters(scan.evidence);
  json.key("workloads").begin_array();
  for (const auto& w : scan.workloads) {
    json.begin_object().member("namespace", w.ns).member("name", w.name).member("kind", w.kind);
    write_cluster(json, several, w.cluster);
    write_text(json, "team", w.team);
    write_text(json, "model", w.model.valid() ? scan.evidence.models[w.model.index()].name : "");
    json.member("pods", w.pods.size()).member("gpuHours", w.gpu_hours).member("cost", w.cost());
    write_buckets(json, w.buckets);
    json.member("borneIdle", w.borne);
    json.end_object();
  }
  json.end_array();
}

void write_models(JsonWriter& json, const Scan& scan) {
  const bool several = several_clusters(scan.evidence);
  json.key("models").begin_array();
  for (const auto& m : scan.models) {
    json.begin_object().member("model", scan.evidence.models[m.model.index()].name).member("namespace", m.ns);
    write_cluster(json, several, m.cluster);
    json.member("replicaHours", m.unit.replica_hours).member("gpuHours", m.unit.gpu_hours).key("cost");
    if (m.placed)
      json.value(m.unit.cost);
    else
      json.null();
    write_text(json, "reason", no_money(scan, m));
    write_tokens(json, m.unit.tokens);
    if (m.unit.images > 0)
      json.member("images", m.unit.images).member("perImage", m.unit.cost.units() / m.unit.images);
    write_per_million(json, m.unit.per_million(scan.cached_weight));
    write_maybe(json, "idleTax", m.unit.idle_tax());
    write_maybe(json, "coverage", m.unit.coverage());
    json.member("splitBy", m.unit.split_by_phase() ? "phase seconds" : "tokens 1:4")
        .member("grade", to_string(m.unit.grade));
    json.end_object();
  }
  json.end_array();
}

void write_unpriced(JsonWriter& json, const Scan& scan) {
  double hours = 0;
  json.key("unpriced").begin_object().key("nodes").begin_array();
  for (std::size_t i = 0; i < scan.evidence.nodes.size(); ++i) {
    const NodeAccount& account = scan.ledger.nodes[i];
    if (account.hourly && account.unpriced.ns == 0) continue;
    json.value(scan.evidence.nodes[i].name);
    hours += account.unpriced.as_hours();
  }
  json.end_array().member("hours", hours).end_object();
}

void write_quality(JsonWriter& json, const Scan& scan) {
  json.key("quality").begin_object().member("grade", to_string(scan.grade)).key("checks").begin_array();
  for (const Check& c : scan.checks) write_check(json, c);
  json.end_array().end_object();
}

void write_provenance(JsonWriter& json, const Scan& scan) {
  json.key("provenance").begin_array();
  for (const Provenance& p : scan.provenance) {
    json.begin_object()
        .member("path", p.path)
        .member("kind", p.kind)
        .member("rows", p.rows)
        .key("dropped")
        .begin_array();
    for (const auto& [reason, count] : p.dropped)
      json.begin_object().member("reason", reason).member("count", count).end_object();
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace

std::string scan_json(const Scan& scan) {
  JsonWriter json;
  json.begin_object();
  write_window(json, scan.evidence.window);
  json.member("currency", scan.ledger.currency).member("bill", scan.ledger.bill);
  write_buckets(json, scan.ledger.buckets);
  write_nodes(json, scan);
  write_devices(json, scan);
  write_workloads(json, scan);
  write_models(json, scan);
  write_unpriced(json, scan);
  if (scan.invoice) write_invoice(json, *scan.invoice);
  write_quality(json, scan);
  write_provenance(json, scan);
  write_text(json, "listed", scan.listed);
  write_next(json, scan.next);
  json.end_object();
  return json.take() + "\n";
}

}  // namespace etiage::render
