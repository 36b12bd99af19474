#include "app/place.h"

#include <charconv>
#include <ostream>

#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

template <class T>
bool whole_number(const std::string& text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

bool read_defer_above(const Arguments& arguments, app::PlaceQuestion& question, Streams& io) {
  int percent = 0;
  if (whole_number(arguments.get("defer-above", "0"), percent) && percent >= 0 && percent <= 100) {
    question.defer_above = percent;
    return true;
  }
  io.err << "etiage place: --defer-above is a percentage of the GPUs, 0 to 100\n";
  return false;
}

/// What is asked of the repacking planner, if anything.
bool read_repack(const Arguments& arguments, app::PlaceQuestion& question, Streams& io) {
  if (!arguments.has("repack") && !arguments.has("free-nodes")) return true;
  app::RepackQuestion& repack = question.repack.emplace();
  if (!whole_number(arguments.get("free-nodes", "0"), repack.free_nodes) ||
      (arguments.has("free-nodes") && repack.free_nodes == 0) ||
      !whole_number(arguments.get("moves", "100"), repack.most_moves) || repack.most_moves < 0) {
    io.err << "etiage place: --free-nodes and --moves are whole numbers\n";
    return false;
  }
  if (arguments.has("repack") && arguments.has("free-nodes")) {
    io.err << "etiage place: either --repack or --free-nodes\n";
    return false;
  }
  if (arguments.has("cold-start")) {
    const auto time = parse_duration(arguments.get("cold-start"));
    if (!time || *time < Duration{} || *time > Duration::hours(24 * 7)) {
      io.err << "etiage place: --cold-start is a time up to a week, as 90s or 5m\n";
      return false;
    }
    repack.cold_start = *time;
    repack.cold_start_given = true;
  }
  if (arguments.has("gpu-hourly")) {
    repack.gpu_hourly = parse_price(arguments.get("gpu-hourly"));
    if (!repack.gpu_hourly) {
      io.err << "etiage place: --gpu-hourly is a price of one GPU an hour, as 2.5\n";
      return false;
    }
  }
  return true;
}

int place(const Arguments& arguments, Streams& io) {
  if (!arguments.has("nodes") || !arguments.has("pods")) {
    io.err << "etiage place: --nodes and --pods are needed, CSV files of the openb trace\n";
    return kUsage;
  }
  const auto loads = app::parse_loads(arguments.get("report-at", "0..130"));
  if (!loads) return fail(loads.error(), io), kUsage;
  app::PlaceQuestion question{.nodes = arguments.get("nodes"),
                              .pods = arguments.get("pods"),
                              .order = arguments.get("order"),
                              .node_rank = arguments.get("node-rank"),
                              .policy = arguments.get("policy", "fgd"),
                              .report_at = *loads};
  question.defer = arguments.has("defer") || arguments.has("defer-above");
  question.placed = arguments.get("placed");
  if (!read_defer_above(arguments, question, io) || !read_repack(arguments, question, io)) return kUsage;
  if (!whole_number(arguments.get("seed", "0"), question.seed) ||
      !whole_number(arguments.get("look-ahead", "1"), question.look_ahead) || question.look_ahead < 1) {
    io.err << "etiage place: --seed and --look-ahead are whole numbers, the latter from 1\n";
    return kUsage;
  }
  if (question.defer && !arguments.has("look-ahead")) {
    io.err << "etiage place: --defer and --defer-above are for --look-ahead N\n";
    return kUsage;
  }
  const auto answer = app::place(question);
  if (!answer) return fail(answer.error(), io);
  return print({[&] { return app::to_json(*answer); }, [&] { return app::tables(*answer); }}, arguments, io);
}

}  // namespace

Command place_command() {
  return {
      .name = "place",
      .summary = "Replay a trace of GPU pods under a placement policy",
      .options = {output_option(),
                  {"nodes", "CSV", "nodes: sn,cpu_milli,memory_mib,gpu,model"},
                  {"pods", "CSV", "pods: name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec]"},
                  {"order", "FILE", "rows of the pods in order of arrival, one a line"},
                  {"node-rank", "FILE", "a rank for each node, one a line: the lowest wins ties"},
                  {"policy", "NAME", "the placement policy", false, app::place_policies()},
                  {"report-at", "LOADS", "loads to report, in percent of the GPUs, as 0..130"},
                  {"look-ahead", "N", "choose the next pod among the first N that are pending"},
                  {"defer", "", "with --look-ahead: pods that would waste GPUs go to the end of the queue"},
                  {"defer-above", "PERCENT", "the same, once so much of the GPUs is allocated"},
                  {"seed", "N", "of the random policy"},
                  {"placed", "CSV", "what runs: name,node[,devices]; nothing is replayed, other pods wait"},
                  {"repack", "", "the fewest moves after which pods without a place find one"},
                  {"free-nodes", "N", "the fewest moves after which N more nodes are empty"},
                  {"moves", "N", "most moves of the whole plan (100)"},
                  {"cold-start", "TIME", "from the stop of a moved pod until it serves again (2m, assumed)"},
                  {"gpu-hourly", "PRICE", "price of one GPU an hour, for the cost of cold starts"}},
      .details =
          "Pods arrive one after the other, nothing leaves, and what fits nowhere is dropped: the replay of\n"
          "Weng et al., Beware of Fragmentation (USENIX ATC 2023), with its five policies to the digit.\n"
          "  $ etiage place --nodes nodes.csv --pods pods.csv --policy fgd -o json\n"
          "What runs already is repacked with as few moves as possible:\n"
          "  $ etiage place --nodes nodes.csv --pods pods.csv --placed running.csv --repack --cold-start "
          "90s\n",
      .run = place};
}

}  // namespace etiage::cli
