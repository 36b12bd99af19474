#include "render/invoice.h"
#include "render/ledger_json.h"
#include "render/scan.h"

namespace etiage::render {
namespace {

using ledger::NodeAccount;

bool several_clusters(const Evidence& evidence) {
  for (const NodeLife& n : evidence.nodes)
    if (n.cluster != evidence.nodes.front().cluster) return true;
  return false;
}

void write_nodes(JsonWriter& json, const Scan& scan) {
  json.key("nodes").begin_array();
  const bool name_cluster = several_clusters(scan.evidence);
  for (std::size_t i = 0; i < scan.evidence.nodes.size(); ++i) {
    const NodeLife& node = scan.evidence.nodes[i];
    const NodeAccount& account = scan.ledger.nodes[i];
    json.begin_object().member("name", node.name);
    if (name_cluster) json.member("cluster", node.cluster);
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

void write_devices(JsonWriter& json, const Scan& scan) {
  const auto use = ledger::device_use(scan.evidence);
  json.key("devices").begin_array();
  for (std::size_t i = 0; i < scan.evidence.devices.size(); ++i) {
    const DeviceLife& d = scan.evidence.devices[i];
    const NodeLife& node = scan.evidence.nodes[d.node.index()];
    json.begin_object()
        .member("node", node.name)
        .member("uuid", d.uuid)
        .member("card", d.card_model.empty() ? node.card : d.card_model);
    write_text(json, "migProfile", d.profile);
    write_text(json, "migInstance", d.instance);
    json.member("hours", node.life.length().as_hours())
        .member("heldHours", use[i].held_hours)
        .member("share", d.share);
    write_maybe(
        json, "busy",
        use[i].measured_hours > 0 ? std::optional(use[i].busy_hours / use[i].measured_hours) : std::nullopt);
    write_text(json, "busySignal", use[i].measured_hours > 0 ? to_string(use[i].signal) : "");
    json.end_object();
  }
  json.end_array();
}

void write_workloads(JsonWriter& json, const Scan& scan) {
  json.key("workloads").begin_array();
  for (const auto& w : scan.workloads) {
    json.begin_object().member("namespace", w.ns).member("name", w.name).member("kind", w.kind);
    write_text(json, "team", w.team);
    write_text(json, "model", w.model.valid() ? scan.evidence.models[w.model.index()].name : "");
    json.member("pods", w.pods.size()).member("gpuHours", w.gpu_hours).member("cost", w.buckets.total());
    write_buckets(json, w.buckets);
    json.end_object();
  }
  json.end_array();
}

void write_models(JsonWriter& json, const Scan& scan) {
  json.key("models").begin_array();
  for (const auto& m : scan.models) {
    json.begin_object().member("model", scan.evidence.models[m.model.index()].name).member("namespace", m.ns);
    json.member("replicaHours", m.unit.replica_hours)
        .member("gpuHours", m.unit.gpu_hours)
        .member("cost", m.unit.cost);
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
  json.end_object();
  return json.take() + "\n";
}

}  // namespace etiage::render
