#include "app/dra_fleet.h"

#include "base/json_writer.h"

namespace etiage::app {
namespace {

constexpr auto kRight = render::Align::kRight;

render::Cell number(std::size_t n) {
  return render::count(static_cast<std::int64_t>(n));
}

void write_pool(const dra::PoolView& p, JsonWriter& out) {
  out.begin_object();
  out.member("driver", p.driver).member("pool", p.name).member("generation", p.generation);
  out.member("slices", p.slices).member("announcedSlices", p.announced).member("staleSlices", p.stale_slices);
  out.member("fault", p.fault).member("devices", p.devices).member("inUse", p.in_use);
  out.member("nodes", p.nodes).end_object();
}

void write_shape(const dra::ShapeCount& s, JsonWriter& out) {
  out.begin_object();
  out.member("driver", s.shape.driver).member("productName", s.shape.product).member("type", s.shape.type);
  out.member("profile", s.shape.profile).member("memory", s.shape.memory);
  out.member("offered", s.offered)
      .member("inUse", s.in_use)
      .member("tainted", s.tainted)
      .member("stillFit", s.still_fit);
  out.end_object();
}

}  // namespace

dra::FleetView view_fleet(const DraInput& input, const dra::Behaviour& behaviour) {
  return dra::view_fleet(input.objects, behaviour);
}

std::string to_json(const dra::FleetView& view) {
  JsonWriter out;
  out.begin_object();
  out.key("pools").begin_array();
  for (const dra::PoolView& p : view.pools) write_pool(p, out);
  out.end_array();
  out.key("shapes").begin_array();
  for (const dra::ShapeCount& s : view.shapes) write_shape(s, out);
  out.end_array();
  out.key("claims")
      .begin_object()
      .member("total", view.claims)
      .member("allocated", view.allocated_claims)
      .end_object();
  out.end_object();
  return out.take() + "\n";
}

std::vector<render::Table> to_tables(const dra::FleetView& view) {
  render::Table shapes{"What is offered",
                       {{"driver"},
                        {"product"},
                        {"type"},
                        {"profile"},
                        {"memory"},
                        {"offered", "", "", kRight},
                        {"inUse", "IN USE", "", kRight},
                        {"stillFit", "STILL FIT", "", kRight}}};
  for (const dra::ShapeCount& s : view.shapes)
    shapes.rows.push_back(
        {{render::text(s.shape.driver), render::text(s.shape.product), render::text(s.shape.type),
          render::text(s.shape.profile), render::text(s.shape.memory), number(s.offered), number(s.in_use),
          number(s.still_fit)}});
  shapes.notes.push_back(
      "Shapes that share counters compete: what is said to fit of one is taken from the others.");
  render::Table pools{"Pools",
                      {{"driver"},
                       {"pool"},
                       {"generation", "", "", kRight},
                       {"slices", "", "", kRight},
                       {"devices", "", "", kRight},
                       {"inUse", "IN USE", "", kRight},
                       {"fault"}}};
  for (const dra::PoolView& p : view.pools)
    pools.rows.push_back({{render::text(p.driver), render::text(p.name), render::count(p.generation),
                           number(p.slices), number(p.devices), number(p.in_use), render::text(p.fault)}});
  return {shapes, pools};
}

}  // namespace etiage::app
