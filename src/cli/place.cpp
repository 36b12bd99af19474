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

int place(const Arguments& arguments, Streams& io) {
  if (!arguments.has("nodes") || !arguments.has("pods")) {
    io.err << "etiage place: --nodes and --pods are needed, CSV files of the openb trace\n";
    return kUsage;
  }
  const auto loads = app::parse_loads(arguments.get("report-at", "0..130"));
  if (!loads) return fail(loads.error(), io);
  app::PlaceQuestion question{.nodes = arguments.get("nodes"),
                              .pods = arguments.get("pods"),
                              .order = arguments.get("order"),
                              .node_rank = arguments.get("node-rank"),
                              .policy = arguments.get("policy", "fgd"),
                              .report_at = *loads};
  question.defer = arguments.has("defer");
  if (!whole_number(arguments.get("seed", "0"), question.seed) ||
      !whole_number(arguments.get("look-ahead", "1"), question.look_ahead)) {
    io.err << "etiage place: --seed and --look-ahead are whole numbers\n";
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
                  {"seed", "N", "of the random policy"}},
      .details =
          "Pods arrive one after the other, nothing leaves, and what fits nowhere is dropped: the replay of\n"
          "Weng et al., Beware of Fragmentation (USENIX ATC 2023), with its five policies to the digit.\n"
          "  $ etiage place --nodes nodes.csv --pods pods.csv --policy fgd -o json\n",
      .run = place};
}

}  // namespace etiage::cli
