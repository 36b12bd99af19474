// `etiage dra ...`: which devices claims are given, and why not the others.

#include <optional>
#include <ostream>

#include "app/dra_allocate.h"
#include "app/dra_explain.h"
#include "app/dra_fleet.h"
#include "app/dra_objects.h"
#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

std::vector<Option> dra_options() {
  return {output_option(),
          {"kubernetes-version", "VERSION", "decide as this release: 1.34, 1.35, 1.36 or 1.37 (the default)"},
          {"feature-gates", "A=true,...", "gates of kube-scheduler that differ from the release's defaults"}};
}

/// The objects and the release that an answer is for; nothing, and the reason printed, where there are none.
struct Question {
  app::DraInput input;
  dra::Behaviour behaviour;
};

std::optional<Question> read_question(const std::vector<std::string>& paths, const Arguments& arguments,
                                      Streams& io) {
  app::DraInput input = app::read_dra_objects(paths);
  const auto behaviour = app::read_behaviour(arguments.get("kubernetes-version"),
                                             arguments.get("feature-gates"), input.diagnostics);
  if (!behaviour) {
    fail(behaviour.error(), io);
    return std::nullopt;
  }
  print(input.diagnostics, io);
  if (input.files.empty()) {
    fail({"none of the files could be read"}, io);
    return std::nullopt;
  }
  return Question{std::move(input), *behaviour};
}

int allocate(const Arguments& arguments, Streams& io) {
  const auto question = read_question(arguments.positional(), arguments, io);
  if (!question) return kFailed;
  const dra::Placements placements = app::allocate_devices(question->input, question->behaviour);
  return print({[&] { return app::to_json(placements, question->behaviour); },
                [&] { return std::vector{app::to_table(placements)}; }},
               arguments, io);
}

int explain(const Arguments& arguments, Streams& io) {
  const auto& words = arguments.positional();
  if (words.size() < 2) {
    io.err << "etiage dra explain: give a claim and the files\n";
    return kUsage;
  }
  auto question = read_question({words.begin() + 1, words.end()}, arguments, io);
  if (!question) return kFailed;
  app::add_nodes_of_slices(question->input);
  const auto report = app::explain_claim(question->input, question->behaviour, words[0]);
  if (!report) return fail(report.error(), io);
  return print(
      {[&] { return app::to_json(*report, question->behaviour); }, [&] { return app::to_tables(*report); }},
      arguments, io);
}

int fleet(const Arguments& arguments, Streams& io) {
  auto question = read_question(arguments.positional(), arguments, io);
  if (!question) return kFailed;
  app::add_nodes_of_slices(question->input);
  const dra::FleetView view = app::view_fleet(question->input, question->behaviour);
  return print({[&] { return app::to_json(view); }, [&] { return app::to_tables(view); }}, arguments, io);
}

}  // namespace

Command dra_allocate_command() {
  return {
      .name = "dra allocate",
      .summary = "Give pending pods the devices that the scheduler would give them",
      .positional = "FILE...",
      .options = dra_options(),
      .details =
          "FILES hold nodes, ResourceSlices, DeviceClasses, claims and pods. Pods are taken in the order of "
          "their creation; what one is given is gone for the next.",
      .run = allocate};
}

Command dra_explain_command() {
  return {.name = "dra explain",
          .summary = "Say for each device why a claim does not get it, and what would help",
          .positional = "CLAIM FILE...",
          .options = dra_options(),
          .details =
              "CLAIM is a ResourceClaim or a template, as NAME or NAMESPACE/NAME. It is tried on the nodes "
              "of the pods "
              "that name it, or on all nodes.",
          .run = explain};
}

Command dra_fleet_command() {
  return {.name = "dra fleet",
          .summary = "Say what the devices of a cluster offer, what is in use, and what still fits",
          .positional = "FILE...",
          .options = dra_options(),
          .run = fleet};
}

}  // namespace etiage::cli
