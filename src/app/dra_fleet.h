#pragma once
// What a fleet of devices offers, for people and for programs.

#include <string>
#include <vector>

#include "app/dra_objects.h"
#include "engines/dra/fleet_view.h"
#include "render/table.h"

namespace etiage::app {

dra::FleetView view_fleet(const DraInput& input, const dra::Behaviour& behaviour);

std::string to_json(const dra::FleetView& view);
std::vector<render::Table> to_tables(const dra::FleetView& view);

}  // namespace etiage::app
