#pragma once
// Evidence: the one thing that a real cluster and the twin both deliver, and all that the ledger sees.
// Lifetimes, holdings, and integrals over intervals; no metric names, no samples.
//
//   node   |----------------------------------------------|
//   device   GPU-a  |--- holding: pod x, share 1 ---| free
//   work            |starting| measured 0.4 busy | no evidence |
//
// No interval crosses a full UTC hour or a cut (a price change), so that a cell of the bill is a sum of
// intervals.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/diagnostic.h"
#include "base/id.h"
#include "base/instant.h"
#include "model/meta.h"

namespace etiage {

using NodeId = Id<struct NodeTag>;
using DeviceId = Id<struct DeviceTag>;
using PodId = Id<struct PodTag>;
using HoldingId = Id<struct HoldingTag>;
using ModelId = Id<struct ModelTag>;
using TenantId = Id<struct TenantTag>;

/// How sure a figure is, best first.
enum class Grade : std::uint8_t { kMeasured, kDerived, kSimulated, kAssumed };
std::string_view to_string(Grade grade);

/// What says that a device was busy, best first (RULES.md 11). All but the first are upper bounds.
enum class BusySignal : std::uint8_t { kSmActive, kGrEngineActive, kEngineRunning, kGpuUtil };
std::string_view to_string(BusySignal signal);
Grade grade_of(BusySignal signal);

/// Memory of a device, as far as an exporter tells it.
struct DeviceMemory {
  std::optional<Bytes> used;  ///< by its newest sample
  std::optional<Bytes> total;
};

/// How busy a device is at the moment of a single scrape.
struct DeviceBusy {
  double u = 0;
  BusySignal signal = BusySignal::kSmActive;
};

/// Shares are fractions of one physical card, amounts of time are seconds.
struct DeviceLife {
  NodeId node;
  std::string uuid;
  std::string instance;    ///< id of the MIG instance on the card, or empty
  std::string profile;     ///< MIG profile, or empty
  double share = 1;        ///< what the whole device is of its card
  std::string card_model;  ///< as the exporter names it
  Bytes memory_peak = {};  ///< the most that was used of its memory, whenever; 0: not told
  double free_seconds = 0, free_busy_seconds = 0;  ///< with evidence while nobody held it; of these, busy
  std::string exporter;  ///< dialect of its rows (`DCGM`), or empty where no row shows it
  DeviceMemory memory = {};
  std::optional<DeviceBusy> now = {};  ///< only where the window is empty
};

/// How a node's cards are handed out.
enum class Sharing : std::uint8_t { kWhole, kTimeSliced, kMps, kMig };

/// The uncreated rest of a MIG card and what the densest placement could still make of it (RULES.md 13).
struct CardRest {
  double coverable = 0;
  double stranded = 0;
};

struct NodeLife {
  std::string cluster, name, instance_type;
  std::string card;  ///< product of its cards, empty without
  int cards = 0;     ///< physical
  int replicas = 1;  ///< time slices or MPS clients of one card
  Sharing sharing = Sharing::kWhole;
  std::vector<CardRest> rests;  ///< of its MIG cards
  Window life;                  ///< inside the report's window
  double cores = 0;             ///< allocatable
  Bytes memory;                 ///< allocatable
  bool cordoned = false;
  bool healthy = true;
  int unhealthy_cards = 0;  ///< declared but not allocatable
  std::vector<Taint> taints;
  bool taints_known = false;  ///< an object shows them; else an empty list says nothing
  LabelMap labels;
};

/// What a pod asked of devices, in the words of its resource.
struct DeviceDemand {
  std::string resource;  ///< `nvidia.com/gpu`, `nvidia.com/mig-1g.10gb`, or a DeviceClass; empty: none
  std::string profile;   ///< MIG profile, or empty
  std::int64_t count = 0;

