#include "app/repack.h"

#include <fmt/format.h>

#include "base/counted.h"

namespace etiage::app {
namespace {

using placement::Move;
using placement::Start;

std::vector<int> numbers_of(placement::DeviceSet devices) {
  std::vector<int> out;
  for (int d = 0; d < placement::kMaxDevices; ++d)
    if (devices >> d & 1) out.push_back(d);
  return out;
}

/// The time that a move keeps GPUs from serving, in time of one GPU: to the nanosecond.
Duration held_for(Duration cold_start, std::int64_t gpu_milli) {
  return {cold_start.ns / kWholeDevice * gpu_milli + cold_start.ns % kWholeDevice * gpu_milli / kWholeDevice};
}

double hours_of(Duration d) {
  return static_cast<double>(d.ns) / static_cast<double>(Duration::hours(1).ns);
}

RepackAnswer::Step step_of(const placement::RepackStep& step, const std::vector<ShareNode>& nodes,
                           const std::vector<SharePod>& pods, const PlacedState& state,
                           const RepackQuestion& question) {
  RepackAnswer::Step out;
  if (const auto* move = std::get_if<Move>(&step)) {
    const SharePod& pod = pods[state.running_rows[move->running]];
    out = {.pod = pod.name, .from = nodes[move->from.node].name, .to = nodes[move->to.node].name};
    out.devices = move->to.devices;
    out.gpu_milli = pod.total_gpu_milli();
    out.gpu_time = held_for(question.cold_start, out.gpu_milli);
    if (question.gpu_hourly) out.cost = cost_of(*question.gpu_hourly, out.gpu_time);
  } else {
    const auto& start = std::get<Start>(step);
    const SharePod& pod = pods[state.pending_rows[start.pending]];
    out = {.pod = pod.name, .from = {}, .to = nodes[start.at.node].name};
    out.devices = start.at.devices;
    out.gpu_milli = pod.total_gpu_milli();
  }
  return out;
}

std::string_view goal(const RepackAnswer& a) {
  return a.question.free_nodes > 0 ? "nodes" : "pending";
}

void write_optional(JsonWriter& json, std::string_view name, const auto& value) {
  json.key(name);
  value ? json.value(*value) : json.null();
}

std::string proof(const RepackAnswer& a) {
  if (a.proven_fewest) return "no plan has fewer";
  return fmt::format("no plan has fewer than {}", a.lower_bound);
}

std::string outcome(const RepackAnswer& a) {
  const std::string moves = counted(static_cast<std::size_t>(a.moves), "move");
  if (a.steps.empty())
    return a.question.free_nodes > 0
               ? fmt::format("No node can be freed with at most {}.",
                             counted(static_cast<std::size_t>(a.question.most_moves), "move"))
               : fmt::format("No pending pod finds a place with at most {}, three for each.",
                             counted(static_cast<std::size_t>(a.question.most_moves), "move"));
  if (a.question.free_nodes > 0)
    return fmt::format("{} of {} freed ({}) by {}; {}.", a.freed.size(),
                       counted(a.question.free_nodes, "node"),
                       counted(static_cast<std::size_t>(a.freed_gpus), "GPU"), moves, proof(a));
  return fmt::format("{} of {} with a place after {}; {}.", a.pending - a.without_place,
                     counted(a.pending, "pending pod"), moves, proof(a));
}

std::string price_of_moves(const RepackAnswer& a) {
  std::string out =
      fmt::format("The moves keep GPUs from serving for {:.2f} GPU-hours: {} s from stop to ready{}",
                  hours_of(a.gpu_time), a.question.cold_start.ns / Duration::seconds(1).ns,
                  a.question.cold_start_given ? "" : ", assumed (--cold-start)");
  if (!a.cost) return out + "; no price given (--gpu-hourly).";
  out += fmt::format(", {} at {} per GPU-hour.", to_string(*a.cost), to_string(*a.question.gpu_hourly));
  const Money hourly = cost_of(*a.question.gpu_hourly * a.freed_gpus, Duration::hours(1));
  if (hourly.micro > 0)
    out += fmt::format(" Giving the freed GPUs back earns that in {:.2g} hours.",
                       a.cost->units() / hourly.units());
  return out;
}

}  // namespace

RepackAnswer repack(const std::vector<ShareNode>& nodes, const std::vector<SharePod>& pods, PlacedState state,
                    const RepackQuestion& question) {
  RepackAnswer out{.question = question};
  out.pending = state.pending_rows.size();
  out.before = placement::measures(state.cluster.nodes);
  const placement::RepackLimits limits{.all_moves = question.most_moves};
  const auto wanted = [&] {  // classes of the pending pods
    std::vector<std::uint32_t> classes;
    for (const std::uint32_t row : state.pending_rows) classes.push_back(state.class_of_row[row]);
    return classes;
  };
  const auto plan = question.free_nodes > 0
                        ? placement::free_nodes(state.cluster, question.free_nodes, limits)
                        : placement::make_room(state.cluster, wanted(), limits);
  if (question.gpu_hourly) out.cost = Money{};
  for (const auto& step : plan.steps) {
    out.steps.push_back(step_of(step, nodes, pods, state, question));
    out.gpu_time += out.steps.back().gpu_time;
    if (out.steps.back().cost) *out.cost += *out.steps.back().cost;
  }
  for (const std::uint32_t n : plan.freed) {
    out.freed.push_back(nodes[n].name);
    out.freed_gpus += nodes[n].gpus;
  }
  out.without_place = plan.without_place.size();
  out.moves = plan.moves;
  out.lower_bound = plan.lower_bound;
  out.proven_fewest = plan.proven_fewest();
  out.nothing_missed = plan.nothing_missed;
  out.after = placement::measures(plan.after.nodes);
  return out;
}

void write_json(JsonWriter& json, const placement::Measures& m) {
  json.begin_object().member("gar", m.gar).member("gfr", m.gfr);
  json.member("largestPodGpus", m.largest_pod).member("largestShareMilli", m.largest_share);
  json.key("placeable").begin_object();
  for (std::size_t k = 1; k < m.placeable.size(); ++k) json.member(std::to_string(k), m.placeable[k]);
  json.end_object().end_object();
}

void write_json(JsonWriter& json, const RepackAnswer& a) {
  json.begin_object().member("goal", goal(a));
  json.member("moves", a.moves).member("lowerBound", a.lower_bound);
  json.member("provenFewest", a.proven_fewest).member("nothingMissed", a.nothing_missed);
  json.member("pending", a.pending).member("withoutPlace", a.without_place);
  json.member("freedNodes", a.freed);
  json.member("coldStartSeconds", static_cast<double>(a.question.cold_start.ns) / 1e9)
      .member("coldStartGrade", a.question.cold_start_given ? "given" : "assumed");
  write_optional(json, "gpuHourly", a.question.gpu_hourly);
  json.member("gpuHours", hours_of(a.gpu_time));
  write_optional(json, "cost", a.cost);
  json.key("steps").begin_array();
  for (const auto& s : a.steps) {
    json.begin_object().member("action", s.from.empty() ? "start" : "move").member("pod", s.pod);
    if (!s.from.empty()) json.member("from", s.from);
    json.member("to", s.to).key("devices").begin_array();
    for (const int d : numbers_of(s.devices)) json.value(d);
    json.end_array().member("gpuMilli", s.gpu_milli);
    if (!s.from.empty()) {
      json.member("gpuHours", hours_of(s.gpu_time));
      write_optional(json, "cost", s.cost);
    }
    json.end_object();
  }
  json.end_array();
  json.key("before");
  write_json(json, a.before);
  json.key("after");
  write_json(json, a.after);
  json.end_object();
}

std::string in_words(const placement::Measures& m) {
  const std::string largest = m.largest_pod > 0     ? counted(static_cast<std::size_t>(m.largest_pod), "GPU")
                              : m.largest_share > 0 ? fmt::format("{} milli of one GPU", m.largest_share)
                                                    : "none";
  return fmt::format(
      "GAR {:.2f} % (GPUs allocated), GFR {:.2f} % (nodes partly allocated), the largest pod that finds a "
      "place: {}.",
      100 * m.gar, 100 * m.gfr, largest);
}

render::Table repack_table(const RepackAnswer& a) {
  render::Table table{.title = a.question.free_nodes > 0 ? "Moves that free nodes" : "Moves that make room",
                      .columns = {{"step", "", "", render::Align::kRight},
                                  {"action"},
                                  {"pod"},
                                  {"from"},
                                  {"to"},
                                  {"devices"},
                                  {"gpuMilli", "MILLI", "GPU", render::Align::kRight},
                                  {"cost", "COLD START", "", render::Align::kRight}}};
  for (const auto& s : a.steps) {
    const bool moves = !s.from.empty();
    table.rows.push_back(
        {{render::count(static_cast<std::int64_t>(table.rows.size()) + 1),
          render::text(moves ? "move" : "start"), render::text(s.pod),
          moves ? render::text(s.from) : render::none(), render::text(s.to),
          render::text(fmt::format("{}", fmt::join(numbers_of(s.devices), "+"))), render::count(s.gpu_milli),
          s.cost ? render::price(s.cost->units()) : render::none()}});
  }
  table.notes = {outcome(a)};
  if (a.moves > 0) table.notes.push_back(price_of_moves(a));
  table.notes.push_back("Before: " + in_words(a.before));
  if (!a.steps.empty()) table.notes.push_back("After: " + in_words(a.after));
  if (!a.nothing_missed)
    table.notes.push_back("The search was cut short: there may be plans for pods that found none.");
  return table;
}

}  // namespace etiage::app
