#include "render/doctor.h"

#include "app/scan.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/reading.h"

namespace etiage::cli {
namespace {

int doctor(const Arguments& arguments, Streams& io) {
  const auto options = reading_of(arguments, io);
  if (!options) return fail(options.error(), io), kUsage;
  const auto reading = app::read_cluster(*options);
  if (!reading) return fail(reading.error(), io);
  return print({[&] { return render::doctor_json(reading->grade, reading->checks); },
                [&] { return render::doctor_tables(reading->grade, reading->checks); }},
               arguments, io);
}

}  // namespace

Command doctor_command() {
  return {.name = "doctor",
          .summary = "What the evidence cannot carry, and how to mend it",
          .positional = "[PATH...]",
          .options = reading_options(),
          .details =
              "Each check says what is missing or contradictory, what that does to the figures, and a ready "
              "fix.\n"
              "  $ etiage doctor examples/cluster",
          .run = doctor};
}

}  // namespace etiage::cli
