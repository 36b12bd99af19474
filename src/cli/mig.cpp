#include <fmt/format.h>
#include <ostream>

#include "app/mig_pack.h"
#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

render::Table layouts_table(const app::MigPacked& m) {
  const auto& p = m.change.packing;
  render::Table t{
      .title = fmt::format("{} x {}, no packing has fewer than {}", p.gpus, m.card, p.lower_bound),
      .columns = {{"count", "CARDS", "", render::Align::kRight}, {"instances"}}};
  for (const auto& layout : p.layouts) {
    std::string text;
    for (const auto& i : layout.instances)
      text += fmt::format("{}{}@{}", text.empty() ? "" : " ", i.profile, i.start);
    t.rows.push_back({{render::count(layout.count), render::text(text)}});
  }
  for (const auto& [profile, n] : p.stranded)
    t.notes.push_back(fmt::format("Free: {} more {} would fit.", n, profile));
  if (p.stranded_share > 0)
    t.notes.push_back(
        fmt::format("Stranded: slices worth {:.2f} cards that no profile can use.", p.stranded_share));
  if (m.incremental)
    t.notes.push_back(fmt::format("Change: {} stay, {} are created, {} removed; {} of these are moves.",
                                  m.change.kept, m.change.created, m.change.removed, m.change.moved));
  return t;
}

int pack(const Arguments& arguments, Streams& io) {
  if (!arguments.has("card") || !arguments.has("demand")) {
    io.err << "etiage mig pack: give --card and --demand, as in --card H100 --demand 1g.10gb=29,3g.40gb=16\n";
    return kUsage;
  }
  const auto packed = app::mig_pack(arguments.get("card"), arguments.get("demand"), arguments.get("existing"),
                                    arguments.get("moves"));
  if (!packed) return fail(packed.error(), io);
  return print(
      {[&] { return app::mig_pack_json(*packed); }, [&] { return std::vector{layouts_table(*packed)}; }},
      arguments, io);
}

}  // namespace

Command mig_pack_command() {
  return {.name = "mig pack",
          .summary = "The fewest cards for MIG instances, and where they lie",
          .options = {output_option(),
                      {"card", "CARD", "which card"},
                      {"demand", "LIST", "instances by profile, as 1g.10gb=29,3g.40gb=16"},
                      {"existing", "FILE", "cards that are there already: as little as possible is moved"},
                      {"moves", "N", "at most so many instances of those cards move, 0: none"}},
          .details = "  $ etiage mig pack --card H100 --demand 1g.10gb=29,3g.40gb=16",
          .run = pack};
}

}  // namespace etiage::cli
