#include "app/place.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <numeric>

#include "adapters/input_file.h"
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

std::vector<std::uint32_t> counted(std::size_t n) {
  std::vector<std::uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

Result<std::vector<std::uint32_t>> arrivals(const std::string& path, std::size_t pods) {
  if (path.empty()) return counted(pods);
  return parsed(path, [&](std::string_view text) { return formats::read_openb_indices(text, path, pods); });
}

/// The nodes in the order in which they win ties: by rank, or by name.
Result<std::vector<std::uint32_t>> ties(const std::string& path, const std::vector<ShareNode>& nodes) {
  auto out = counted(nodes.size());
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

std::int64_t cpu_used(const placement::ReplayResult& result) {
  std::int64_t sum = 0;
  for (const auto& n : result.nodes) sum += n.cpu_total - n.cpu_free;
  return sum;
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
  const auto nodes = parsed(question.nodes,
                            [&](std::string_view t) { return formats::read_openb_nodes(t, question.nodes); });
  if (!nodes) return std::unexpected(nodes.error());
  const auto pods =
      parsed(question.pods, [&](std::string_view t) { return formats::read_openb_pods(t, question.pods); });
  if (!pods) return std::unexpected(pods.error());
  auto order = arrivals(question.order, pods->size());
  if (!order) return std::unexpected(order.error());
  auto first = ties(question.node_rank, *nodes);
  if (!first) return std::unexpected(first.error());
  const auto cluster = placement::make_share_cluster(*nodes, *pods);
  if (!cluster) return std::unexpected(cluster.error());

  const placement::ReplayInput input{*cluster,      std::move(*order),   std::move(*first),
                                     question.seed, question.look_ahead, question.defer};
  const auto result = placement::replay(input, *policy);
  PlaceAnswer out{.policy = question.policy, .report_at = question.report_at};
  out.gpus = cluster->total_gpus();
  out.curve = placement::load_curve(result, out.gpus, question.report_at.first, question.report_at.second);
  out.arrived = static_cast<std::uint32_t>(result.events.size());
  out.failed = result.failed;
  out.gpus_touched = placement::gpus_touched(result.nodes);
  out.milli_gpu = result.used_milli();
  out.milli_cpu = cpu_used(result);
  out.bound_milli_gpu = placement::allocation_bound(input);
  return out;
}

std::string to_json(const PlaceAnswer& answer) {
  JsonWriter json(0);
  json.begin_object().member("policy", answer.policy);
  write_curve(json, "allocationPercent", answer.curve.allocation_percent);
  write_curve(json, "fragmentationPercent", answer.curve.fragmentation_percent);
  json.member("failed", answer.failed)
      .member("gpusTouched", answer.gpus_touched)
      .member("milliGpu", answer.milli_gpu);
  json.member("milliCpu", answer.milli_cpu).member("gpus", answer.gpus).member("pods", answer.arrived);
  json.member("boundMilliGpu", answer.bound_milli_gpu);
  return json.end_object().take();
}

std::vector<render::Table> tables(const PlaceAnswer& answer) {
  render::Table table{.title = "Policy " + answer.policy,
                      .columns = {{"load", "", "%", render::Align::kRight},
                                  {"allocationPercent", "ALLOCATED", "%", render::Align::kRight},
                                  {"fragmentationPercent", "FRAGMENTED", "%", render::Align::kRight}}};
  for (std::size_t i = 0; i < answer.curve.allocation_percent.size(); ++i)
    table.rows.push_back({{render::count(answer.report_at.first + static_cast<int>(i)),
                           percentage(answer.curve.allocation_percent[i]),
                           percentage(answer.curve.fragmentation_percent[i])}});
  table.notes.push_back(fmt::format("{} of {} pods found no place; {} of {} GPUs are on nodes in use.",
                                    answer.failed, answer.arrived, answer.gpus_touched, answer.gpus));
  const auto percent = [&](std::int64_t milli) {
    return 100 * static_cast<double>(milli) / static_cast<double>(answer.gpus * kWholeDevice);
  };
  table.notes.push_back(fmt::format("At the end {:.2f} % are allocated; no policy can pass {:.2f} %.",
                                    percent(answer.milli_gpu), percent(answer.bound_milli_gpu)));
  return {table};
}

}  // namespace etiage::app
