#include "app/place.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <numeric>

#include "adapters/input_file.h"
#include "base/counted.h"
#include "base/json_writer.h"
#include "formats/openb.h"

namespace etiage::app {
namespace {

/// Reads the whole file and hands its text to `parse`.
template <class Parse>
auto parsed(const std::string& path, Parse parse) -> decltype(parse(std::string_view())) {
  auto file = adapters::InputFile::open(path);
  if (!file) return std::unexpected(file.error());
  const auto whole = file->whole();
  if (whole.damage) return std::unexpected(*whole.damage);
  return parse(whole.bytes);
}

std::vector<std::uint32_t> first_numbers(std::size_t n) {
  std::vector<std::uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

Result<std::vector<std::uint32_t>> arrivals(const std::string& path, std::size_t pods) {
  if (path.empty()) return first_numbers(pods);
  return parsed(path, [&](std::string_view text) { return formats::read_openb_indices(text, path, pods); });
}

/// The nodes in the order in which they win ties: by rank, or by name.
Result<std::vector<std::uint32_t>> ties(const std::string& path, const std::vector<ShareNode>& nodes) {
  auto out = first_numbers(nodes.size());
  if (path.empty()) {
    std::ranges::stable_sort(out, {}, [&](std::uint32_t n) -> const std::string& { return nodes[n].name; });
    return out;
  }
  const auto ranks = parsed(
      path, [&](std::string_view text) { return formats::read_openb_indices(text, path, nodes.size()); });
  if (!ranks) return std::unexpected(ranks.error());
  if (ranks->size() != nodes.size())
    return failure(fmt::format("{} ranks for {} nodes", ranks->size(), nodes.size()), {path, 0},
                   "one line a node");
  std::ranges::stable_sort(out, {}, [&](std::uint32_t n) { return (*ranks)[n]; });
  return out;
}

template <class T>
void write_curve(JsonWriter& json, std::string_view name, const std::vector<std::optional<T>>& values) {
  json.key(name).begin_array();
  for (const auto& v : values) v ? json.value(*v) : json.null();
  json.end_array();
}

struct Files {
  std::vector<ShareNode> nodes;
  std::vector<SharePod> pods;
  placement::ShareCluster cluster;
};

Result<Files> load(const PlaceQuestion& question) {
  auto nodes = parsed(question.nodes,
                      [&](std::string_view t) { return formats::read_openb_nodes(t, question.nodes); });
  if (!nodes) return std::unexpected(nodes.error());
  auto pods =
      parsed(question.pods, [&](std::string_view t) { return formats::read_openb_pods(t, question.pods); });
  if (!pods) return std::unexpected(pods.error());
  auto cluster = placement::make_share_cluster(*nodes, *pods);
  if (!cluster) return std::unexpected(cluster.error());
  return Files{std::move(*nodes), std::move(*pods), std::move(*cluster)};
}

/// What is the same for every state of a cluster.
PlaceAnswer described(const Files& files, const std::vector<placement::NodeState>& nodes) {
  PlaceAnswer out;
  out.gpus = files.cluster.total_gpus();
  out.gpus_touched = placement::gpus_touched(nodes);
  for (const auto& n : nodes) {
    out.milli_gpu += n.gpus * kWholeDevice - n.gpu_free();
    out.milli_cpu += n.cpu_total - n.cpu_free;
  }
  out.fragmented_milli = placement::Fragmentation(placement::typical_pods(files.cluster)).of(nodes);
  out.measures = placement::measures(nodes);
  return out;
}

/// What runs at the end of a replay, and what was dropped.
PlacedState state_after(const Files& files, const placement::ReplayInput& input,
                        const placement::ReplayResult& result) {
  PlacedState out{.cluster = {result.nodes, files.cluster.classes, {}},
                  .running_rows = {},
                  .pending_rows = {},
                  .class_of_row = files.cluster.class_of};
  std::vector<std::uint32_t> placed(files.pods.size());
  for (const auto& p : result.placed) {
    out.cluster.running.push_back({files.cluster.class_of[p.pod], p.node, p.devices});
    out.running_rows.push_back(p.pod);
    ++placed[p.pod];
  }
  for (const std::uint32_t row : input.arrivals)
    placed[row] > 0 ? static_cast<void>(--placed[row]) : out.pending_rows.push_back(row);
  return out;
}

/// The devices that a line names, or those that are tightest; refused where there is no room.
Result<placement::DeviceSet> devices_on(const placement::NodeState& node, const placement::PodClass& pod,
                                        const formats::PlacedPod& p, const std::string& file) {
  if (!placement::fits(node, pod))
    return failure("there is no room left on the node for this pod", {file, p.line},
                   "the pods of the lines above are there already");
  if (p.devices.empty()) return placement::tightest_devices(node, pod);
  placement::DeviceSet out = 0;
  for (const int d : p.devices) {
    if (d >= node.gpus || node.device_free[static_cast<std::size_t>(d)] < pod.gpu_milli || (out >> d & 1))
      return failure(fmt::format("device {} has no room for it", d), {file, p.line});
    out = static_cast<placement::DeviceSet>(out | 1u << d);
  }
  if (static_cast<std::int32_t>(p.devices.size()) != pod.gpus)
    return failure(fmt::format("{} devices for a pod of {}", p.devices.size(), pod.gpus), {file, p.line});
  return out;
}

Result<PlacedState> state_of_file(const Files& files, const std::string& file) {
  const auto placed = parsed(
      file, [&](std::string_view t) { return formats::read_openb_placed(t, file, files.nodes, files.pods); });
  if (!placed) return std::unexpected(placed.error());
  PlacedState out{.cluster = {files.cluster.nodes, files.cluster.classes, {}},
                  .running_rows = {},
                  .pending_rows = {},
                  .class_of_row = files.cluster.class_of};
  std::vector<bool> runs(files.pods.size());
  for (const auto& p : *placed) {
    const std::uint32_t c = files.cluster.class_of[p.pod];
    auto& node = out.cluster.nodes[p.node];
    const auto devices = devices_on(node, out.cluster.classes[c], p, file);
    if (!devices) return std::unexpected(devices.error());
    placement::place(node, out.cluster.classes[c], *devices);
    out.cluster.running.push_back({c, p.node, *devices});
    out.running_rows.push_back(p.pod);
    runs[p.pod] = true;
  }
  for (std::uint32_t row = 0; row < runs.size(); ++row)
    if (!runs[row]) out.pending_rows.push_back(row);
  return out;
}

Result<PlaceAnswer> running(const PlaceQuestion& question, const Files& files) {
  auto state = state_of_file(files, question.placed);
  if (!state) return std::unexpected(state.error());
  PlaceAnswer out = described(files, state->cluster.nodes);
  if (question.repack) out.repack = repack(files.nodes, files.pods, std::move(*state), *question.repack);
  return out;
}

Result<PlaceAnswer> replayed(const PlaceQuestion& question, placement::SharePolicy policy,
                             const Files& files) {
  auto order = arrivals(question.order, files.pods.size());
  if (!order) return std::unexpected(order.error());
  auto first = ties(question.node_rank, files.nodes);
  if (!first) return std::unexpected(first.error());
  const placement::ReplayInput input{files.cluster,       std::move(*order),   std::move(*first),
                                     question.seed,       question.look_ahead, question.defer,
                                     question.defer_above};
  const auto result = placement::replay(input, policy);
  PlaceAnswer out = described(files, result.nodes);
  out.replayed = Replayed{
      .policy = question.policy,
      .report_at = question.report_at,
      .curve = placement::load_curve(result, out.gpus, question.report_at.first, question.report_at.second),
      .arrived = static_cast<std::uint32_t>(result.events.size()),
      .failed = result.failed,
      .put_off = result.put_off,
      .occupancy = result.occupancy(out.gpus),
      .bound = placement::allocation_bound(input),
      .may_refuse = question.defer};
  if (question.repack)
    out.repack = repack(files.nodes, files.pods, state_after(files, input, result), *question.repack);
  return out;
}

render::Cell percentage(const std::optional<double>& value) {
  return value ? render::number(*value, 2) : render::none();
}

}  // namespace

Result<std::pair<int, int>> parse_loads(std::string_view text) {
  const auto dots = text.find("..");
  const auto number = [](std::string_view word) -> std::optional<int> {
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || value < 0 || value > 1000) return {};
    return value;
  };
  const auto first = number(text.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : number(text.substr(dots + 2));
  if (!first || !last || *last < *first)
    return failure("'" + std::string(text) + "' is not a range of loads", {},
                   "as 0..130, in percent of the cluster's GPUs");
  return std::pair{*first, *last};
}

std::vector<std::string> place_policies() {
  std::vector<std::string> out;
  for (const auto policy : placement::share_policies()) out.emplace_back(to_string(policy));
  return out;
}

Result<PlaceAnswer> place(const PlaceQuestion& question) {
  const auto policy = placement::share_policy(question.policy);
  if (!policy)
    return failure("no policy '" + question.policy + "'", {},
                   fmt::format("{}", fmt::join(place_policies(), ", ")));
  const auto files = load(question);
  if (!files) return std::unexpected(files.error());
  return question.placed.empty() ? replayed(question, *policy, *files) : running(question, *files);
}

namespace {

void write_replay(JsonWriter& json, const Replayed& r) {
  json.member("policy", r.policy);
  write_curve(json, "allocationPercent", r.curve.allocation_percent);
  write_curve(json, "fragmentationPercent", r.curve.fragmentation_percent);
  json.member("pods", r.arrived).member("failed", r.failed).member("putOff", r.put_off);
  json.member("boundMilliGpu", r.bound.milli());
  json.key("bounds").begin_object();
  json.member("resources", r.bound.resources).member("patterns", r.bound.patterns);
  json.key("noneRefused");
  r.may_refuse ? json.null() : json.value(r.bound.none_refused);
  json.end_object();
  json.member("sor", r.occupancy);
}

double percent_of(const PlaceAnswer& answer, double milli) {
  const double all = static_cast<double>(answer.gpus * kWholeDevice);
  return all > 0 ? 100 * milli / all : 0;
}

std::string state_in_words(const PlaceAnswer& answer) {
  return in_words(answer.measures) +
         fmt::format(" FGD's F is {:.2f} % of the GPUs.", percent_of(answer, answer.fragmented_milli));
}

render::Table state_table(const PlaceAnswer& answer) {
  const auto& m = answer.measures;
  render::Table table{.title = "What runs",
                      .columns = {{"measure"}, {"value", "VALUE", "", render::Align::kRight}}};
  const auto row = [&](std::string_view name, render::Cell value) {
    table.rows.push_back({{render::text(name), std::move(value)}});
  };
  row("GPUs", render::count(answer.gpus));
  row("allocated (GAR)", render::percent(m.gar));
  row("nodes partly allocated (GFR)", render::percent(m.gfr));
  row("of no use to usual pods (FGD's F)",
      render::percent(percent_of(answer, answer.fragmented_milli) / 100));
  row("largest pod that finds a place, GPUs", render::count(m.largest_pod));
  row("largest share that finds a place, milli", render::count(m.largest_share));
  for (const int k : {1, 2, 4, 8})
    row(fmt::format("pods of {} that find a place", counted(static_cast<std::size_t>(k), "whole GPU")),
        render::count(m.placeable[static_cast<std::size_t>(k)]));
  return table;
}

render::Table replay_table(const Replayed& r, const PlaceAnswer& answer) {
  render::Table table{.title = "Policy " + r.policy,
                      .columns = {{"load", "", "%", render::Align::kRight},
                                  {"allocationPercent", "ALLOCATED", "%", render::Align::kRight},
                                  {"fragmentationPercent", "FRAGMENTED", "%", render::Align::kRight}}};
  for (std::size_t i = 0; i < r.curve.allocation_percent.size(); ++i)
    table.rows.push_back(
        {{render::count(r.report_at.first + static_cast<int>(i)), percentage(r.curve.allocation_percent[i]),
          percentage(r.curve.fragmentation_percent[i])}});
  table.notes.push_back(fmt::format("{} of {} pods found no place; {} of {} GPUs are on nodes in use.",
                                    r.failed, r.arrived, answer.gpus_touched, answer.gpus));
  if (r.put_off > 0) table.notes.push_back(counted(r.put_off, "pod") + " went to the end of the queue.");
  const double reached = percent_of(answer, static_cast<double>(answer.milli_gpu));
  const double most = percent_of(answer, static_cast<double>(r.bound.milli()));
  table.notes.push_back(
      fmt::format("At the end {:.2f} % are allocated; no policy {} can pass {:.2f} %: at most "
                  "{:.2f} points are missing.",
                  reached, r.may_refuse ? "at all" : "that refuses nothing that fits", most, most - reached));
  table.notes.push_back(state_in_words(answer));
  return table;
}

}  // namespace

std::string to_json(const PlaceAnswer& answer) {
  JsonWriter json(0);
  json.begin_object();
  if (answer.replayed) write_replay(json, *answer.replayed);
  json.member("gpusTouched", answer.gpus_touched)
      .member("milliGpu", answer.milli_gpu)
      .member("milliCpu", answer.milli_cpu)
      .member("gpus", answer.gpus)
      .member("fragmentedMilli", answer.fragmented_milli);
  json.key("measures");
  write_json(json, answer.measures);
  if (answer.repack) {
    json.key("repack");
    write_json(json, *answer.repack);
  }
  return json.end_object().take();
}

std::vector<render::Table> tables(const PlaceAnswer& answer) {
  std::vector<render::Table> out;
  if (answer.replayed) out.push_back(replay_table(*answer.replayed, answer));
  if (answer.repack) out.push_back(repack_table(*answer.repack));
  if (out.empty()) out.push_back(state_table(answer));
  return out;
}

}  // namespace etiage::app
