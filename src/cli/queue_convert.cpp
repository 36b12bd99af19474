#include "app/queue_convert.h"

#include <ostream>

#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

int queue_convert(const Arguments& arguments, Streams& io) {
  const auto converted = app::convert_queues(arguments.positional());
  if (!converted) return fail(converted.error(), io);
  print(converted->diagnostics, io);
  io.out << app::to_manifests(converted->objects);
  return kDone;
}

}  // namespace

Command queue_convert_command() {
  return {.name = "queue convert",
          .summary = "Write Kueue's objects of older API versions as v1beta2",
          .positional = "FILE...",
          .details =
              "Renames and rewrites what changed (cohort, parent, admissionChecks, flavorFungibility, "
              "priority classes, topology assignments, kubeConfig of MultiKueue's clusters) as Kueue's own "
              "conversion does; labels, "
              "annotations and other objects stay as they are, comments are lost. Prints YAML; fields that "
              "v1beta2 has no place for are named on stderr.\n"
              "  $ etiage queue convert queues/ > queues-v1beta2.yaml",
          .run = queue_convert};
}

}  // namespace etiage::cli