  bool operator==(const DeviceDemand&) const = default;
};

/// `kEngineSeries`: a server that nothing but its own metrics shows; it is on no node and has no money.
enum class PodSource : std::uint8_t { kObjects, kKubeStateMetrics, kDeviceRows, kEngineSeries, kTwin };
std::string_view to_string(PodSource source);

struct PodLife {
  std::string cluster, ns, name, uid;
  NodeId node;  ///< not valid: never placed
  Window life;  ///< not clipped to the report's window
  std::string workload_kind, workload;
  std::string team;
  ModelId model;       ///< what it serves (RULES.md 22); not valid: nothing known
  std::string engine;  ///< dialect of the engine whose counters it shows (`vLLM`, `SGLang`), or empty
  bool leader = true;  ///< false: a worker whose replica another pod leads
  LabelMap labels;
  double cores = 0;  ///< requested
  Bytes memory;      ///< requested
  DeviceDemand devices;
  std::vector<Toleration> tolerations;
  std::vector<Window> starting;  ///< sorted, disjoint: held but not ready (RULES.md 10), or draining
  bool readiness_known = false;
  bool counts_tokens = false;  ///< an engine of it exports token counters
  PodSource source = PodSource::kObjects;
};

/// A pod holds a share of a card of its node for a while. Without a device the card is known only by its
/// request.
struct Holding {
  PodId pod;
  NodeId node;
  DeviceId device;  ///< not valid: anonymous
  double share = 0;
  Window time;
  Grade grade = Grade::kMeasured;
};

/// How busy a holding was while there was evidence and it was not starting.
struct Work {
  HoldingId holding;
  Window span;
  BusySignal signal = BusySignal::kSmActive;
  Grade grade = Grade::kMeasured;
  double measured_seconds = 0;  ///< of `span`, with evidence
  double busy_seconds = 0;      ///< of these, busy
};

/// The part of a node's allocatable CPU and memory that a pod held: max(request, use) at each moment, scaled
/// down where the sum passes what there is (RULES.md 14). In seconds of the whole node.
struct ResourceHold {
  PodId pod;
  NodeId node;
  Window span;
  double cpu_seconds = 0;
  double memory_seconds = 0;
};

/// What an engine served; in a single scrape, all that it has served since it started.
struct Served {
  PodId pod;
  ModelId model;
  Window span;
  Tokens input, cached_input, output;
  double prefill_seconds = 0, decode_seconds = 0;
  double images = 0;
};

/// What a gateway says one tenant was served of a model in an interval.
struct TenantUse {
  TenantId tenant;  ///< not valid: the gateway does not say who
  ModelId model;
  Window span;
  Tokens input, cached_input, output;  ///< as in Served: input is what the engine had to compute
};

/// A model by a gateway's name, and whose tokens these are here.
struct GatewayModel {
  std::string name;
  ModelId model;         ///< not valid: no model of this cluster
  double requests = 0;   ///< in the window; of counters unknown, 0
  Tokens input, output;  ///< in the window, cached input among the input
};

/// Token rates of a replica over five minutes in which requests were waiting, in tokens per second.
struct SaturatedRate {
  PodId pod;
  ModelId model;
  double tokens_per_second = 0;
};

/// A remark on what the evidence can carry, for `quality` and `doctor`.
struct Check {
  std::string id;
  Severity severity = Severity::kInfo;
  std::string message, effect, fix;
  std::vector<std::string> subjects;
};

struct ServedModel {
  std::string name;
  bool named_by_engine = false;
};

struct Evidence {
  Window window;  ///< empty: a single scrape (RULES.md 6)
  std::vector<NodeLife> nodes;
  std::vector<DeviceLife> devices;
  std::vector<PodLife> pods;
  std::vector<ServedModel> models;
  std::vector<Holding> holdings;
  std::vector<Work> work;  ///< in the order of holdings, then time
  std::vector<ResourceHold> resources;
  std::vector<Served> served;
  std::vector<SaturatedRate> saturated;
  std::vector<std::string> tenants;          ///< names, by TenantId
  std::vector<TenantUse> tenant_uses;        ///< by model, interval, tenant
  std::vector<GatewayModel> gateway_models;  ///< by name
  std::vector<Check> checks;
};

}  // namespace etiage
